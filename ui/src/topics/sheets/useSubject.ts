import { useReadAreaSheetQuery, useReadSheetQuery } from '@/api/generated';
import { toProblem } from '@/api/problem';
import type { Subject } from '@/shared/records/subject';

/** Read the sheet of a patient or, if the number is not one's, the page of an area. */
export function useSubject(sheetId: number | undefined): { data?: Subject; error?: unknown } {
  const asked = { sheetId: sheetId ?? 0 };
  const sheet = useReadSheetQuery(asked, { skip: sheetId === undefined });
  const isNone = sheet.error !== undefined && toProblem(sheet.error).status === 404;
  const page = useReadAreaSheetQuery(asked, { skip: !isNone });
  if (!isNone) return { data: sheet.currentData, error: sheet.error };
  return { data: page.currentData, error: page.error };
}
