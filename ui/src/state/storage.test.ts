import { afterEach, describe, expect, it, vi } from 'vitest';
import { deviceStorage, tabStorage } from './storage';

const both = [
  ['deviceStorage', deviceStorage, 'localStorage'],
  ['tabStorage', tabStorage, 'sessionStorage'],
] as const;
afterEach(() => {
  vi.restoreAllMocks();
  for (const [, storage] of both) storage.removeItem('key');
});

describe.each(both)('%s', (_, storage, name) => {
  it('keeps values for the page where storage is blocked', () => {
    vi.spyOn(window, name, 'get').mockImplementation(() => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    });
    expect(storage.getItem('key')).toBeNull();
    storage.setItem('key', '[1]');
    expect(storage.getItem('key')).toBe('[1]');
    expect(storage.readJson('key')).toEqual([1]);
    expect(storage.keys()).toEqual(['key']);
    storage.removeItem('key');
    expect(storage.getItem('key')).toBeNull();
  });

  it('drops the former value where there is no room', () => {
    storage.setItem('key', 'former');
    const stored = window[name];
    vi.spyOn(window, name, 'get').mockReturnValue({
      getItem: (key: string) => stored.getItem(key),
      removeItem: (key: string) => stored.removeItem(key),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    } as unknown as Storage);
    storage.setItem('key', 'latest');
    expect(storage.getItem('key')).toBe('latest');
    expect(stored.getItem('key')).toBeNull();
    vi.restoreAllMocks();
    // Another tab has stored one since.
    stored.setItem('key', 'newer');
    expect(storage.getItem('key')).toBe('newer');
  });

  it.each([null, '', '{', 'null'])('reads no JSON from %j', (stored) => {
    if (stored !== null) storage.setItem('key', stored);
    expect(storage.readJson('key')).toBeUndefined();
  });
});
