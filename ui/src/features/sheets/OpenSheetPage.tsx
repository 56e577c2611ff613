import { useNavigate } from 'react-router-dom';
import { useOpenSheetMutation } from '@/api/generated';
import { detailsOf } from '@/components/sheetAddresses';
import { useSubmit } from '@/components/useSubmit';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { draftOf, type Particulars, SheetForm, useSheetForm } from './SheetForm';

/** Open a consumption sheet for an admitted patient. */
export function OpenSheetPage() {
  const t = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const [openSheet] = useOpenSheetMutation();
  const { submit, pending } = useSubmit();
  const form = useSheetForm({
    patient_id: null,
    room_id: null,
    admission_date: format.dayOf(new Date()),
    doctor: '',
    diagnosis: '',
  });

  async function save(values: Particulars) {
    const opened = await submit((key) => openSheet({ 'Idempotency-Key': key, sheetDraft: draftOf(values) }), {
      form,
      success: 'sheets.opened',
    });
    if (opened.ok) navigate(detailsOf(opened.data), { replace: true });
  }

  return (
    <SheetForm
      form={form}
      save={save}
      pending={pending}
      back="/consumption-sheets"
      submitLabel={t('sheets.open')}
    />
  );
}
