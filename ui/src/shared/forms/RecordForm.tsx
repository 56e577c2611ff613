import type { ComponentProps } from 'react';
import { useNavigate } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { FormCard } from './FormCard';
import { useSubmit } from './useSubmit';

interface Props<Values, Saved> extends Omit<ComponentProps<typeof FormCard<Values>>, 'save' | 'pending'> {
  /** Send the values. */
  run: (values: Values) => PromiseLike<{ data?: Saved; error?: unknown }>;
  /** Toast after saving. */
  success: MessageId;
  /** What to do after saving, by default to open `back`. */
  onSaved?: (saved: Saved) => void;
}

/** Form that creates or updates one record with one request. */
export function RecordForm<Values, Saved>({ run, success, onSaved, ...card }: Props<Values, Saved>) {
  const { form, back } = card;
  const navigate = useNavigate();
  const { submit, pending } = useSubmit();

  async function save(values: Values) {
    const saved = await submit(() => run(values), { form, success });
    if (!saved.ok) return;
    if (onSaved) onSaved(saved.data);
    else navigate(back, { replace: true });
  }

  return <FormCard {...card} save={save} pending={pending} />;
}
