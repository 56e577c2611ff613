import type { Download } from '@/api/download';
import type { Translate } from '@/i18n/messages';

/** Return the download that prints a sheet's report, the only paper there is. */
export const paperOf = (sheetId: number, t: Translate): Download => ({
  path: `/api/consumption-sheets/${sheetId}/pdf`,
  query: {},
  fileName: `${t('sheets.reportFile', { id: sheetId })}.pdf`,
  prints: true,
});
