import type { ConsumptionPage } from '@/api/generated';

/** A report without rows. */
export const aReport = (change: Partial<ConsumptionPage> = {}): ConsumptionPage => ({
  by: 'day',
  period: { from: '2026-10-23', to: '2026-11-21' },
  sums: { details: 0, quantity: 0, total: 0, patient_days: 0 },
  items: [],
  meta: { page: 1, limit: 50, total: change.items?.length ?? 0, pages: 1 },
  ...change,
});
