import { NativeSelect } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import type { ChangeEvent, ReactNode } from 'react';
import type { MessageId } from '@/i18n/language';
import type { Translate } from '@/i18n/messages';
import { DateField } from './DateField';
import classes from './FilterChips.module.css';
import { SearchSelect, type SearchSelectProps } from './SearchSelect';
import type { ListState } from './useListState';

/** What narrows a list: a chip of its toolbar, and a field where it is chosen. */
export interface Filter {
  /** By what its chip is known. */
  name: string;
  label: string;
  /** What it is narrowed to, in words; undefined where it is not. */
  value: string | undefined;
  /** What the address lets go of to undo it. */
  off: Record<string, ''>;
  /** Where it is chosen, once `alone` beneath its own chip; not of what only a link narrows to. `done` closes it. */
  field?: (alone: boolean, done: () => void) => ReactNode;
  /** A select that lies over its chip: of a few choices the browser's own list. */
  choose?: ReactNode;
}

interface Choices {
  list: ListState;
  /** Under which name the choice stands in the address. */
  name: string;
  label: MessageId;
  /** What no choice means, such as all states. */
  all: MessageId;
  choices: { value: string; label: MessageId }[];
  /** The filters that mean nothing any more once this one changes. */
  clears?: string[];
}

/** The choice in force: none where the address names another. */
export const choiceAmong = (choices: Choices['choices'], chosen: string | undefined) =>
  choices.some(({ value }) => value === chosen) ? chosen : undefined;

const emptied = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<string, ''>;

/** One of a few choices. */
export function choiceFilter(
  t: Translate,
  { list, name, label, all, choices, clears = [] }: Choices,
): Filter {
  const value = choiceAmong(choices, list.filter(name));
  const chosen = choices.find((one) => one.value === value);
  const off = emptied([...clears, name]);
  const select = {
    data: [{ value: '', label: all }, ...choices].map((one) => ({ value: one.value, label: t(one.label) })),
    value: value ?? '',
    onChange: (event: ChangeEvent<HTMLSelectElement>) =>
      list.narrow({ ...off, [name]: event.currentTarget.value }),
  };
  return {
    name,
    label: t(label),
    value: chosen && t(chosen.label),
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
  /** Under which name the chosen id stands in the address. */
  name: string;
  label: string;
  /** What the empty field means, such as all areas. */
  all: string;
}

/** What belongs to one of many things, such as the products of a category. */
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
          // Typing anew is not yet a choice.
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
  /** The days that are shown where none are chosen. */
  usual?: { from: string; to: string };
}

/** What happened from one day to another, both included. */
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
