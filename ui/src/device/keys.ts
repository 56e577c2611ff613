import { askStore } from './database';

/*
 * The key of this device: ECDSA P-256, made once per browser profile.
 *
 * It signs each unlocking by PIN or badge. The private key cannot be exported, so what is copied from the browser's
 * storage signs nothing elsewhere.
 */

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** Return whether this browser makes keys here: on https and on localhost. */
export const canSign = () => window.isSecureContext && globalThis.crypto?.subtle !== undefined;

/** Return the key, or null if there is none or the browser has no storage. */
async function storedKey(): Promise<CryptoKeyPair | null> {
  const stored = await askStore('keys', (database) => database.get('keys', 'device')).catch(() => undefined);
  return stored ?? null;
}

/** Return the key; make and store it if there is none. Rejects in a browser without storage. */
async function storedOrNewKey(): Promise<CryptoKeyPair> {
  const stored = await storedKey();
  if (stored) return stored;
  const made = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  return askStore('keys', async (database) => {
    const { store, done } = database.transaction('keys', 'readwrite', { durability: 'strict' });
    // Another tab may have made one meanwhile.
    const kept = (await store.get('device')) ?? made;
    await store.put(kept, 'device');
    await done;
    return kept;
  });
}

/** Return the public key as a JWK, of a new key if there is none. */
export async function publicKey() {
  const { publicKey: key } = await storedOrNewKey();
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', key);
  return { kty: kty as string, crv: crv as string, x: x as string, y: y as string };
}

/** Sign what a call does: base64url of r and s, or null without a key. */
export async function signFor(
  what: 'device' | 'unlock' | 'badge',
  nonce: string,
  userId: number,
): Promise<string | null> {
  const key = canSign() ? await storedKey() : null;
  if (!key) return null;
  const text = new TextEncoder().encode(`consumo-${what}\n${nonce}\n${userId}`);
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, text));
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
