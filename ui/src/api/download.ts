import { api } from './tags';

interface Download {
  path: string;
  query: Record<string, unknown> | URLSearchParams;
  fileName: string;
  /** A file that the answer is about. */
  body?: Blob;
}

/**
 * A whole list as a file. The generator types answers as JSON alone, and what the browser saves belongs into no cache,
 * so this call is written by hand.
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
