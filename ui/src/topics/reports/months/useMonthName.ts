import { useFormat } from '@/i18n/useFormat';

/** Return how to name a month at the beginning of a sentence: `Octubre de 2026`. */
export function useMonthName() {
  const format = useFormat();
  return (month: string) => {
    const name = format.month(month);
    return name.charAt(0).toLocaleUpperCase() + name.slice(1);
  };
}
