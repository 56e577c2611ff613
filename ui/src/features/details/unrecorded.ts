import type { DetailValues } from './useDetailForm';

/** What a person entered and the server has not confirmed. */
export interface Unrecorded {
  entries: {
    key: string;
    values: DetailValues;
    /** Empty where it waits for the person, and not for the server. */
    refusal?: string;
  }[];
  /** What stands in the form. */
  begun: DetailValues | null;
}

const nothing: Unrecorded = { entries: [], begun: null };

/** It outlives a reload and the end of a session in this tab, for the same person on the same sheet. */
const place = (userId: number, sheetId: number) => `unrecorded ${userId} ${sheetId}`;

export function recallUnrecorded(userId: number, sheetId: number): Unrecorded {
  try {
    return JSON.parse(sessionStorage.getItem(place(userId, sheetId)) ?? 'null') ?? nothing;
  } catch {
    return nothing;
  }
}

/** With each entry its idempotency key, so that it is recorded once however it ends. Prices are not left lying about. */
export function keepUnrecorded(userId: number, sheetId: number, { entries, begun }: Unrecorded) {
  if (entries.length === 0 && !begun) return sessionStorage.removeItem(place(userId, sheetId));
  const kept: Unrecorded = {
    entries: entries.map(({ key, values, refusal }) => ({
      key,
      values: withoutPrice(values),
      ...(refusal === '' && { refusal }),
    })),
    begun: begun && withoutPrice(begun),
  };
  sessionStorage.setItem(place(userId, sheetId), JSON.stringify(kept));
}

const withoutPrice = (values: DetailValues): DetailValues => ({
  ...values,
  product: values.product && {
    ...values.product,
    price: undefined,
    category: { ...values.product.category, code: undefined },
  },
});
