import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renewing } from '@/api/renewal';
import { tokenRenewed } from '@/session/session';
import { aNurse } from '@/test/people';
import { render } from '@/test/render';
import { attachListeners } from './store';

it('keeps the session while a new token is on its way', async () => {
  const { store } = await render(<p />, { user: aNurse() });
  attachListeners(store);
  let renew = () => {};
  renewing(
    new Promise<void>((resolve) => {
      renew = () => {
        store.dispatch(tokenRenewed('token-2'));
        resolve();
      };
    }),
  );
  localStorage.removeItem('token');
  window.dispatchEvent(new StorageEvent('storage', { key: 'sessionChanged' }));
  await act(async () => {});
  expect(store.getState().session.token).toBe('token-1');
  await act(async () => renew());
  expect(store.getState().session).toMatchObject({ token: 'token-2', user: aNurse() });
});
