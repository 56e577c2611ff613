import { Button, Group, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type Ref, useRef, useState } from 'react';
import { type Decimal, readDecimal, readings, writeDecimal } from '@/i18n/decimal';
import { useNumberLocale } from '@/i18n/useNumberLocale';
import { useText } from '@/i18n/useText';

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  value: Decimal;
  onChange: (value: Decimal) => void;
  /** Whether the value was not typed: the field is empty, and typing begins without deleting. */
  isBlank?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Number field for decimals.
 *
 * The text stays as typed. Text that is not a number is the field's value, too, and `useDecimalRule` refuses it. If
 * it can be read as two numbers, the field asks which one.
 */
export function DecimalInput(props: Props) {
  const { value, onChange, isBlank = false, error, onFocus, onBlur, className, ref, ...rest } = props;
  const t = useText();
  const locale = useNumberLocale();
  const text = isBlank ? '' : written(value, locale);
  const unsaid = isBlank ? value : null;
  const [shown, setShown] = useState({ text, value, locale, unsaid });
  const field = useRef<HTMLInputElement>(null);

  if (shown.value !== value || shown.locale !== locale) setShown({ text, value, locale, unsaid });

  function show(text: string, next: Decimal) {
    setShown({ ...shown, text, value: next });
    onChange(next);
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
        error={(either && t('form.whichNumber', writtenOut(value, either, locale))) || error}
        onChange={({ currentTarget: { value: text }, nativeEvent }: ChangeEvent<HTMLInputElement>) =>
          // A scan that was typed into the empty field was taken out again: the value is what it was.
          show(text, text === '' && !(nativeEvent instanceof InputEvent) ? shown.unsaid : readDecimal(text))
        }
        onFocus={(event) => {
          event.currentTarget.select();
          onFocus?.(event);
        }}
        onBlur={(event) => {
          // Show the number as it was understood.
          if (typeof value === 'number' && shown.text !== '')
            setShown({ ...shown, text: writeDecimal(value, locale) });
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

/** Return a `useForm` rule: a number is required. */
export function useDecimalRule() {
  const t = useText();
  const locale = useNumberLocale();
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
