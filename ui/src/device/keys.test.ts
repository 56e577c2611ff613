import { openDB } from 'idb';
import { beforeEach, expect, it, vi } from 'vitest';
import { deviceDatabase } from './database';
import { canSign, publicKey, signFor } from './keys';

beforeEach(() => {
  const former = window.isSecureContext;
  vi.stubGlobal('isSecureContext', true);
  return () => void vi.stubGlobal('isSecureContext', former);
});

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

it('signs with the key whose public half it tells', async () => {
  const jwk = await publicKey();
  expect(await publicKey()).toEqual(jwk);
  const signature = bytesOf((await signFor('unlock', 'nonce-1', 3)) ?? '');
  expect(signature).toHaveLength(64);
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'verify',
  ]);
  const verify = (text: string) =>
    crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, new TextEncoder().encode(text));
  expect(await verify('consumo-unlock\nnonce-1\n3')).toBe(true);
  expect(await verify('consumo-unlock\nnonce-1\n4')).toBe(false);
  expect(await verify('consumo-device\nnonce-1\n3')).toBe(false);
});

it('keeps a key that no script can export', async () => {
  await publicKey();
  const stored = await (await deviceDatabase()).get('keys', 'device');
  expect(stored?.privateKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('pkcs8', stored?.privateKey as CryptoKey)).rejects.toThrow();
});

it('signs nothing without a key, or where browsers make none', async () => {
  expect(await signFor('unlock', 'nonce-1', 3)).toBeNull();
  await publicKey();
  expect(await signFor('unlock', 'nonce-1', 3)).not.toBeNull();
  vi.stubGlobal('isSecureContext', false);
  expect(canSign()).toBe(false);
  expect(await signFor('unlock', 'nonce-1', 3)).toBeNull();
});

it('upgrades the database of the earlier version with its entries', async () => {
  const former = await openDB('consumo', 1, {
    upgrade(database) {
      database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true }).createIndex('key', 'key');
      database.createObjectStore('catalogue');
      database.createObjectStore('sheets', { keyPath: 'id' });
    },
  });
  await former.put('outbox', { key: 'k-1' });
  former.close();
  const database = await deviceDatabase();
  expect(await database.getAll('outbox')).toEqual([{ key: 'k-1', seq: 1 }]);
  expect([...database.objectStoreNames].sort()).toEqual(['catalogue', 'keys', 'outbox', 'sheets']);
});
