import { Button, Group, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { type Decimal, readDecimal, readings, writeDecimal } from '@/i18n/decimal';
import { useText } from '@/i18n/useText';
import { ScanDetector, SHORT_WITHOUT_SUFFIX } from '@/scan/scanDetector';

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  value: Decimal;
  onChange: (value: Decimal) => void;
  /** Takes a code that was scanned while the focus was here. Without it the field says that none belongs here. */
  onScan?: (code: string) => void;
  /** Called before the first key of what may be a scan; what it answers puts everything back. */
  remember?: () => () => void;
  /** Whether the form around it hears scanners (`useScanner`). */
  isHeard?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Every number that a person types. What was typed stays as it is: what is no number is the field's value as well, and
 * refused with `useDecimalRule`; what may be one number or another is asked. What a scanner sends is never a number.
 */
export function DecimalInput({
  value,
  onChange,
  onScan,
  remember,
  isHeard = false,
  error,
  onKeyDown,
  onFocus,
  onBlur,
  className,
  ref,
  ...rest
}: Props) {
  const t = useText();
  const { locale } = useIntl();
  const [shown, setShown] = useState({ text: written(value, locale), value, locale });
  const [scanned, setScanned] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const [detector] = useState(() => new ScanDetector());
  const putBack = useRef(() => {});
  /** What was scanned here and is not given away yet. */
  const code = useRef('');
  const ending = useRef(0);
  useEffect(() => () => window.clearTimeout(ending.current), []);

  if (shown.value !== value || shown.locale !== locale)
    setShown({ text: written(value, locale), value, locale });

  function show(text: string, next: Decimal) {
    setScanned(null);
    setShown({ text, value: next, locale });
    onChange(next);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (code.current && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      event.stopPropagation();
      detector.end();
      give();
      return;
    }
    if (!code.current) window.clearTimeout(ending.current);
    if (!isHeard && detector.endsShortScan(event)) {
      event.preventDefault();
      event.stopPropagation();
      takeShort();
      return;
    }
    const kind = detector.press(event);
    if (kind === 'scanned') {
      event.preventDefault();
      if (!code.current) putBack.current();
      code.current = detector.text;
      window.clearTimeout(ending.current);
      ending.current = window.setTimeout(give, SHORT_WITHOUT_SUFFIX);
      return;
    }
    if (kind === 'first') {
      if (code.current) give();
      putBack.current = remember?.() ?? (() => onChange(value));
    }
    if (kind === 'typed' && !isHeard && detector.isQuick)
      ending.current = window.setTimeout(takeShort, SHORT_WITHOUT_SUFFIX);
    onKeyDown?.(event);
  }

  /** A code that is too short to be known by its pace before it ends. */
  function takeShort() {
    code.current = detector.text;
    detector.end();
    putBack.current();
    give();
  }

  function give() {
    window.clearTimeout(ending.current);
    const scan = code.current;
    code.current = '';
    field.current?.select(); // the next key takes the place of what stands there, as when one comes here
    if (onScan) onScan(scan);
    else setScanned(scan);
  }

  const either = typeof value === 'string' && readings(value);
  return (
    <div className={className}>
      <TextInput
        {...rest}
        ref={useMergedRef(field, ref)}
        inputMode="decimal"
        autoComplete="off"
        value={shown.text}
        error={
          (scanned !== null && t('form.scanned', { code: scanned })) ||
          (either && t('form.whichNumber', writtenOut(value, either, locale))) ||
          error
        }
        onChange={({ currentTarget: { value: text } }: ChangeEvent<HTMLInputElement>) =>
          show(text, readDecimal(text))
        }
        onKeyDown={press}
        onFocus={(event) => {
          event.currentTarget.select();
          onFocus?.(event);
        }}
        onBlur={(event) => {
          setScanned(null);
          // As it was understood.
          if (typeof value === 'number') setShown({ text: writeDecimal(value, locale), value, locale });
          onBlur?.(event);
        }}
      />
      {either && (
        <Group
          gap="xs"
          mt="xs"
          role="group"
          aria-label={t('form.whichNumber', writtenOut(value, either, locale))}
        >
          {either.map((number) => (
            <Button
              key={number}
              variant="default"
              px="xs"
              flex="1 0 auto"
              onClick={() => {
                show(writeDecimal(number, locale), number);
                field.current?.focus();
              }}
            >
              {writeDecimal(number, locale)}
            </Button>
          ))}
        </Group>
      )}
    </div>
  );
}

/** For `useForm`: a number is there, and it is one. */
export function useDecimalRule() {
  const t = useText();
  const { locale } = useIntl();
  return (value: Decimal) => {
    if (value === null) return t('form.required');
    if (typeof value === 'number') return null;
    const either = readings(value);
    return either
      ? t('form.whichNumber', writtenOut(value, either, locale))
      : t('form.noNumber', { text: value });
  };
}

const written = (value: Decimal, locale: string) =>
  typeof value === 'number' ? writeDecimal(value, locale) : (value ?? '');

const writtenOut = (text: string, [decimal, whole]: [number, number], locale: string) => ({
  text,
  decimal: writeDecimal(decimal, locale),
  whole: writeDecimal(whole, locale),
});
