import type { DetailValues } from '@/outbox/outboxSlice';
import { lookUp } from '@/scan/lookUp';
import type { AppThunk } from '@/state/storeHooks';
import type { Scan } from './recorderState';

/** Look up what the server knows about the pack of a line; null without an answer. */
export const lookUpPack =
  ({ product, gtin, lot, expiry, serial }: DetailValues, onlyTried?: true): AppThunk<Scan['told'] | null> =>
  async (dispatch) => {
    const code = gtin ? { gtin } : product?.code ? { code: product.code } : null;
    if (!product || !code) return null;
    const pack = { lot: lot ?? undefined, expiry: expiry ?? undefined, serial: serial ?? undefined };
    const { data } = await dispatch(lookUp({ ...code, ...pack, onlyTried }));
    if (!data?.matches.some((one) => one.product.id === product.id)) return null;
    return { recalled: data.recall, serialUsed: data.serial_used };
  };
