import { Combobox, TextInput, type TextInputProps, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback, useMergedRef } from '@mantine/hooks';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Combobox.css';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
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
import { ScanDetector } from '@/scan/scanDetector';
import { duplicateNames } from './duplicateNames';
import classes from './SearchSelect.module.css';
import { SearchTextContext } from './searchText';

interface Found<Item> {
  /** What was found for the words of this moment; undefined while they are looked for. */
  currentData?: { items: Item[]; nearest?: Item[]; exact?: number; meta: { total: number } };
  /** What is known without the server for what is typed; the server's answer leaves it in its place. */
  atOnce?: Item[];
  isError: boolean;
}

/** What stands in the field at this moment, before typing has rested, and what is offered before anything is typed. */
export interface Typed<Item> {
  text: string;
  usual: Item[];
}

export interface SearchSelectProps<Item>
  extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  /** The id of the chosen item. */
  value?: number | null;
  onChange: (id: number | null, item: Item | null) => void;
  /** The hook that asks the server: `(q, skip) => useListPatientsQuery({ q, limit }, { skip })`. */
  useFound: (q: string | undefined, skip: boolean, typed: Typed<Item>) => Found<Item>;
  nameOf: (item: Item) => string;
  /** Before the name in the list, such as how much of it would be taken. */
  leadOf?: (item: Item) => string | false;
  /** Beside the name in the list: what tells those apart who have the same one. */
  noteOf?: (item: Item) => ReactNode;
  /** The name of `value` when it was not chosen here, but long ago. */
  valueName?: string;
  /** Whether the text can mean this item alone, such as its code: scanned or pasted, it is taken at once. */
  isExact?: (item: Item, text: string) => boolean;
  /** Whether the item is only offered for that text: Enter takes it only after it was pointed at. */
  isUncertain?: (item: Item, text: string) => boolean;
  /** Whether Enter takes only the one that the server calls exact; of others one is to be pointed at. */
  takesExactOnly?: boolean;
  /** A code that was scanned elsewhere, looked for here: taken at once, or only offered, as what was chosen stands. */
  scanned?: Scanned | null;
  /** What is chosen most: listed before anything is typed, each meant by its number as well. */
  usual?: Item[];
  /** How to make what is not among them, under the name that was typed. */
  create?: { label: (text: string) => string; run: (text: string) => void; onlyWhereNoneIs?: boolean };
  /** What to say when there is none of that name. */
  noneFound?: string;
  /** Hears each text for which there is none. */
  onNoneFound?: (text: string) => void;
  /** Whether its list is there as soon as it is. */
  opensAtOnce?: boolean;
  /** For how long typing must rest before the server is asked, in milliseconds. */
  wait?: number;
  ref?: Ref<HTMLInputElement>;
  control?: Ref<SearchControl>;
}

/** What can be done to what is being typed, by who hears the keys before the field does. */
export interface SearchControl {
  /** What is typed is gone, and what is chosen shown again. */
  clear: () => void;
  /** As if it had been typed, and Enter pressed. */
  search: (text: string) => void;
  /** Behind what is typed, unless the browser did it already. */
  append: (character: string) => void;
}

export interface Scanned {
  code: string;
  take: boolean;
}

/** The option that is no item. */
const CREATE = 'create';

const none: never[] = [];

const fold = (name: string) => name.trim().toLocaleLowerCase();

/**
 * Choose one of more than fit into a list: the server searches while one types. Whoever types anew has chosen nothing
 * until an item is taken, so that nobody saves the patient before the one whom the field seems to name.
 */
export function SearchSelect<Item extends { id: number }>({
  value = null,
  onChange,
  useFound,
  nameOf,
  leadOf,
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
  const [asked, setAsked] = useState('');
  /**
   * Enter came before the answer (`enter`), a scanner is at it (`scan`), or this is all that was scanned (`code`): what
   * is certain is taken on arrival.
   */
  const [hurry, setHurry] = useState<'enter' | 'scan' | 'code' | null>(null);
  /** Enter took nothing, as several may be meant. */
  const [undecided, setUndecided] = useState(false);
  /** An arrow opened the list, so it points at the first of the usual ones. */
  const [pointed, setPointed] = useState(false);
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
  /** What may have been meant where there is none of that name: merely offered, never taken by Enter alone. */
  const nearest = items?.length === 0 ? (answer?.nearest ?? []) : [];
  const more = !offering && answer ? answer.meta.total - answer.items.length : 0;
  const name = value === null ? '' : chosen?.id === value ? nameOf(chosen) : valueName;

  // Enter takes the best match of what was typed, and nothing when nothing was.
  const { dropdownOpened, selectFirstOption, resetSelectedOption } = combobox;
  const options = numbered ? [numbered, ...(items ?? []).filter(({ id }) => id !== numbered.id)] : items;
  const isDoubtful = (item: Item) => (takesExactOnly ? item.id !== answer?.exact : isUncertain?.(item, text));
  const unlessUncertain = (item: Item | undefined) => (item && text && isDoubtful(item) ? undefined : item);
  const best = numbered ?? (text || pointed ? unlessUncertain(options?.[0]) : undefined);
  const isMissing = create?.onlyWhereNoneIs
    ? items?.length === 0 && text !== ''
    : !items?.some((item) => fold(nameOf(item)) === fold(text));
  const creatable = create && items && isMissing;
  const onlyCreatable = Boolean(creatable && text && items.length === 0 && nearest.length === 0);
  // Not again when the server tells more of the same item: an arrow may have gone on to another one.
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
    else if (answered === 0 && hurry !== 'scan') input.current?.select(); // what is typed or scanned next takes its place
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
    const ends = isExact && detector.isSuffix(event);
    scanning.current = detector.press(event) === 'scanned';
    if (event.key === 'ArrowDown' && offering && !dropdownOpened) setPointed(true);
    if (event.key === 'Enter' || ends) {
      event.preventDefault(); // it takes an item, it never sends the form
      combobox.openDropdown();
      askScanned.cancel();
      ask.flush();
      if (typed !== null && !items) setHurry('enter');
      else if (takesExactOnly && text && !best && items?.length) setUndecided(true);
    }
    onKeyDown?.(event);
  }

  const state = items
    ? items.length === 0
      ? nearest.length > 0
        ? t('select.nearest')
        : (noneFound ?? t('select.none'))
      : undecided && t('select.choose')
    : t(found.isError ? 'error.unreachable' : 'select.wait');
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
          placeholder={t('select.placeholder')}
          classNames={{ input: classes.input }}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          spellCheck={false}
          data-scan={isExact ? 'own' : undefined}
          {...rest}
          ref={useMergedRef(input, ref)}
          value={typed ?? name}
          onChange={type}
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
