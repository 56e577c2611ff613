import { beforeEach } from 'vitest';
import { recordDelay } from '@/features/details/recordDelay';

/** Set how long a scanned line stays open in this file's tests, in milliseconds. */
export function setRecordDelay(ms: number) {
  beforeEach(() => {
    const usual = recordDelay.ms;
    recordDelay.ms = ms;
    return () => {
      recordDelay.ms = usual;
    };
  });
}
