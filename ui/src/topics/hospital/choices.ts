import { useIntl } from 'react-intl';

const withCurrent = (all: string[], current: string) => (all.includes(current) ? all : [current, ...all]);

/** The IANA time zones that the browser knows, and the current one. */
export const timeZones = (current: string) =>
  withCurrent(['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], current);

/** ISO 4217 codes, and the current one. */
export const currencies = (current: string) => withCurrent(Intl.supportedValuesOf('currency'), current);

/** Return a function that names a currency: `USD, dólar estadounidense`. */
export function useCurrencyName() {
  const { locale } = useIntl();
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  return (code: string) => {
    const name = names.of(code);
    return name && name !== code ? `${code}, ${name}` : code;
  };
}
