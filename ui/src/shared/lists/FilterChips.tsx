import { Button, CloseButton, Popover, Stack, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconFilter } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useText } from '@/i18n/useText';
import classes from './FilterChips.module.css';
import type { Filter } from './listFilters';
import type { ListState } from './useListState';

interface Props {
  list: ListState;
  filters: Filter[];
}

const popover = {
  position: 'bottom-start',
  trapFocus: true,
  returnFocus: true,
  hideDetached: false,
  shadow: 'md',
  // Mantine would also close it on an Escape that closes a list or a calendar in it.
  closeOnEscape: false,
} as const;

const onEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.preventDefault();
  close();
};

/**
 * Chips of the active filters, each with a button to remove it.
 *
 * With enough room, also chips of the other filters.
 */
export function FilterChips({ list, filters }: Props) {
  return (
    <div className={classes.chips} data-any={filters.some(isOn) || undefined}>
      {filters.map((filter) => (
        <Chip key={filter.name} filter={filter} list={list} />
      ))}
    </div>
  );
}

const isOn = ({ value }: Filter) => value !== undefined;

function Chip({ filter, list }: { filter: Filter; list: ListState }) {
  const t = useText();
  const { label, value, off, field, choose } = filter;
  return (
    <div className={classes.chip} data-on={isOn(filter) || undefined}>
      {choose ? (
        <span className={classes.opens}>
          <Words filter={filter} />
          {!isOn(filter) && <IconChevronDown size={16} aria-hidden />}
          {choose}
        </span>
      ) : field ? (
        <Opening filter={filter} />
      ) : (
        <Words filter={filter} />
      )}
      {isOn(filter) && (
        <CloseButton
          className={classes.off}
          iconSize={16}
          aria-label={t('list.unfilter', { label: field ? label : (value ?? label) })}
          onClick={() => list.narrow(off)}
        />
      )}
    </div>
  );
}

const Words = ({ filter: { label, value } }: { filter: Filter }) => (
  <span className={classes.words}>
    <span className={value === undefined ? undefined : classes.label}>
      {value === undefined ? label : `${label}: `}
    </span>
    {value !== undefined && <b>{value}</b>}
  </span>
);

function Opening({ filter }: { filter: Filter }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover {...popover} opened={opened} onChange={setOpened}>
      <Popover.Target>
        <UnstyledButton className={classes.opens} onClick={() => setOpened(!opened)}>
          <Words filter={filter} />
          {!isOn(filter) && <IconChevronDown size={16} aria-hidden />}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} onKeyDown={onEscape(() => setOpened(false))}>
        {filter.field?.(true, () => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Popover with all filters, for screens without room for chips. */
export function AllFilters({ list, filters }: Props) {
  const t = useText();
  const [opened, setOpened] = useState(false);
  const on = filters.filter(isOn);
  return (
    <Popover {...popover} opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.all}
          leftSection={<IconFilter size={20} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {on.length > 0 ? t('list.filtersOn', { count: on.length }) : t('list.filters')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} onKeyDown={onEscape(() => setOpened(false))}>
        <Stack gap="sm">
          {filters.map(({ name, field }) => field && <div key={name}>{field(false, () => {})}</div>)}
          <div className={classes.end}>
            <Button variant="light" onClick={() => setOpened(false)}>
              {t('action.done')}
            </Button>
            {on.length > 0 && (
              <Button
                variant="subtle"
                onClick={() => list.narrow(Object.assign({}, ...on.map(({ off }) => off)))}
              >
                {t('list.unfilterAll')}
              </Button>
            )}
          </div>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
