import { SERVICE_WORKER_URL } from './offline/serviceWorkerUrl';

/**
 * Trusted Types policy for HTML and scripts.
 *
 * The server's Content-Security-Policy lets no string become HTML or a script unless this policy accepts it. The
 * component library writes its theme's variables into a style element, which counts as HTML in the browser. It never
 * writes markup. The only scripts that are loaded from a string are the service worker and the reader of photographs.
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
    if (address !== SERVICE_WORKER_URL && !isReader(address))
      throw new TypeError('no program but the workers is named by a text');
    return address;
  },
});

/** Return whether the address is that of src/symbols/photo/worker.ts, built. */
function isReader(address: string) {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && /^\/assets\/worker-[\w-]+\.js$/.test(pathname);
}
