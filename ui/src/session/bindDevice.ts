import { generatedApi } from '@/api/generated';
import { publicKey, signFor } from '@/device/keys';
import type { AppThunk } from '@/storeHooks';
import { deviceBound } from './session';

/**
 * Bind the session to the key of this device, so that it can be unlocked by PIN and badge.
 *
 * The server allows it soon after a sign-in or an unlocking with the password.
 */
export const bindDevice = (): AppThunk<void> => async (dispatch, getState) => {
  const { token, user } = getState().session;
  if (!token || !user) return;
  const key = await publicKey().catch(() => null); // no storage in this browser
  if (!key) return;
  const { makeNonce, bindDevice: bind } = generatedApi.endpoints;
  const { data } = await dispatch(makeNonce.initiate());
  const signature = data && (await signFor('device', data.nonce, user.id));
  if (!signature) return;
  const deviceDraft = { public_key: key, nonce: data.nonce, signature };
  const { error } = await dispatch(bind.initiate({ deviceDraft }));
  if (!error) dispatch(deviceBound(token));
};
