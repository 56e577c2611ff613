import { ActionIcon, Button, Loader } from '@mantine/core';
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { NotedCodeView } from '@/api/generated';
import { DecimalInput } from '@/components/DecimalInput';
import { fullName } from '@/components/fullName';
import { ProductNote } from '@/components/productSearch';
import type { Decimal } from '@/i18n/decimal';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type DetailValues, isWaiting, type OutboxLine } from '@/outbox/outboxSlice';
import type { Person } from '@/scan/wristbands';
import { useCan } from '@/session/useCan';
import classes from './OpenRows.module.css';
import { Pack } from './Pack';
import { recordDelay } from './recordDelay';
import {
  canBeRecorded,
  isValidQuantity,
  type LineRow,
  type Match,
  packOf,
  type Row,
  type Scan,
} from './recorder';
import { focusPart, type RecorderControl } from './useRecorder';
import type { SheetOutbox } from './useSheetOutbox';

/** A pack is flagged this many days before its expiry. */
const EXPIRES_SOON_DAYS = 30;

interface Props {
  recorder: RecorderControl;
  outbox: SheetOutbox;
  /** Return the focus to the bar. */
  toBar: () => void;
  /** Assign a product to an unknown code. */
  onLink: (key: string, raw: string, noted: NotedCodeView) => void;
  /** Search the product of an unknown code by its name. */
  onName: (key: string, scan: Scan) => void;
}

/** List scans and entries that are not recorded yet, the newest on top. */
export function OpenRows({ recorder, outbox, toBar, ...rest }: Props) {
  const t = useText();
  const refused = outbox.unrecorded.filter((line) => !isWaiting(line));
  const { rows } = recorder;
  if (rows.length === 0 && refused.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('details.unrecorded')}>
      {rows.toReversed().map((row) => (
        <OpenRow key={row.key} row={row} recorder={recorder} toBar={toBar} {...rest} />
      ))}
      {refused.toReversed().map((line) => (
        <RefusedRow key={line.key} line={line} outbox={outbox} toBar={toBar} />
      ))}
    </ul>
  );
}

interface RowProps extends Omit<Props, 'outbox'> {
  row: Row;
}

