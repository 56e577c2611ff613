import { SERVICE_WORKER_URL } from './serviceWorkerUrl';

/**
 * The server's Content-Security-Policy lets no text become HTML or a program unless this policy takes it. The component
 * library writes its theme's variables into a style element, which counts as HTML to the browser; markup it never
 * writes. The only program that is named by a text is the service worker.
 */
interface TrustedTypesApi {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(address: string): string },
  ): unknown;
}

(window as { trustedTypes?: TrustedTypesApi }).trustedTypes?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('markup is never written as text');
    return text;
  },
  createScriptURL(address) {
    if (address !== SERVICE_WORKER_URL)
      throw new TypeError('no program but the service worker is named by a text');
    return address;
  },
});
