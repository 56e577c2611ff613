import { skipToken } from '@reduxjs/toolkit/query';
import { useMemo } from 'react';
import { type SheetView, useListClosingsQuery, useReadClosingQuery } from '@/api/generated';
import { useAllDetails } from './useAllDetails';

/**
 * Load a closed sheet and its lines as the closing froze them.
 *
 * Later renames have no effect. A sheet without a stored closing is shown with present data.
 */
export function useClosedSheet(sheet: SheetView) {
  const closings = useListClosingsQuery({ sheetId: sheet.id });
  const last = closings.data?.items.at(-1);
  const turn = last?.closed_at === sheet.deleted_at ? last?.turn : undefined;
  const frozen = useReadClosingQuery(turn ? { sheetId: sheet.id, turn } : skipToken);
  const now = useAllDetails(closings.data && !turn ? sheet.id : skipToken);
  const lines = useMemo(
    () => frozen.data?.days.flatMap(({ categories }) => categories.flatMap(({ details }) => details)),
    [frozen.data],
  );
  return {
    shown: frozen.data?.sheet ?? sheet,
    details: lines ?? now.data,
    error: closings.error ?? frozen.error ?? now.error,
  };
}
