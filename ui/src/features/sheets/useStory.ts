import type { HistoryView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

type Value = string | number | boolean | null;

const sentences: Record<string, MessageId> = {
  'sheet.opened': 'sheets.history.opened',
  'sheet.updated': 'sheets.history.updated',
  'sheet.closed': 'sheets.history.closed',
  'sheet.reopened': 'sheets.history.reopened',
  'sheet.deleted': 'sheets.history.deleted',
  'detail.added': 'sheets.history.detailAdded',
  'detail.edited': 'sheets.history.detailEdited',
  'detail.deleted': 'sheets.history.detailDeleted',
};

/** What the fields are called that someone may change, in the order in which they are told. */
const labels: Record<string, MessageId> = {
  patient_id: 'sheets.patient',
  room_id: 'sheets.room',
  admission_date: 'sheets.admissionDate',
  doctor: 'sheets.doctor',
  diagnosis: 'sheets.diagnosis',
  product_id: 'details.product',
  quantity: 'details.quantity',
  unit_price: 'details.unitPrice',
  total: 'sheets.total',
  staff_id: 'details.staff',
  area_id: 'details.area',
};

/** An entry of a sheet's history as a sentence, and what was before and after of each thing that was changed. */
export function useStory() {
  const t = useText();
  const format = useFormat();

  /** As people write it; null when there is none. */
  function written(field: string, { changes, names }: HistoryView, side: 0 | 1): string | null {
    const value: Value = changes[field]?.[side] ?? null;
    if (value === null || value === '') return null;
    if (field.endsWith('_id')) return names[field]?.[side] ?? t('sheets.history.nameless');
    if (field === 'quantity') return format.quantity(Number(value));
    if (field === 'total' || field === 'unit_price') return format.money(Number(value));
    return field === 'admission_date' ? format.day(String(value)) : String(value);
  }

  return (entry: HistoryView) => {
    const { action, changes } = entry;
    const side = action === 'detail.deleted' ? 0 : 1;
    const line = {
      quantity: written('quantity', entry, side) ?? '',
      product: entry.subject ?? t('sheets.history.nameless'),
    };
    const person = entry.person ?? entry.user?.email ?? t('sheets.history.nobody');
    const staff = action === 'detail.added' ? written('staff_id', entry, 1) : null;
    const sentence =
      staff && staff !== person
        ? t('sheets.history.detailAddedFor', { person, staff, ...line })
        : t(sentences[action] ?? 'sheets.history.other', {
            person,
            action,
            reason: String(changes.reason?.[1] ?? ''),
            ...line,
          });
    const isChange = action === 'sheet.updated' || action === 'detail.edited';
    const none = t('sheets.history.none');
    return {
      sentence,
      changes: Object.entries(labels)
        .filter(([field]) => isChange && field in changes)
        .map(([field, label]) =>
          t('sheets.history.change', {
            field: t(label),
            before: written(field, entry, 0) ?? none,
            after: written(field, entry, 1) ?? none,
          }),
        ),
    };
  };
}
