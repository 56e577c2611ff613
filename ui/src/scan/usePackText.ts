import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Pack } from '@/symbols/pack';

/** Return a function that formats pack data: `Lote L1 · vence 28 feb 2027 · S/N 9`. */
export function usePackText() {
  const t = useText();
  const format = useFormat();
  return ({ lot, expiry, serial }: Pack) =>
    [
      lot && t('scan.lot', { lot }),
      expiry && t('scan.expires', { month: format.day(expiry) }),
      serial && t('scan.serial', { serial }),
    ]
      .filter(Boolean)
      .join(' · ');
}
