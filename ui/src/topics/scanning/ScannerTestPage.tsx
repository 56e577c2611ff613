import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useLookUpProductQuery } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { type Keystroke, KeystrokeLog, nameOf } from '@/symbols/keystrokeLog';
import { GS, ScanDetector } from '@/symbols/scanDetector';
import { type ScannerProfile, storedProfile, storeProfile } from '@/symbols/scannerProfile';
import dataMatrix from './data-matrix.svg';
import ean13 from './ean-13.svg';
import gs1128 from './gs1-128.svg';
import classes from './ScannerTestPage.module.css';

/**
 * After this pause a code without a suffix is complete, in ms.
 *
 * The suffix is Enter or Tab.
 */
const REST = 400;

/**
 * Printed symbols, with the text that a good scanner sends.
 *
 * GS1 reserves 9506000 for examples: no product has it.
 */
const symbols: { name: string; image: string; text: string; holds: MessageId }[] = [
  {
    name: 'GS1 DataMatrix',
    image: dataMatrix,
    text: `01095060001343521730123110PRUEBA7${GS}21000042`,
    holds: 'scannerTest.holdsAll',
  },
  { name: 'GS1-128', image: gs1128, text: `010950600013435210A7${GS}2142`, holds: 'scannerTest.holdsLot' },
  { name: 'EAN-13', image: ean13, text: '9506000134352', holds: 'scannerTest.holdsGtin' },
];

const PREFIX = /^\][A-Za-z][0-9A-Za-z]/;

/**
 * How scanners write a separator that they do not send.
 *
 * The server reads all of these spellings.
 */
const SPELLED = /\{GS\}|<GS>|\[GS\]|\^\]|␝/gi;

/** Test a scanner: show what it sends, and how the server interprets it. */
export default function ScannerTestPage() {
  const t = useText();
  const [strokes, setStrokes] = useState<Keystroke[]>([]);
  const [suffix, setSuffix] = useState<string | null>(null);
  const collected = useRef(new KeystrokeLog());
  const [detector] = useState(() => new ScanDetector());
  const ended = useRef(false);
  const field = useRef<HTMLInputElement>(null);

  const text = strokes.map(({ character }) => character).join('');
  const [rested] = useDebouncedValue(text, REST);
  // With a suffix, the code is complete at once.
  const whole = suffix ? text : rested === text ? text : '';

  function reset() {
    collected.current = new KeystrokeLog();
    ended.current = false;
    detector.end();
    setStrokes([]);
    setSuffix(null);
  }

  function show() {
    setStrokes([...collected.current.list]);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const { key } = event;
    const isSuffix = detector.isSuffix(event);
    if (key === 'Enter' || isSuffix) {
      event.preventDefault();
      if (collected.current.text) {
        setSuffix(key);
        ended.current = true;
      }
      return;
    }
    if (key === 'Backspace' || key === 'Delete' || key === 'Escape') {
      event.preventDefault();
      reset();
      return;
    }
    // The next scan replaces the previous one.
    if (ended.current && (key.length === 1 || event.ctrlKey)) reset();
    detector.press(event);
    if (collected.current.press(event.nativeEvent)) event.preventDefault();
    show();
  }

  function insert({ nativeEvent }: FormEvent<HTMLInputElement>) {
    const { data, inputType, timeStamp } = nativeEvent as InputEvent;
    if (inputType === 'insertFromPaste' || !data) return;
    if (ended.current) reset();
    collected.current.insert(data, timeStamp);
    show();
  }

  return (
    <Stack gap="md">
      <Text>{t('scannerTest.how')}</Text>
      <ul className={classes.symbols}>
        {symbols.map(({ name, image, holds }) => (
          <li key={name} className={classes.symbol}>
            <img src={image} alt={t('scannerTest.symbol', { name })} className={classes.image} />
            <Text fw={600}>{name}</Text>
            <Text size="sm" c="dimmed">
              {t(holds)}
            </Text>
          </li>
        ))}
      </ul>
      <Group align="flex-end">
        <TextInput
          ref={field}
          flex="1 1 16rem"
          maw="44rem"
          label={t('scannerTest.field')}
          data-scan="own"
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // Control characters are shown as visible ones.
          value={strokes.map(({ character }) => nameInPicture(character)).join('')}
          onKeyDown={press}
          onKeyUp={(event) => {
            const before = collected.current.list.length;
            collected.current.release(event.nativeEvent);
            if (collected.current.list.length !== before) show();
          }}
          onPaste={(event) => {
            event.preventDefault();
            reset();
            collected.current.insert(event.clipboardData.getData('text'), null);
            show();
          }}
          onInput={insert}
          onChange={() => {}}
        />
        <Button
          variant="default"
          leftSection={<IconRefresh size={20} aria-hidden />}
          onClick={() => {
            reset();
            field.current?.focus();
          }}
        >
          {t('scannerTest.again')}
        </Button>
      </Group>
      {whole && <KeptProfile text={whole} end={suffix} />}
      {whole && <Verdict text={withoutPrefix(whole, suffix)} />}
      {strokes.length > 0 && <ReceivedKeys strokes={strokes} suffix={suffix} />}
    </Stack>
  );
}

