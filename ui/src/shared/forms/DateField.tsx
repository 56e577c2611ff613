import { DateInput, type DateInputProps, type DayOfWeek } from '@mantine/dates';
import { useMemo, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { type DateOrder, registerCalendar } from '@/i18n/calendar';
import { useText } from '@/i18n/useText';
import classes from './DateField.module.css';

interface Props extends Omit<DateInputProps, 'value' | 'onChange'> {
  value?: string | null;
  onChange?: (value: string | null) => void;
  /**
   * Keep unreadable text as the value and report it, so that a form with `useDayRule` is not saved. Otherwise the
   * field restores the previous day, as in a filter.
   */
  keepsText?: boolean;
}

/**
 * Date field, typed (21/11/2026, 21112026) or picked.
 *
 * Its value is `YYYY-MM-DD`, like the server's days.
 */
export function DateField({
  keepsText,
  value,
  onChange,
  error,
  onFocus,
  onBlur,
  onKeyDown,
  ...props
}: Props) {
  const { locale } = useIntl();
  const t = useText();
  const [typing, setTyping] = useState(false);
  const isOpen = useRef(false);
  const { form, order } = useMemo(() => registerCalendar(locale), [locale]);
  const read = (text: string) => readDay(text, order);
  const readable = !value || isDay(value);
  return (
    <DateInput
      locale={locale}
      firstDayOfWeek={Number(t('date.firstDay')) as DayOfWeek}
      valueFormat={form}
      placeholder={t('date.placeholder')}
      dateParser={read}
      value={readable ? value : null}
      onChange={onChange}
      onInput={({ currentTarget: { value: text } }) => {
        if (keepsText && text.trim() && !read(text)) onChange?.(text);
      }}
      fixOnBlur={readable}
      error={error || (!readable && !typing && t('date.unreadable', { form: t('date.placeholder') }))}
      onFocus={(event) => {
        setTyping(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setTyping(false);
        onBlur?.(event);
      }}
      clearable
      hideOutsideDates
      classNames={{ day: classes.day }}
      size="md"
      popoverProps={{
        withinPortal: false,
        onOpen: () => {
          isOpen.current = true;
        },
        onClose: () => {
          isOpen.current = false;
        },
      }}
      onKeyDown={(event) => {
        // Only the calendar closes.
        if (event.key === 'Escape' && isOpen.current) event.preventDefault();
        onKeyDown?.(event);
      }}
      // The calendar opens below the field, so the error is above it.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      // Users can clear the field by typing, so the button is skipped by Tab.
      clearButtonProps={{ 'aria-label': t('date.clear'), tabIndex: -1 }}
      ariaLabels={{
        nextMonth: t('date.nextMonth'),
        previousMonth: t('date.previousMonth'),
        nextYear: t('date.nextYear'),
        previousYear: t('date.previousYear'),
        nextDecade: t('date.nextDecade'),
        previousDecade: t('date.previousDecade'),
        monthLevelControl: t('date.changeMonth'),
        yearLevelControl: t('date.changeYear'),
      }}
      {...props}
    />
  );
}

/** Return a `useForm` rule: empty, or a valid day. */
export function useDayRule() {
  const t = useText();
  return (value: string | null) =>
    value && !isDay(value) ? t('date.unreadable', { form: t('date.placeholder') }) : null;
}

/** Return the day of a date with or without a time, for form values. */
export const withoutTime = (value: string) =>
  /^\d{4}-\d\d-\d\d[T ]/.test(value) ? value.slice(0, 10) : value;

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value);

export function readDay(text: string, order: DateOrder): string | null {
  const iso = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text.trim());
  const local = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$|^(\d{2})(\d{2})(\d{4})$/.exec(text.trim());
  const [first, second, year] = local ? local.slice(1).filter((part) => part !== undefined) : [];
  const parts = iso
    ? [iso[1], iso[2], iso[3]]
    : order === 'day'
      ? [year, second, first]
      : [year, first, second];
  if (parts.some((part) => part === undefined)) return null;
  const [y, m, d] = parts.map(Number) as [number, number, number];
  const date = new Date(Date.UTC(y, m - 1, d));
  const real = date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
  return real ? date.toISOString().slice(0, 10) : null;
}
