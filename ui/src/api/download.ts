import { api } from './tags';

export interface Download {
  path: string;
  query: Record<string, unknown> | URLSearchParams;
  fileName: string;
  /** A file to upload or a form, for a download that depends on it. */
  body?: Blob | Record<string, unknown>;
  /** True to print the file instead of saving it. It must be a PDF. */
  prints?: boolean;
}

/**
 * Download a file, to save or to print it.
 *
 * This endpoint is written by hand, because the generator types responses as JSON only, and files that the browser
 * saves must not be cached.
 */
export const { useDownloadMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    download: build.mutation<null, Download>({
      extraOptions: { success: [200] },
      query: ({ path, query, fileName, body, prints }) => ({
        url: path,
        params: query,
        ...(body && { method: 'POST', body }),
        // A whole list takes longer than a page.
        timeout: 600_000,
        responseHandler: async (answer) => {
          if (!answer.ok) return answer.json();
          const content = await answer.blob();
          if (prints) printPdf(fileName, content);
          else saveAs(fileName, content);
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

/** How long a printed file stays in the page: browsers read it until the print dialog closes. */
const PRINTING_MS = 600_000;

/**
 * Print a PDF in a hidden frame.
 *
 * Browsers that cannot show it in a frame open it in a tab. Where they show no PDF at all, it is saved.
 */
function printPdf(fileName: string, content: Blob) {
  if (!navigator.pdfViewerEnabled) return saveAs(fileName, content);
  const url = URL.createObjectURL(content);
  const frame = document.createElement('iframe');
  frame.title = fileName;
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  // Firefox does not print frames that are not displayed.
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0;';
  frame.onload = () => {
    try {
      frame.contentWindow?.print();
    } catch {
      if (!window.open(url)) saveAs(fileName, content);
    }
  };
  frame.src = url;
  document.body.append(frame);
  window.setTimeout(() => {
    frame.remove();
    URL.revokeObjectURL(url);
  }, PRINTING_MS);
}
