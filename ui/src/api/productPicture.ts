import { api } from './tags';

interface Picture {
  productId: number;
  digest: string;
}

/** How long a picture stays in memory after it was shown last, in seconds. The browser's own cache has it longer. */
const STAYS_FOR = 60;

/**
 * Load the picture of a product; the result is an address in memory.
 *
 * This endpoint is written by hand, because the generator types responses as JSON only, and pictures have to be
 * released.
 */
export const { useProductPictureQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    productPicture: build.query<string, Picture>({
      extraOptions: { success: [200] },
      query: ({ productId, digest }) => ({
        url: `/api/products/${productId}/picture`,
        params: { digest },
        responseHandler: async (answer) =>
          answer.ok ? URL.createObjectURL(await answer.blob()) : answer.json(),
      }),
      keepUnusedDataFor: STAYS_FOR,
      async onCacheEntryAdded(_, { cacheDataLoaded, cacheEntryRemoved }) {
        // Rejected if it is removed before it is loaded.
        const loaded = await cacheDataLoaded.catch(() => null);
        await cacheEntryRemoved;
        if (loaded) URL.revokeObjectURL(loaded.data);
      },
    }),
  }),
});
