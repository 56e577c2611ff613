import { TextInput, type TextInputProps } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';
import { useIntl } from 'react-intl';
import { decimalMark, parseDecimal } from '@/i18n/decimal';

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  value: number | null;
  onChange: (value: number | null) => void;
}

/**
 * Every number that a person types. Either mark on the keyboard writes the language's decimal mark (a number pad has
 * only one of them); what is pasted is read as a whole, thousands included. There is no minus: nothing here is negative.
 */
export function DecimalInput({ value, onChange, ...rest }: Props) {
  const { locale } = useIntl();
  const mark = decimalMark(locale);
  const [shown, setShown] = useState({ text: written(value, mark), mark });

  let text = shown.text;
  if (shown.mark !== mark || numberIn(text, mark) !== value) {
    text = written(value, mark);
    setShown({ text, mark });
  }

  function show(next: string) {
    setShown({ text: next, mark });
    onChange(numberIn(next, mark));
  }

  function change(event: ChangeEvent<HTMLInputElement>) {
    const field = event.currentTarget;
    const { inputType, data } = event.nativeEvent as InputEvent;
    if (inputType === 'insertText' && (data === ',' || data === '.')) {
      const caret = field.selectionStart ?? field.value.length;
      const before = field.value.slice(0, caret - 1).replace(mark, '');
      const after = field.value.slice(caret).replace(mark, '');
      show(before + mark + after);
      const position = before.length + 1;
      requestAnimationFrame(() => field.setSelectionRange(position, position));
    } else if (inputType?.startsWith('insertText') || inputType?.startsWith('delete')) {
      show(field.value.replace(/[^\d,.]/g, ''));
    } else if (field.value.trim() === '') {
      show('');
    } else {
      const number = parseDecimal(field.value, locale);
      if (number !== null) show(written(number, mark));
    }
  }

  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={change}
      onFocus={(event) => event.currentTarget.select()}
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
