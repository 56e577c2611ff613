import { NativeSelect } from '@mantine/core';
import type { ChangeEvent, ReactNode } from 'react';
import type { MessageId } from '@/i18n/language';
import type { Translate } from '@/i18n/messages';
import { DateField } from '@/shared/forms/DateField';
import { SearchSelect, type SearchSelectProps } from '@/shared/forms/SearchSelect';
import classes from './FilterChips.module.css';
import type { ListState } from './useListState';

/** A filter of a list: a chip in its toolbar, and a field to choose it. */
export interface Filter {
  /** Key of the chip. */
  name: string;
  label: string;
  /** The current choice in words; undefined while it is off. */
  value: string | undefined;
  /** Search parameters that turn it off. */
  off: Record<string, ''>;
  /** Render its field, with `alone` below its own chip. `done` closes it. Filters that only links set have none. */
  field?: (alone: boolean, done: () => void) => ReactNode;
  /** A native select that covers the chip, for a few choices. */
  choose?: ReactNode;
}

/** A choice with a label of the client, or with the server's words. */
type Choice =
  | { value: string; text: string }
  | {
      value: string;
      label: MessageId;
      /** A code before the label, such as that of an event. */
      code?: string;
    };

function wordsOf(t: Translate, choice: Choice) {
  if ('text' in choice) return choice.text;
  return choice.code ? `${choice.code} · ${t(choice.label)}` : t(choice.label);
}

interface Choices {
  list: ListState;
  /** The search parameter. */
  name: string;
  label: MessageId;
  /** The option for no choice, such as all states. */
  all: MessageId;
  choices: Choice[];
  /** Filters that this one resets when it changes. */
  clears?: string[];
}

/** Return the chosen value, or undefined if the address has an unknown one. */
export const choiceAmong = (choices: Choices['choices'], chosen: string | undefined) =>
  choices.some(({ value }) => value === chosen) ? chosen : undefined;

const emptied = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<string, ''>;

/** Create a filter with a few choices. */
export function choiceFilter(
  t: Translate,
  { list, name, label, all, choices, clears = [] }: Choices,
): Filter {
  const value = choiceAmong(choices, list.filter(name));
  const chosen = choices.find((one) => one.value === value);
  const off = emptied([...clears, name]);
  const select = {
    data: [{ value: '', label: all }, ...choices].map((one) => ({
      value: one.value,
      label: wordsOf(t, one),
    })),
    value: value ?? '',
    onChange: (event: ChangeEvent<HTMLSelectElement>) =>
      list.narrow({ ...off, [name]: event.currentTarget.value }),
  };
  return {
    name,
    label: t(label),
    value: chosen && wordsOf(t, chosen),
    off,
    field: () => <NativeSelect label={t(label)} {...select} />,
    choose: (
      <select
        aria-label={t(label)}
        className={classes.select}
        value={select.value}
        onChange={select.onChange}
      >
        {select.data.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    ),
  };
}

interface Searched<Item>
  extends Pick<SearchSelectProps<Item>, 'useFound' | 'nameOf' | 'noteOf' | 'valueName'> {
  list: ListState;
  /** The search parameter of the chosen id. */
  name: string;
  label: string;
  /** The placeholder for no choice, such as all areas. */
  all: string;
}

/** Create a filter by one of many records, such as products by category. */
export function searchFilter<Item extends { id: number }>({
  list,
  name,
  label,
  all,
  ...rest
}: Searched<Item>): Filter {
  const value = list.filterId(name) ?? null;
  return {
    name,
    label,
    value: value === null ? undefined : rest.valueName || '…',
    off: emptied([name]),
    field: (alone, done) => (
      <SearchSelect<Item>
        {...rest}
        label={label}
        placeholder={all}
        opensAtOnce={alone}
        value={value}
        onChange={(id) => {
          // Typing clears the selector, which is not yet a choice.
          if (id === null) return;
          list.narrow({ [name]: String(id) });
          done();
        }}
      />
    ),
  };
}

interface Days {
  list: ListState;
  label: MessageId;
  from: MessageId;
  to: MessageId;
  format: { day: (day: string) => string };
  /** The default period, if none is chosen. */
  usual?: { from: string; to: string };
}

/** Create a filter by a period; both days are included. */
export function daysFilter(t: Translate, { list, label, from, to, format, usual }: Days): Filter {
  const first = list.from && format.day(list.from);
  const last = list.to && format.day(list.to);
  return {
    name: 'days',
    label: t(label),
    value:
      first && last
        ? first === last
          ? first
          : `${first} – ${last}`
        : first
          ? t('list.since', { day: first })
          : last && t('list.until', { day: last }),
    off: emptied(['from', 'to']),
    field: () => (
      <div className={classes.days}>
        <DateField
          label={t(from)}
          value={list.from ?? usual?.from ?? null}
          maxDate={list.to}
          onChange={(day) => list.narrow({ from: day ?? '' })}
        />
        <DateField
          label={t(to)}
          value={list.to ?? usual?.to ?? null}
          minDate={list.from}
          onChange={(day) => list.narrow({ to: day ?? '' })}
        />
      </div>
    ),
  };
}
