import { CloseButton } from '@mantine/core';
import { useText } from '@/i18n/useText';
import classes from './ListToolbar.module.css';
import { SearchSelect, type SearchSelectProps } from './SearchSelect';
import type { ListState } from './useListState';

interface Props<Item> extends Pick<SearchSelectProps<Item>, 'useFound' | 'nameOf' | 'noteOf' | 'valueName'> {
  list: ListState;
  /** Under which name the chosen id stands in the address. */
  name: string;
  label: string;
  /** What the empty field means, such as all areas. */
  all: string;
}

/** Narrows a list to what belongs to one of many things, such as the products of a category. */
export function SearchFilter<Item extends { id: number }>({ list, name, label, all, ...rest }: Props<Item>) {
  const t = useText();
  const value = list.filterId(name) ?? null;
  return (
    <SearchSelect<Item>
      {...rest}
      className={classes.filter}
      label={label}
      placeholder={all}
      value={value}
      onChange={(id) => list.narrow({ [name]: id === null ? '' : String(id) })}
      {...(value !== null && {
        rightSection: (
          <CloseButton
            aria-label={t('list.unfilter', { label })}
            onClick={() => list.narrow({ [name]: '' })}
          />
        ),
        rightSectionPointerEvents: 'all',
        rightSectionWidth: 'var(--touch)',
      })}
    />
  );
}
