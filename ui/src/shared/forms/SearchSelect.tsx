import { Combobox, TextInput, type TextInputProps, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback, useMergedRef } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useText } from '@/i18n/useText';
import { ScanDetector } from '@/symbols/scanDetector';
import { duplicateNames } from './duplicateNames';
import classes from './SearchSelect.module.css';
import { SearchTextContext } from './searchText';

interface Found<Item> {
  /** Results for the current text; undefined while they load. */
  currentData?: { items: Item[]; nearest?: Item[]; exact?: number; meta: { total: number } };
  /** Results from the device, without waiting. The server's results keep the first one in its place. */
  atOnce?: Item[];
  isError: boolean;
}

/** The current text before the debounce, and the items listed at first. */
export interface Typed<Item> {
  text: string;
  usual: Item[];
}

export interface SearchSelectProps<Item>
  extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  /** The id of the chosen item. */
  value?: number | null;
  onChange: (id: number | null, item: Item | null) => void;
  /** Hook that queries the server: `(q, skip) => useListPatientsQuery({ q, limit }, { skip })`. */
  useFound: (q: string | undefined, skip: boolean, typed: Typed<Item>) => Found<Item>;
  nameOf: (item: Item) => string;
  /** Text before the name in the list, such as the quantity that would be recorded. */
  leadOf?: (item: Item) => string | false;
  /** A picture before the name in the list, in a box of fixed size. */
  pictureOf?: (item: Item) => ReactNode;
  /** Text beside the name in the list, to distinguish items of the same name. */
  noteOf?: (item: Item) => ReactNode;
  /** The name of an initial `value`, which was not chosen here. */
  valueName?: string;
  /** Whether the text identifies this item, such as its code. Scanned or pasted, it is taken at once. */
  isExact?: (item: Item, text: string) => boolean;
  /** Whether the item is only a suggestion for that text: Enter takes it only once it is selected with the arrows. */
  isUncertain?: (item: Item, text: string) => boolean;
  /** Whether Enter only takes the item that the server calls exact. Others must be selected. */
  takesExactOnly?: boolean;
  /** A code that was scanned elsewhere, to search here: taken at once, or only offered while another item is chosen. */
  scanned?: Scanned | null;
  /** The most frequent items. They are listed before typing, and typing their number chooses them. */
  usual?: Item[];
  /** Create a missing item with the name that was typed. */
  create?: { label: (text: string) => string; run: (text: string) => void; onlyWhereNoneIs?: boolean };
  /** Text for no results. */
  noneFound?: string;
  /** Called with each text that has no results. */
  onNoneFound?: (text: string) => void;
  /** Whether the list opens when the field appears. */
  opensAtOnce?: boolean;
  /** Debounce delay before the server is queried, in milliseconds. */
  wait?: number;
  ref?: Ref<HTMLInputElement>;
  control?: Ref<SearchControl>;
  /** Who recognizes scans: the field, which is the default with `isExact`, or the page. */
  'data-scan'?: 'own' | 'bar';
}

/** Imperative handle, for components that see keys before the field. */
export interface SearchControl {
  /** Discard the text and show the chosen item again. */
  clear: () => void;
  /** Search as if the text had been typed and Enter pressed. */
  search: (text: string) => void;
  /** Append to the text, unless the browser already has. */
  append: (character: string) => void;
}

export interface Scanned {
  code: string;
  take: boolean;
}

/** The value of the option that creates an item. */
const CREATE = 'create';

const none: never[] = [];

const fold = (name: string) => name.trim().toLocaleLowerCase();

/**
 * Selector with server-side search, for more items than fit into a list.
 *
 * Typing clears the value until an item is chosen, so that no form is saved with the previous patient while the field
 * shows another name.
 */