/** Return how the scanner sends one of the printed symbols; null if it is none of them. */
function profileOf(text: string, end: string | null): ScannerProfile | null {
  const bare = text.replaceAll(SPELLED, '').replaceAll(GS, '');
  const shown = symbols.find((symbol) => bare.endsWith(symbol.text.replaceAll(GS, '')));
  if (!shown) return null;
  const before = bare.slice(0, bare.length - shown.text.replaceAll(GS, '').length);
  const prefix = before === '' ? null : new RegExp(`${PREFIX.source}$`).test(before) ? 'aim' : before;
  return { prefix, end: end === 'Enter' || end === 'Tab' ? end : null };
}

/** Return the code without the characters that the scanner puts before each. */
function withoutPrefix(text: string, end: string | null) {
  const { prefix } = profileOf(text, end) ?? {};
  return prefix && prefix !== 'aim' ? text.slice(prefix.length) : text;
}

/** Keep for this device how its scanner sends codes, and what a prefix is good for. */
function KeptProfile({ text, end }: { text: string; end: string | null }) {
  const t = useText();
  const [kept, setKept] = useState(storedProfile);
  const profile = profileOf(text, end);
  const keep = (next: ScannerProfile | null) => {
    storeProfile(next);
    setKept(next ?? {});
  };
  const isKept = kept.end !== undefined;
  if (!profile && !isKept) return null;
  const prefix = kept.prefix === 'aim' ? ']' : kept.prefix;
  return (
    <Alert color={isKept && prefix ? undefined : 'gray'} role="status">
      <Stack gap="xs" align="flex-start">
        {profile && !profile.prefix && <Text>{t('scannerTest.addPrefix')}</Text>}
        {isKept && (
          <Text>{prefix ? t('scannerTest.kept', { prefix }) : t('scannerTest.keptWithoutPrefix')}</Text>
        )}
        <Group gap="xs">
          {profile && (
            <Button variant="default" onClick={() => keep(profile)}>
              {t('scannerTest.keep')}
            </Button>
          )}
          {isKept && (
            <Button variant="default" onClick={() => keep(null)}>
              {t('scannerTest.forget')}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Return the Unicode picture of a control character, such as `␝` for GS. */
function nameInPicture(character: string) {
  const code = character.codePointAt(0) as number;
  return code < 32 ? String.fromCodePoint(0x2400 + code) : character;
}

const isSeparated = (text: string) => text.replace(PREFIX, '').replaceAll(SPELLED, GS).includes(GS);

/** List the received characters with the time between them. */
function ReceivedKeys({ strokes, suffix }: { strokes: Keystroke[]; suffix: string | null }) {
  const t = useText();
  const format = useFormat();
  const text = strokes.map(({ character }) => character).join('');
  const times = strokes.flatMap(({ after }) => (after === null ? [] : [after]));
  const average = times.length > 0 ? times.reduce((sum, one) => sum + one, 0) / times.length : null;
  return (
    <Paper withBorder component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="arrived">
      <Title order={2} id="arrived" mb="sm">
        {t('scannerTest.arrived')}
      </Title>
      <DescriptionList>
        <DescriptionItem name={t('scannerTest.prefix')}>
          {PREFIX.exec(text)?.[0] ?? t('scannerTest.noPrefix')}
        </DescriptionItem>
        <DescriptionItem name={t('scannerTest.separator')}>
          {t(isSeparated(text) ? 'scannerTest.yes' : 'scannerTest.no')}
        </DescriptionItem>
        <DescriptionItem name={t('scannerTest.suffix')}>
          {suffix ?? t('scannerTest.noSuffix')}
        </DescriptionItem>
        <DescriptionItem name={t('scannerTest.pace')}>
          {average !== null && t('scannerTest.milliseconds', { time: format.quantity(Math.round(average)) })}
        </DescriptionItem>
        <DescriptionItem name={t('scannerTest.count')}>{format.quantity(strokes.length)}</DescriptionItem>
      </DescriptionList>
      <ol className={classes.strokes} aria-label={t('scannerTest.characters')}>
        {strokes.map(({ character, after }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
          <li key={place} className={classes.stroke} data-control={nameOf(character) ? true : undefined}>
            <code>{nameOf(character) ?? character}</code>{' '}
            <span>{after === null ? '–' : t('scannerTest.milliseconds', { time: after })}</span>
          </li>
        ))}
      </ol>
    </Paper>
  );
}

/** Show the server's interpretation, and how to configure the scanner. */
function Verdict({ text }: { text: string }) {
  const t = useText();
  const format = useFormat();
  const { currentData: told, isError } = useLookUpProductQuery({ scan: text, onlyTried: true });
  const bare = (one: string) => one.replace(PREFIX, '').replaceAll(SPELLED, '').replaceAll(GS, '');
  const shown = symbols.find((symbol) => bare(symbol.text) === bare(text));
  const lost = told?.reading?.separator_lost || (shown?.text.includes(GS) && !isSeparated(text));
  if (isError) return <Alert color="red">{t('error.unreachable')}</Alert>;
  if (!told) return null;
  const { reading, matches } = told;
  return (
    <>
      <div role="status">
        {lost && (
          <Alert color="yellow">
            <b>{`${t('scannerTest.separatorLost')}.`}</b> <span>{t('scannerTest.separatorLostHint')}</span>
          </Alert>
        )}
        {!lost && shown && (
          <Alert>
            <b>{`${t('scannerTest.good', { name: shown.name })}.`}</b>
          </Alert>
        )}
        {!lost && !shown && !reading && matches.length === 0 && (
          <Alert color="gray">
            <b>{`${t('scannerTest.nothing')}.`}</b> <span>{t('scannerTest.nothingHint')}</span>
          </Alert>
        )}
      </div>
      <Paper withBorder component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="read">
        <Title order={2} id="read" mb="sm">
          {t('scannerTest.read')}
        </Title>
        <DescriptionList>
          <DescriptionItem name={t('products.gtin')}>{reading?.gtin}</DescriptionItem>
          <DescriptionItem name={t('details.lot')}>{reading?.lot}</DescriptionItem>
          <DescriptionItem name={t('details.expiry')}>
            {reading?.expiry && format.day(reading.expiry)}
          </DescriptionItem>
          <DescriptionItem name={t('details.serial')}>{reading?.serial}</DescriptionItem>
          <DescriptionItem name={t('details.product')}>
            {matches.map(({ product }) => product.name).join(', ') || t('scannerTest.noProduct')}
          </DescriptionItem>
        </DescriptionList>
      </Paper>
    </>
  );
}
