import { beforeEach } from 'vitest';
import { recordDelay } from '@/recording/scanning/recordDelay';

/** Set how long scanned lines stay open in this file, in milliseconds. */
export function setRecordDelay(ms: number) {
  beforeEach(() => {
    const usual = recordDelay.ms;
    recordDelay.ms = ms;
    return () => {
      recordDelay.ms = usual;
    };
  });
}
