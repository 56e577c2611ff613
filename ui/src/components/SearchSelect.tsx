import { Combobox, Text, TextInput, type TextInputProps, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Combobox.css';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useState } from 'react';
import { useText } from '@/i18n/useText';
import classes from './SearchSelect.module.css';

interface Found<Item> {
  /** What was found for the words of this moment; undefined while they are looked for. */
  currentData?: { items: Item[]; meta: { total: number } };
  isError: boolean;
}

interface Props<Item> extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  /** The id of the chosen item. */
  value: number | null;
  onChange: (id: number | null, item: Item | null) => void;
  /** The hook that asks the server: `(q, skip) => useListPatientsQuery({ q }, { skip })`. */
  useFound: (q: string | undefined, skip: boolean) => Found<Item>;
  nameOf: (item: Item) => string;
  /** Beside the name in the list: what tells those apart who have the same one. */
  noteOf?: (item: Item) => ReactNode;
  /** The name of `value` when it was not chosen here, but long ago. */
  valueName?: string;
  /** For how long typing must rest before the server is asked, in milliseconds. */
  wait?: number;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Choose one of more than fit into a list: the server searches while one types. Whoever types anew has chosen nothing
 * until an item is taken, so that nobody saves the patient before the one whom the field seems to name.
 */
export function SearchSelect<Item extends { id: number }>({
  value,
  onChange,
  useFound,
  nameOf,
  noteOf,
  valueName = '',
  wait = 300,
  onBlur,
  onKeyDown,
  ...rest
}: Props<Item>) {
  const t = useText();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [chosen, setChosen] = useState<Item | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [asked, setAsked] = useState('');
  const ask = useDebouncedCallback(setAsked, wait);
  const found = useFound(asked || undefined, !combobox.dropdownOpened);
  const items = (typed ?? '').trim() === asked ? found.currentData?.items : undefined;
  const more = items && found.currentData ? found.currentData.meta.total - items.length : 0;
  const name = value === null ? '' : chosen?.id === value ? nameOf(chosen) : valueName;

  // Enter takes the best match of what was typed, and nothing when nothing was.
  const { dropdownOpened, selectFirstOption, resetSelectedOption } = combobox;
  const best = typed?.trim() ? items?.[0] : undefined;
  useEffect(() => {
    if (!dropdownOpened) return;
    if (best) selectFirstOption();
    else resetSelectedOption();
  }, [best, dropdownOpened, selectFirstOption, resetSelectedOption]);

  function stopTyping() {
    setTyped(null);
    ask('');
    ask.flush();
  }

  function choose(id: string) {
    const item = items?.find((one) => String(one.id) === id);
    if (!item) return;
    setChosen(item);
    onChange(item.id, item);
    stopTyping();
    combobox.closeDropdown();
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') {
      event.preventDefault(); // it takes an item, it never sends the form
      combobox.openDropdown();
      ask.flush();
    }
    onKeyDown?.(event);
  }

  const state = items
    ? items.length === 0 && t('select.none')
    : t(found.isError ? 'error.unreachable' : 'select.wait');
  return (
    <Combobox store={combobox} onOptionSubmit={choose} hideDetached={false}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          placeholder={t('select.placeholder')}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          spellCheck={false}
          {...rest}
          value={typed ?? name}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            if (value !== null) onChange(null, null);
            combobox.openDropdown();
            ask(text.trim());
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={press}
          onBlur={(event) => {
            combobox.closeDropdown();
            stopTyping();
            onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options className={classes.options} aria-label={t('select.placeholder')}>
          {items?.map((item) => (
            <Combobox.Option
              key={item.id}
              value={String(item.id)}
              active={item.id === value}
              aria-selected={item.id === value}
              className={classes.option}
            >
              <span>{nameOf(item)}</span>
              {noteOf && (
                <Text span size="sm" c="dimmed">
                  {noteOf(item)}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {state && <Combobox.Empty>{state}</Combobox.Empty>}
        </Combobox.Options>
        {more > 0 && <Combobox.Footer className={classes.more}>{t('select.more', { more })}</Combobox.Footer>}
      </Combobox.Dropdown>
      <VisuallyHidden role="status">{dropdownOpened && (state || (best && nameOf(best)))}</VisuallyHidden>
    </Combobox>
  );
}
