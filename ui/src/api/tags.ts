import { generatedApi } from './generated';

/** What each answer shows, and so what each change makes stale. The only place for cache tags and call rules. */
export const api = generatedApi.enhanceEndpoints({
  addTagTypes: ['Account', 'Sheet'],
  endpoints: {
    signIn: (endpoint) => {
      const { query } = endpoint;
      if (!query) return;
      endpoint.query = (arg) => ({
        ...(query(arg) as object),
        url: '/api/auth/login',
        validateStatus: ({ status }) => status === 201,
      });
    },
    readOwnAccount: { providesTags: ['Account'] },
    readOwnProfile: { providesTags: ['Account'] },
    completeProfile: { invalidatesTags: ['Account'] },
    listSheets: { providesTags: ['Sheet'] },
  },
});
