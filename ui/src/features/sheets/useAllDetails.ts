import type { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useMemo } from 'react';
import { useSheetDetailsInfiniteQuery } from '@/api/sheetDetails';

/** All that was recorded on a sheet, oldest first, however many pages that takes. */
export function useAllDetails(sheetId: number | typeof skipToken) {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useSheetDetailsInfiniteQuery(sheetId, {
    refetchOnMountOrArgChange: true,
  });
  // After each page, told by `data`: fetching may have begun and ended again between two renderings.
  useEffect(() => {
    if (data && hasNextPage && !isFetching && !error) fetchNextPage();
  }, [data, hasNextPage, isFetching, error, fetchNextPage]);
  return useMemo(() => {
    const all = data && !hasNextPage ? data.pages.flatMap(({ items }) => items).reverse() : undefined;
    return { data: all, error };
  }, [data, hasNextPage, error]);
}