export function SearchSelect<Item extends { id: number }>({
  value = null,
  onChange,
  useFound,
  nameOf,
  leadOf,
  pictureOf,
  noteOf,
  valueName = '',
  isExact,
  isUncertain,
  takesExactOnly = false,
  scanned,
  usual = none,
  create,
  noneFound,
  onNoneFound,
  opensAtOnce,
  wait = 300,
  onBlur,
  onKeyDown,
  ref,
  control,
  'data-scan': scanField = isExact && 'own',
  ...rest
}: SearchSelectProps<Item>) {
  const t = useText();
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setPointed(false);
    },
  });
  const [chosen, setChosen] = useState<Item | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [given, setGiven] = useState(value);
  const [asked, setAsked] = useState('');
  /**
   * Enter was pressed before the response (`enter`), a scanner is typing (`scan`), or the scanned text is complete
   * (`code`): take an unambiguous item as soon as the response arrives.
   */
  const [hurry, setHurry] = useState<'enter' | 'scan' | 'code' | null>(null);
  /** Enter took nothing, because several items match. */
  const [undecided, setUndecided] = useState(false);
  /** An arrow key opened the list, so the first frequent item is selected. */
  const [pointed, setPointed] = useState(false);
  if (given !== value) {
    setGiven(value);
    // Chosen elsewhere, as by a scan: a text that was typed for another item is over.
    if (value !== null && value !== chosen?.id) setTyped(null);
  }
  const ask = useDebouncedCallback(setAsked, wait);
  const [detector] = useState(() => new ScanDetector());
  const scanning = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const askScanned = useDebouncedCallback(() => {
    setHurry('scan');
    ask.flush();
  }, 60);
  const text = (typed ?? '').trim();
  const offering = text === '' && usual.length > 0;
  const numbered = /^\d\d?$/.test(text) ? usual[Number(text) - 1] : undefined;
  const typing = text !== '' && asked === '';
  const found = useFound(asked || undefined, !combobox.dropdownOpened || offering || typing, { text, usual });
  const answer = text === asked ? found.currentData : undefined;
  const atOnce = found.atOnce?.length ? found.atOnce : undefined;
  const items = offering ? usual : (answer?.items ?? atOnce);
  /** Suggestions if nothing has that name. Enter alone never takes them. */
  const nearest = items?.length === 0 ? (answer?.nearest ?? []) : [];
  const more = !offering && answer ? answer.meta.total - answer.items.length : 0;
  const name = value === null ? '' : chosen?.id === value ? nameOf(chosen) : valueName;

  // Enter takes the best match of the text, and nothing without a text.
  const { dropdownOpened, selectFirstOption, resetSelectedOption } = combobox;
  const options = numbered ? [numbered, ...(items ?? []).filter(({ id }) => id !== numbered.id)] : items;
  // Nothing else can be meant if only one item is listed.
  const isSingle = answer?.items.length === 1 && answer.meta.total === 1;
  const isDoubtful = (item: Item) =>
    takesExactOnly ? item.id !== answer?.exact && !isSingle : isUncertain?.(item, text);
  const unlessUncertain = (item: Item | undefined) => (item && text && isDoubtful(item) ? undefined : item);
  const best = numbered ?? (text || pointed ? unlessUncertain(options?.[0]) : undefined);
  const isMissing = create?.onlyWhereNoneIs
    ? items?.length === 0 && text !== ''
    : !items?.some((item) => fold(nameOf(item)) === fold(text));
  const creatable = create && items && isMissing;
  const onlyCreatable = Boolean(creatable && text && items.length === 0 && nearest.length === 0);
  // Not when the server only adds details to the same item: the user may have moved on with an arrow key.
  const pointsAt = best || onlyCreatable ? `${best?.id} ${text}` : '';
  useEffect(() => {
    if (!dropdownOpened) return;
    if (pointsAt) selectFirstOption();
    else resetSelectedOption();
  }, [pointsAt, dropdownOpened, selectFirstOption, resetSelectedOption]);

  const missing = answer?.items.length === 0 ? text : '';
  const tellMissing = useEffectEvent((words: string) => onNoneFound?.(words));
  useEffect(() => {
    if (missing) tellMissing(missing);
  }, [missing]);

  const exact = isExact && text ? items?.find((item) => isExact(item, text)) : undefined;
  const certain =
    exact ??
    (hurry === 'enter' && text && (takesExactOnly || answer?.items.length === 1)
      ? unlessUncertain(answer?.items[0])
      : undefined);
  const answered = answer?.items.length;
  useEffect(() => {
    if (!hurry || (!certain && answered === undefined)) return;
    setHurry(null);
    if (certain) take(certain);
    else if (takesExactOnly && answered) setUndecided(true);
    else if (answered === 0 && hurry !== 'scan') input.current?.select(); // the next input replaces it
  }, [hurry, certain, answered, takesExactOnly]);

  function stopTyping() {
    setTyped(null);
    setUndecided(false);
    setHurry(null);
    askScanned.cancel();
    ask('');
    ask.flush();
  }

  useImperativeHandle(control, () => ({
    clear: () => {
      stopTyping();
      combobox.closeDropdown();
    },
    search: (words) => {
      input.current?.focus();
      setTyped(words);
      setHurry('enter');
      if (value !== null) onChange(null, null);
      combobox.openDropdown();
      ask(words);
      ask.flush();
    },
    append: (character) => {
      if (typed !== null && !typed.endsWith(character)) setTyped(typed + character);
    },
  }));

  function takeItem(item: Item) {
    setChosen(item);
    stopTyping();
    combobox.closeDropdown();
    onChange(item.id, item);
  }
  const take = useEffectEvent(takeItem);

  function choose(id: string) {
    if (id === CREATE) {
      stopTyping();
      combobox.closeDropdown();
      create?.run(text);
      return;
    }
    const item = [...(options ?? []), ...nearest].find((one) => String(one.id) === id);
    if (item) takeItem(item);
  }

  const open = useEffectEvent(combobox.openDropdown);
  useEffect(() => {
    if (opensAtOnce) open();
  }, [opensAtOnce]);

  const lookFor = useEffectEvent(({ code, take: atOnce }: Scanned) => {
    input.current?.focus();
    setTyped(code);
    setHurry(atOnce ? 'code' : null);
    combobox.openDropdown();
    ask(code);
    ask.flush();
  });
  useEffect(() => {
    if (scanned) lookFor(scanned);
  }, [scanned]);

  function type(event: ChangeEvent<HTMLInputElement>) {
    const { value: next } = event.currentTarget;
    const { inputType } = event.nativeEvent as InputEvent;
    setTyped(next);
    setUndecided(false);
    setHurry(null);
    if (value !== null) onChange(null, null);
    combobox.openDropdown();
    ask(next.trim());
    if (isExact && (scanning.current || inputType === 'insertFromPaste')) askScanned();
    else askScanned.cancel();
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    // In other fields, the page listens for scans: one key must not be read by two rules.
    const ends = scanField === 'own' && detector.isSuffix(event);
    scanning.current = scanField === 'own' && detector.press(event) === 'scanned';
    // Only the list closes.
    if (event.key === 'Escape' && dropdownOpened) event.preventDefault();
    if (event.key === 'ArrowDown' && offering && !dropdownOpened) setPointed(true);
    if (event.key === 'Enter' || ends) {
      event.preventDefault(); // Enter takes an item and never submits the form
      combobox.openDropdown();
      askScanned.cancel();
      ask.flush();
      if (typed !== null && !items) setHurry('enter');
      else if (text && !best && ((takesExactOnly && items?.length) || nearest.length)) setUndecided(true);
    }
    onKeyDown?.(event);
  }

  const state = items
    ? items.length === 0
      ? nearest.length > 0
        ? undecided
          ? t('select.choose', { count: nearest.length })
          : t('select.nearest')
        : (noneFound ?? t('select.none'))
      : undecided && t('select.choose', { count: items.length + Math.max(0, more) })
    : t(found.isError ? 'error.unreachable' : 'select.wait');
  /** What an empty field says: it waits, there is nothing to choose from, or one has to be chosen. */
  const placeholder =
    !dropdownOpened || text || found.isError
      ? 'select.placeholder'
      : !items
        ? 'select.wait'
        : items.length === 0
          ? 'select.none'
          : 'select.placeholder';
  const isDuplicate = duplicateNames(
    [...(options ?? []), ...nearest].map((item) => ({ id: item.id, name: nameOf(item) })),
  );
  const option = (item: Item, number?: ReactNode) => (
    <Combobox.Option
      key={item.id}
      value={String(item.id)}
      active={item.id === value}
      aria-selected={item.id === value}
      className={classes.option}
    >
      {pictureOf?.(item)}
      <span className={classes.text}>
        <span>
          {number}
          {leadOf?.(item) && <b>{`${leadOf(item)} `}</b>}
          <span>{nameOf(item)}</span>
        </span>{' '}
        {noteOf && (
          <span className={classes.note} data-equal={isDuplicate({ name: nameOf(item) }) || undefined}>
            <SearchTextContext value={text}>{noteOf(item)}</SearchTextContext>
          </span>
        )}
      </span>
    </Combobox.Option>
  );
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      position="bottom-start"
      hideDetached={false}
      withinPortal={false}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          placeholder={t(placeholder)}
          classNames={{ input: classes.input }}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          spellCheck={false}
          data-scan={scanField}
          {...rest}
          ref={useMergedRef(input, ref)}
          value={typed ?? name}
          onChange={type}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={press}
          onBlur={(event) => {
            combobox.closeDropdown();
            // A required field keeps a text without a match, to be corrected: nothing is saved without a value.
            if (rest.required && missing) setHurry(null);
            else stopTyping();
            onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Options className={classes.options} aria-label={t('select.placeholder')}>
          {options?.map((item, place) =>
            option(
              item,
              (offering || item === numbered) && (
                <span className={classes.number} aria-hidden>
                  {offering ? place + 1 : text}
                </span>
              ),
            ),
          )}
          {state && <Combobox.Empty>{state}</Combobox.Empty>}
          {nearest.map((item) => option(item))}
          {creatable && (
            <Combobox.Option value={CREATE} className={classes.create}>
              <IconPlus size={18} aria-hidden />
              <span>{create.label(text)}</span>
            </Combobox.Option>
          )}
        </Combobox.Options>
        {more > 0 && <Combobox.Footer className={classes.more}>{t('select.more', { more })}</Combobox.Footer>}
      </Combobox.Dropdown>
      <VisuallyHidden role="status">
        {dropdownOpened && (state || (best && `${leadOf?.(best) || ''} ${nameOf(best)}`.trim()))}
      </VisuallyHidden>
    </Combobox>
  );
}
