import { api } from './tags';

interface Download {
  path: string;
  query: Record<string, unknown> | URLSearchParams;
  fileName: string;
  /** A file to upload, for a download that depends on its content. */
  body?: Blob;
}

/**
 * Download a whole list as a file.
 *
 * This endpoint is written by hand, because the generator types responses as JSON only, and files that the browser
 * saves must not be cached.
 */
export const { useDownloadMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    download: build.mutation<null, Download>({
      query: ({ path, query, fileName, body }) => ({
        url: path,
        params: query,
        ...(body && { method: 'POST', body }),
        // A whole list takes longer than a page.
        timeout: 600_000,
        responseHandler: async (answer) => {
          if (!answer.ok) return answer.json();
          saveAs(fileName, await answer.blob());
          return null;
        },
      }),
    }),
  }),
});

function saveAs(fileName: string, content: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
