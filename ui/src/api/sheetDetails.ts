import type { PageDetailView } from './generated';
import { DETAILS_PAGE_SIZE } from './limits';
import { api } from './tags';

/**
 * Infinite query of `listSheetDetails`, refetched as one.
 *
 * It is written by hand, because the generator knows no infinite queries.
 */
export const { useSheetDetailsInfiniteQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    sheetDetails: build.infiniteQuery<PageDetailView, number, string>({
      extraOptions: { success: [200] },
      infiniteQueryOptions: { initialPageParam: '', getNextPageParam: ({ meta }) => meta.next },
      query: ({ queryArg: sheetId, pageParam: cursor }) => ({
        url: `/api/consumption-sheets/${sheetId}/consumption-details`,
        params: { cursor: cursor || undefined, limit: DETAILS_PAGE_SIZE },
      }),
      providesTags: ['Detail'],
    }),
  }),
});
