import { useReadAreaSheetQuery, useReadSheetQuery } from '@/api/generated';
import type { Subject } from '@/shared/records/subject';

/** Read the sheet of a patient or, if the number is not one's, the page of an area. */
export function useSubject(sheetId: number | undefined): { data?: Subject; error?: unknown } {
  const asked = { sheetId: sheetId ?? 0 };
  const sheet = useReadSheetQuery(asked, { skip: sheetId === undefined });
  // Also without network: the device may know the page.
  const isNone = sheet.error !== undefined && sheet.currentData === undefined;
  const page = useReadAreaSheetQuery(asked, { skip: !isNone });
  if (!isNone) return { data: sheet.currentData, error: sheet.error };
  return { data: page.currentData, error: page.error && sheet.error };
}
