import { useEffect, useMemo } from 'react';
import { useSheetDetailsInfiniteQuery } from '@/api/sheetDetails';

/** All that was recorded on a sheet, oldest first, however many pages that takes. */
export function useAllDetails(sheetId: number) {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useSheetDetailsInfiniteQuery(sheetId, {
    refetchOnMountOrArgChange: true,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  return useMemo(() => {
    const all = data && !hasNextPage ? data.pages.flatMap(({ items }) => items).reverse() : undefined;
    return { data: all, error };
  }, [data, hasNextPage, error]);
}
