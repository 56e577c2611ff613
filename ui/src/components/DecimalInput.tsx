import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { decimalMark, parseDecimal } from '@/i18n/decimal';

interface Shown {
  text: string;
  mark: string;
  /** Where the next character goes, after a mark was put in the place of the typed one. */
  caret?: number;
}

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  value: number | null;
  onChange: (value: number | null) => void;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Every number that a person types. Either mark on the keyboard writes the language's decimal mark (a number pad has
 * only one of them); what is pasted is read as a whole, thousands included. There is no minus: nothing here is negative.
 */
export function DecimalInput({ value, onChange, onFocus, ref, ...rest }: Props) {
  const { locale } = useIntl();
  const mark = decimalMark(locale);
  const [shown, setShown] = useState<Shown>({ text: written(value, mark), mark });
  const field = useRef<HTMLInputElement>(null);

  let text = shown.text;
  if (shown.mark !== mark || numberIn(text, mark) !== value) {
    text = written(value, mark);
    setShown({ text, mark });
  }

  useLayoutEffect(() => {
    if (shown.caret !== undefined) field.current?.setSelectionRange(shown.caret, shown.caret);
  }, [shown]);

  function show(next: string, caret?: number) {
    setShown({ text: next, mark, caret });
    onChange(numberIn(next, mark));
  }

  function change(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget;
    const { inputType, data } = event.nativeEvent as InputEvent;
    if (inputType === 'insertText' && (data === ',' || data === '.')) {
      const caret = input.selectionStart ?? input.value.length;
      const before = input.value.slice(0, caret - 1).replace(mark, '');
      const after = input.value.slice(caret).replace(mark, '');
      show(before + mark + after, before.length + 1);
    } else if ((inputType === 'insertText' && data?.length === 1) || inputType?.startsWith('delete')) {
      show(input.value.replace(/[^\d,.]/g, ''));
    } else if (inputType === 'insertCompositionText') {
      // Some touch keyboards write what is typed as a whole, again and again.
      if (/^\d*[.,]?\d*$/.test(input.value)) show(input.value.replace(/[.,]/, mark));
    } else if (input.value.trim() === '') {
      show('');
    } else {
      // Pasted, dictated, filled in by the browser: read as a whole.
      const number = parseDecimal(input.value, locale);
      if (number !== null) show(written(number, mark));
    }
  }

  return (
    <TextInput
      {...rest}
      ref={useMergedRef(field, ref)}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={change}
      onFocus={(event) => {
        event.currentTarget.select();
        onFocus?.(event);
      }}
    />
  );
}

function written(value: number | null, mark: string) {
  return value === null
    ? ''
    : value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }).replace('.', mark);
}

function numberIn(text: string, mark: string): number | null {
  return /\d/.test(text) ? Number(text.replace(mark, '.')) : null;
}
