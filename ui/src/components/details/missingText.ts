import type { Translate } from '@/i18n/messages';

/** Say which of lot and serial number an implant lacks. */
export const missingText = (t: Translate, { lot, serial }: { lot?: string | null; serial?: string | null }) =>
  [!lot && t('scan.lotMissing'), !serial && t('scan.serialMissing')].filter(Boolean).join(' ');
