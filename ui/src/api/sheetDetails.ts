import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import type { PageDetailView } from './generated';
import { api } from './tags';

/** A sheet's details, newest first, as many pages of them as were asked for; refreshed as one. */
export const { useSheetDetailsInfiniteQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    sheetDetails: build.infiniteQuery<PageDetailView, number, string>({
      infiniteQueryOptions: { initialPageParam: '', getNextPageParam: (last) => last.meta.next },
      queryFn: async ({ queryArg: sheetId, pageParam }, { dispatch }) => {
        const { data, error } = await dispatch(
          api.endpoints.listSheetDetails.initiate(
            { sheetId, cursor: pageParam || undefined, limit: 100 },
            { subscribe: false, forceRefetch: true },
          ),
        );
        return error || !data ? { error: error as FetchBaseQueryError } : { data };
      },
      providesTags: ['Detail'],
    }),
  }),
});
