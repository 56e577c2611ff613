import { isUnsent, type OutboxLine } from '@/outbox/outboxSlice';

/** Count the lines of each sheet that this device has not sent yet. */
export function countUnsent(lines: OutboxLine[]) {
  const counts = new Map<number, number>();
  for (const line of lines)
    if (isUnsent(line)) counts.set(line.sheetId, (counts.get(line.sheetId) ?? 0) + line.items.length);
  return counts;
}
