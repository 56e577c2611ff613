import { useNavigate } from 'react-router-dom';
import { useCreateKitMutation } from '@/api/generated';
import { useSubmit } from '@/shared/forms/useSubmit';
import { draftOf, KitForm, useKitForm } from './KitForm';
import type { KitValues } from './KitLines';
import { useWhoseKits } from './useWhoseKits';

export default function CreateKitPage() {
  const navigate = useNavigate();
  const { own, home } = useWhoseKits();
  const [createKit] = useCreateKitMutation();
  const { submit, pending } = useSubmit();
  const form = useKitForm({ name: '', area_id: null, lines: [] });

  async function save(values: KitValues) {
    const created = await submit(() => createKit({ kitDraft: { ...draftOf(values), own } }), {
      form,
      success: 'kits.created',
    });
    if (created.ok) navigate(home, { replace: true });
  }

  return <KitForm form={form} own={own} save={save} pending={pending} back={home} />;
}