function OpenRow(props: RowProps) {
  const { row, recorder, toBar } = props;
  const t = useText();
  const remove = () => {
    recorder.send({ type: 'removed', key: row.key });
    toBar();
  };
  if (row.kind === 'line') return <OpenLine row={row} recorder={recorder} toBar={toBar} onRemove={remove} />;
  return (
    <li
      className={classes.row}
      data-row={row.key}
      data-tone={toneOf(row)}
      role={toneOf(row) === 'red' ? 'alert' : undefined}
    >
      <OtherRow {...props} />
      <ActionIcon
        className={classes.remove}
        aria-label={t('scan.remove')}
        title={t('scan.remove')}
        onClick={remove}
      >
        <IconX size={20} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function toneOf(row: Row) {
  if (row.kind === 'unknown' || row.kind === 'inactive') return 'red';
  if (row.kind === 'looking' || row.kind === 'note') return row.isFailed ? 'red' : undefined;
  return row.kind === 'pack' ? undefined : 'amber';
}

const REMARKS = {
  sameSerial: 'scan.sameSerial',
  sameProduct: 'scan.sameProduct',
  expiryUnreadable: 'scan.expiryUnreadable',
  incomplete: 'scan.incomplete',
} as const;

interface LineProps extends Pick<RowProps, 'recorder' | 'toBar'> {
  row: LineRow;
  onRemove: () => void;
}

function OpenLine({ row, recorder, toBar, onRemove }: LineProps) {
  const t = useText();
  const format = useFormat();
  const { key, values, isFresh, changes, remark } = row;
  const { product, quantity, scanned, expiry } = values;
  const { send } = recorder;
  const [isHeld, setHeld] = useState(false);
  const isClear = recorder.isClear(row);
  const counts = isFresh && isClear;
  useEffect(() => {
    if (!counts || isHeld) return;
    const timer = window.setTimeout(() => send({ type: 'delayElapsed', key, changes }), recordDelay.ms);
    return () => window.clearTimeout(timer);
  }, [counts, isHeld, send, key, changes]);

  const questions = useQuestions(values, recorder);
  const missing = recorder.questionsOf(values);
  const asked = missing.filter((code) => code === 'lot.required' || code === 'serial.required');
  const today = format.dayOf(new Date());
  const isSoon = expiry !== null && expiry >= today && daysBetween(today, expiry) <= EXPIRES_SOON_DAYS;
  const units = scanned?.units ?? null;
  const set = (next: Decimal) => send({ type: 'quantitySet', key, quantity: next });
  const record = () => {
    send({ type: 'released', key });
    toBar();
  };
  const isSerialWrong = Boolean(values.serial) && quantity !== 1;
  return (
    <li
      className={classes.row}
      data-row={key}
      data-tone={questions.length > 0 ? 'red' : counts ? undefined : 'amber'}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={classes.what}>
        <span className={classes.name}>
          {counts && (
            <span key={changes} className={classes.ring} data-held={isHeld || undefined} aria-hidden />
          )}
          <b>{product?.name}</b>{' '}
          {product && (
            <small className={classes.note}>{[product.code, product.unit].filter(Boolean).join(' · ')}</small>
          )}
        </span>
        <Pack
          values={values}
          asked={asked.map((code) => (code === 'lot.required' ? 'lot' : 'serial'))}
          onChange={(part, value) => send({ type: 'packSet', key, part, value })}
          onConfirm={() => {
            send({ type: 'confirmed', key });
            toBar();
          }}
          onDone={(part, value) => {
            if (value !== values[part]) send({ type: 'packSet', key, part, value });
            const other = asked.length > 1 && (part === 'lot' ? 'serial' : 'lot');
            // Enter in an empty field records the line without the value.
            if (other) focusPart(key, other);
            else if (asked.length > 0) record();
            else toBar();
          }}
        />
        {units !== null && quantity === null && (
          <div className={classes.line}>
            <span>{t('scan.howMany', { pack: scanned?.label ?? t('scan.pack', { units }) })}</span>
            {[1, units].map((number) => (
              <Button key={number} variant="default" onClick={() => set(number)}>
                {format.quantity(number)}
              </Button>
            ))}
          </div>
        )}
        {scanned?.unconfirmed && <p className={classes.amber}>{t('scan.confirmLot')}</p>}
        {isSoon && expiry && (
          <p className={classes.amber}>{t('scan.expiresSoon', { day: format.day(expiry) })}</p>
        )}
        {remark && <p className={classes.amber}>{t(REMARKS[remark])}</p>}
        {isSerialWrong && <p className={classes.red}>{t('scan.serialIsOne')}</p>}
        {questions.map((text) => (
          <p key={text} className={classes.red} role="alert">
            {text}
          </p>
        ))}
        {!counts && canBeRecorded(values) && (
          <div className={classes.line}>
            <Button onClick={record}>{t(questions.length > 0 ? 'scan.recordSo' : 'details.add')}</Button>
          </div>
        )}
      </div>
      <Stepper
        label={t('batch.quantityOf', { product: product?.name ?? '' })}
        quantity={quantity}
        onChange={set}
        onDone={toBar}
      />
      <ActionIcon
        className={classes.remove}
        aria-label={t('scan.removeOf', { product: product?.name ?? '' })}
        title={t('scan.remove')}
        onClick={onRemove}
      >
        <IconX size={20} aria-hidden />
      </ActionIcon>
    </li>
  );
}

interface StepperProps {
  label: string;
  quantity: Decimal;
  onChange: (quantity: Decimal) => void;
  onDone: () => void;
}

/** Change a quantity: `− 1 +`, with a number that can be overwritten. */
function Stepper({ label, quantity, onChange, onDone }: StepperProps) {
  const t = useText();
  const [typed, setTyped] = useState<Decimal | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const number = typeof quantity === 'number' ? quantity : 0;
  const give = () => {
    if (typed === undefined) return;
    setTyped(undefined);
    if (typed !== quantity) onChange(typed);
  };
  return (
    <div className={classes.stepper}>
      <ActionIcon
        variant="default"
        aria-label={t('scan.oneLess')}
        onClick={() => onChange(Math.max(number - 1, 0))}
      >
        <IconMinus size={20} aria-hidden />
      </ActionIcon>
      <DecimalInput
        ref={field}
        aria-label={label}
        className={classes.number}
        value={typed === undefined ? quantity : typed}
        error={quantity !== null && !isValidQuantity(quantity) && t('details.quantityInvalid')}
        onChange={setTyped}
        onBlur={give}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          give();
          onDone();
        }}
      />
      <ActionIcon variant="default" aria-label={t('scan.oneMore')} onClick={() => onChange(number + 1)}>
        <IconPlus size={20} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Describe the questions about a line, as texts. */
function useQuestions(values: DetailValues, recorder: RecorderControl) {
  const t = useText();
  const format = useFormat();
  const { expiry, scanned, asked } = values;
  return recorder.questionsOf(values).map((code) => {
    const fromServer = asked.find((one) => one.code === code);
    if (fromServer) return fromServer.text;
    switch (code) {
      case 'lot.expired':
        return t('scan.expired', { day: format.day(expiry ?? '') });
      case 'lot.recalled':
        return t('scan.recalled', { reason: scanned?.recall ?? '' });
      case 'serial.used':
        return t('scan.serialUsed', {
          sheet: scanned?.serialUsed?.consumption_sheet_id ?? 0,
          at: format.moment(scanned?.serialUsed?.at ?? ''),
        });
      case 'lot.required':
        return t('scan.lotMissing');
      default:
        return t('scan.serialMissing');
    }
  });
}

/** Show a row without a line: a pending lookup or a question. */
function OtherRow({ row, recorder, onLink, onName }: RowProps) {
  const t = useText();
  const format = useFormat();
  const mayLink = useCan('catalogue.manage');
  const choosesByName = useCan('catalogue.read');
  const { send, retry } = recorder;
  const packText = usePackText('scan' in row ? row.scan : null);
  switch (row.kind) {
    case 'looking':
      if (row.isFailed)
        return (
          <What text={t('scan.unansweredCode', { code: row.raw.trim() })}>
            <Button variant="default" onClick={retry}>
              {t('action.retry')}
            </Button>
          </What>
        );
      return (
        <What text={t('scan.lookingUp', { code: row.raw.trim() })}>
          <Loader size="xs" aria-hidden />
        </What>
      );
    case 'pack':
      return <What text={t('scan.packOf', { pack: packText })} />;
    case 'bare':
      return (
        <What text={t('scan.bare', { text: row.scan.raw.trim() })}>
          <Button variant="default" onClick={() => send({ type: 'bareTaken', key: row.key })}>
            {packText}
          </Button>
        </What>
      );
    case 'differs': {
      const names = { lot: 'details.lot', expiry: 'details.expiry', serial: 'details.serial' } as const;
      const line = recorder.rows.find(({ key }) => key === row.lineKey);
      const { reading } = row.scan;
      const text = row.parts.map((part) =>
        t('scan.differs', {
          part: t(names[part]),
          told: String(reading?.[part]),
          known: String(line?.kind === 'line' ? line.values[part] : ''),
        }),
      );
      return (
        <What text={text.join(' ')}>
          <Button variant="default" onClick={() => send({ type: 'anotherPack', key: row.key })}>
            {t('scan.another')}
          </Button>
          <Button variant="default" onClick={() => send({ type: 'lineCorrected', key: row.key })}>
            {t('scan.correct')}
          </Button>
        </What>
      );
    }
    case 'choice':
      return (
        <What text={t(CHOICES[row.about], { text: row.scan.raw.trim() })}>
          <Products
            matches={row.matches}
            onChoose={(match) => send({ type: 'matchChosen', key: row.key, match })}
          />
          <Patients
            people={row.people}
            onChoose={(sheetId) => send({ type: 'patientChosen', key: row.key, sheetId })}
          />
        </What>
      );
    case 'wristband':
      return (
        <Wristband row={row} onChoose={(sheetId) => send({ type: 'patientChosen', key: row.key, sheetId })} />
      );
    case 'note':
      return (
        <What
          text={t(row.isFailed ? 'unlisted.waits' : 'unlisted.noting', {
            description: row.description,
            quantity: format.quantity(row.quantity),
          })}
        >
          {row.isFailed ? (
            <Button variant="default" onClick={retry}>
              {t('action.retry')}
            </Button>
          ) : (
            <Loader size="xs" aria-hidden />
          )}
        </What>
      );
    case 'inactive':
      return <What text={t('scan.inactive', { product: row.product })} />;
    case 'unknown': {
      const { noted } = row;
      const title = t('scan.unknown', { code: row.code });
      const hints = [
        noted && !mayLink && t('scan.noted'),
        row.readAs !== null && t('scan.keyboard', { text: row.readAs }),
      ].filter(Boolean);
      return (
        <What text={hints.length > 0 ? `${title}. ${hints.join(' ')}` : title}>
          {choosesByName && (
            <Button variant="default" onClick={() => onName(row.key, row.scan)}>
              {t('scan.byName')}
            </Button>
          )}
          {noted && mayLink && (
            <Button variant="default" onClick={() => onLink(row.key, row.scan.raw, noted)}>
              {t('scan.isProduct')}
            </Button>
          )}
        </What>
      );
    }
    case 'line':
      return null;
  }
}

const CHOICES = {
  several: 'scan.several',
  keyboard: 'scan.keyboardAsks',
  clash: 'scan.clash',
} as const satisfies Record<string, MessageId>;

/** Show the text of a row, and the buttons that answer it. */
function What({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.what}>
      <span>{text}</span>
      {children && <div className={classes.line}>{children}</div>}
    </div>
  );
}

function Products({ matches, onChoose }: { matches: Match[]; onChoose: (match: Match) => void }) {
  return matches
    .filter(({ product }) => product.active)
    .map((match) => (
      <Button key={match.product.id} variant="default" onClick={() => onChoose(match)}>
        <span>{`${match.product.name} · `}</span>
        <ProductNote product={match.product} />
      </Button>
    ));
}

function Patients({ people, onChoose }: { people: Person[]; onChoose: (sheetId: number) => void }) {
  return people.flatMap((person) =>
    person.sheets.map(({ id, room }) => (
      <Button key={id} variant="default" onClick={() => onChoose(id)}>
        {[fullName(person), room.name, person.record_number].filter(Boolean).join(' · ')}
      </Button>
    )),
  );
}

function Wristband({
  row,
  onChoose,
}: {
  row: Extract<Row, { kind: 'wristband' }>;
  onChoose: (sheetId: number) => void;
}) {
  const t = useText();
  const mayOpen = useCan('sheets.open');
  const sheets = row.people.flatMap((person) => person.sheets);
  const [person] = row.people;
  if (!person) return null;
  if (sheets.length === 0)
    return (
      <What text={t('scan.noSheet', { patient: fullName(person) })}>
        {mayOpen && (
          <Button component={Link} to={`/consumption-sheets/create?patient=${person.id}`} variant="default">
            {t('scan.newSheet', { patient: fullName(person) })}
          </Button>
        )}
      </What>
    );
  if (sheets.length === 1) return <What text={t('scan.thisPatient', { patient: fullName(person) })} />;
  return (
    <What text={t('scan.severalSheets')}>
      <Patients people={row.people} onChoose={onChoose} />
    </What>
  );
}

/** Format pack data: `Lote L1 · vence 28 feb 2027 · S/N 9`. */
function usePackText(scan: Scan | null) {
  const t = useText();
  const format = useFormat();
  const { lot, expiry, serial } = packOf(scan?.reading ?? null);
  return [
    lot && t('scan.lot', { lot }),
    expiry && t('scan.expires', { month: format.day(expiry) }),
    serial && t('scan.serial', { serial }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/**
 * Show an entry that the server refused or has a question about.
 *
 * It stays on the device until a person decides.
 */
function RefusedRow({ line, outbox, toBar }: { line: OutboxLine } & Pick<Props, 'outbox' | 'toBar'>) {
  const t = useText();
  const format = useFormat();
  const { items, messages } = line;
  const isAsked = items.some(({ asked }) => asked.length > 0);
  // Several items may be refused for the same reason.
  const reasons = [...new Set(messages.map(({ text }) => text))];
  return (
    <li className={classes.row} data-row={line.key} data-tone="red">
      <div className={classes.what}>
        {items.map(({ product, quantity }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and a product may occur twice.
          <b key={place}>
            {`${typeof quantity === 'string' ? quantity : format.quantity(quantity ?? 0)} × ${product?.name ?? ''}`}
          </b>
        ))}
        {reasons.map((text) => (
          <p key={text} className={classes.red} role="alert">
            {text}
          </p>
        ))}
        <div className={classes.line}>
          {isAsked && (
            <Button
              onClick={() => {
                outbox.release(line);
                toBar();
              }}
            >
              {t('scan.recordSo')}
            </Button>
          )}
          <Button variant="default" onClick={() => outbox.correct(line)}>
            {t('details.correct')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              outbox.drop(line);
              toBar();
            }}
          >
            {t('details.discard')}
          </Button>
        </div>
      </div>
    </li>
  );
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
