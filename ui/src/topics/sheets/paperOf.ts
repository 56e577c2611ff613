import type { Download } from '@/api/download';
import type { Translate } from '@/i18n/messages';

/** Return the download that prints a sheet's report. */
export const paperOf = (sheetId: number, t: Translate): Download => ({
  path: `/api/consumption-sheets/${sheetId}/pdf`,
  query: {},
  fileName: `${t('sheets.reportFile', { id: sheetId })}.pdf`,
  prints: true,
});

/** Return the download that prints the patient's card of implants, as the closing froze them. */
export const implantCardOf = (sheetId: number, t: Translate): Download => ({
  path: `/api/consumption-sheets/${sheetId}/implant-card`,
  query: {},
  fileName: `${t('implants.card')} ${sheetId}.pdf`,
  prints: true,
});
