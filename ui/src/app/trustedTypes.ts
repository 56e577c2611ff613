/**
 * The server's Content-Security-Policy lets no text become HTML unless this policy takes it. The component library
 * writes its theme's variables into a style element, which counts as HTML to the browser; markup it never writes.
 */
interface TrustedTypesApi {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

(window as { trustedTypes?: TrustedTypesApi }).trustedTypes?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('markup is never written as text');
    return text;
  },
});
