import type { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useMemo } from 'react';
import { useSheetDetailsInfiniteQuery } from '@/api/sheetDetails';

/** Load all details of a sheet, page by page, oldest first. */
export function useAllDetails(sheetId: number | typeof skipToken) {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useSheetDetailsInfiniteQuery(sheetId, {
    refetchOnMountOrArgChange: true,
  });
  // `data` signals each page: a fetch may have started and ended between two renders.
  useEffect(() => {
    if (data && hasNextPage && !isFetching && !error) fetchNextPage();
  }, [data, hasNextPage, isFetching, error, fetchNextPage]);
  return useMemo(() => {
    const all = data && !hasNextPage ? data.pages.flatMap(({ items }) => items).reverse() : undefined;
    return { data: all, error };
  }, [data, hasNextPage, error]);
}
