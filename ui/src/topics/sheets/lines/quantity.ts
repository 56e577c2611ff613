import type { Decimal } from '@/i18n/decimal';

export const MAX_QUANTITY = 9_999.999;

export const isValidQuantity = (quantity: Decimal): quantity is number =>
  typeof quantity === 'number' &&
  quantity >= 0 &&
  quantity <= MAX_QUANTITY &&
  Number.isInteger(Number((quantity * 1000).toFixed(6)));
