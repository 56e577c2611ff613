import type { PageDetailView } from './generated';
import { DETAILS_PAGE_SIZE } from './limits';
import { api } from './tags';

/**
 * `listSheetDetails`, page after page and refreshed as one: the generator knows no infinite queries, so this one
 * is written by hand.
 */
export const { useSheetDetailsInfiniteQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    sheetDetails: build.infiniteQuery<PageDetailView, number, string>({
      infiniteQueryOptions: { initialPageParam: '', getNextPageParam: ({ meta }) => meta.next },
      query: ({ queryArg: sheetId, pageParam: cursor }) => ({
        url: `/api/consumption-sheets/${sheetId}/consumption-details`,
        params: { cursor: cursor || undefined, limit: DETAILS_PAGE_SIZE },
      }),
      providesTags: ['Detail'],
    }),
  }),
});
