import { type DetailValues, NOTHING_SCANNED, type Unrecorded } from './outbox';

/** Autosave: as it is stored in the browser, so that a reload or a time offline loses nothing. */
interface Stored {
  entries: {
    key: string;
    values: DetailValues;
    /** Empty where it waits for the person, and not for the server. */
    refusal?: '';
  }[];
  begun: DetailValues | null;
  /** Absent where the version before stored it. */
  scans?: string[];
}

/** It outlives a reload and the end of a session in this tab, for the same person on the same sheet. */
const place = (userId: number, sheetId: number) => `unrecorded ${userId} ${sheetId}`;

function read(userId: number, sheetId: number): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(place(userId, sheetId)) ?? 'null');
  } catch {
    return null;
  }
}

export function recallUnrecorded(userId: number, sheetId: number): Unrecorded {
  const { entries, begun, scans = [] } = read(userId, sheetId) ?? { entries: [], begun: null };
  return {
    lines: entries.map(({ key, values, refusal }) => ({
      key,
      values: { ...NOTHING_SCANNED, ...values },
      status: refusal === '' ? 'setAside' : 'leftOver',
    })),
    begun: begun && { ...NOTHING_SCANNED, ...begun },
    scans,
  };
}

/** With each line its idempotency key, so that it is recorded once however it ends. Prices are not left lying about. */
export function storeUnrecorded(userId: number, sheetId: number, { lines, begun, scans }: Unrecorded) {
  if (lines.length === 0 && !begun && scans.length === 0)
    return sessionStorage.removeItem(place(userId, sheetId));
  const stored: Stored = {
    entries: lines.map(({ key, values, status }) => ({
      key,
      values: withoutPrice(values),
      ...(status === 'setAside' && { refusal: '' }),
    })),
    begun: begun && withoutPrice(begun),
    scans,
  };
  sessionStorage.setItem(place(userId, sheetId), JSON.stringify(stored));
}

const withoutPrice = (values: DetailValues): DetailValues => ({
  ...values,
  product: values.product && {
    ...values.product,
    price: undefined,
    category: { ...values.product.category, code: undefined },
  },
});
