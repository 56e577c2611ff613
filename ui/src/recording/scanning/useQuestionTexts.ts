import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { IMPLANT_INCOMPLETE, type Question } from '@/topics/sheets/lines/questions';
import { missingText } from '@/topics/sheets/lines/useReasons';

/** Return a function that describes the open questions about a line, by their codes. */
export function useQuestionTexts() {
  const t = useText();
  const format = useFormat();
  return (values: DetailValues, codes: string[]): Question[] =>
    codes.map((code) => ({
      code,
      text: values.asked.find((one) => one.code === code)?.text ?? textOf(code, values),
    }));

  function textOf(code: string, values: DetailValues) {
    const { expiry, scanned } = values;
    switch (code) {
      case 'lot.expired':
        return t('scan.expired', { day: format.day(expiry ?? '') });
      case 'lot.recalled':
        return recalledText(values);
      case 'serial.used':
        return t('scan.serialUsed', {
          sheet: scanned?.serialUsed?.consumption_sheet_id ?? 0,
          at: format.moment(scanned?.serialUsed?.at ?? ''),
        });
      case IMPLANT_INCOMPLETE:
        return missingText(t, values);
      case 'lot.required':
        return t('scan.lotMissing');
      default:
        return t('scan.serialMissing');
    }
  }

  /** Say what is recalled, since when and why. */
  function recalledText({ lot, scanned }: DetailValues) {
    const { reason = '', since } = scanned?.recalled ?? {};
    const day = since ? format.day(format.dayOf(new Date(since))) : '';
    return lot ? t('scan.recalledLot', { lot, day, reason }) : t('scan.recalled', { day, reason });
  }
}
