import { ActionIcon, Button } from '@mantine/core';
import { IconMinus, IconPackageOff, IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Decimal } from '@/i18n/decimal';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DecimalInput } from '@/shared/forms/DecimalInput';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { codeAndUnit } from '@/topics/catalogue/productSearch';
import { isValidQuantity } from '@/topics/sheets/lines/quantity';
import { IMPLANT_INCOMPLETE, type Reasons } from '@/topics/sheets/lines/questions';
import { ImplantChoice } from './ImplantChoice';
import { canBeRecorded, missingParts, recallOf } from './lineChecks';
import classes from './OpenRows.module.css';
import { Pack } from './Pack';
import { RecallChoice } from './RecallChoice';
import { recordDelay } from './recordDelay';
import type { LineRow } from './recorderState';
import { useQuestionTexts } from './useQuestionTexts';
import { focusPart, type RecorderControl } from './useRecorder';

/** A pack is flagged this many days before its expiry. */
const EXPIRES_SOON_DAYS = 30;

const REMARKS = {
  sameSerial: 'scan.sameSerial',
  sameProduct: 'scan.sameProduct',
  expiryUnreadable: 'scan.expiryUnreadable',
  incomplete: 'scan.incomplete',
} as const;

interface Props {
  row: LineRow;
  recorder: RecorderControl;
  /** Return the focus to the bar. */
  toBar: () => void;
  onRemove: () => void;
}

/** Show a line that is not recorded yet, with its questions, and record it after the delay. */
export function OpenLine({ row, recorder, toBar, onRemove }: Props) {
  const t = useText();
  const format = useFormat();
  const { key, values, isFresh, changes, remark, isStoring = false } = row;
  const { product, quantity, scanned, expiry } = values;
  const { send } = recorder;
  const isRecalled = recallOf(values) !== undefined;
  const [isHeld, setHeld] = useState(false);
  const isClear = recorder.isClear(row);
  const counts = isFresh && isClear;
  useEffect(() => {
    if (!counts || isHeld || isStoring) return;
    const timer = window.setTimeout(() => send({ type: 'delayElapsed', key, changes }), recordDelay.ms);
    return () => window.clearTimeout(timer);
  }, [counts, isHeld, isStoring, send, key, changes]);

  const describe = useQuestionTexts();
  const missing = recorder.questionsOf(values);
  const questions = describe(values, missing);
  const asked = missingParts(values, missing);
  const isUntraced = missing.includes(IMPLANT_INCOMPLETE);
  const today = format.dayOf(new Date());
  const isSoon = expiry !== null && expiry >= today && daysBetween(today, expiry) <= EXPIRES_SOON_DAYS;
  const units = scanned?.units ?? null;
  const set = (next: Decimal) => send({ type: 'quantitySet', key, quantity: next });
  const record = (reasons?: Reasons) => {
    send({ type: 'released', key, reasons });
    toBar();
  };
  const named = product ? nameAndCode(product) : '';
  const isSerialWrong = Boolean(values.serial) && quantity !== 1;
  return (
    <li
      className={classes.row}
      data-row={key}
      data-recalled={isRecalled || undefined}
      data-tone={questions.length > 0 ? 'red' : counts || isStoring ? undefined : 'amber'}
      inert={isStoring}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={classes.what}>
        <span className={classes.name}>
          {counts && (
            <span key={changes} className={classes.ring} data-held={isHeld || undefined} aria-hidden />
          )}
          <b>{product?.name}</b> {product && <small className={classes.note}>{codeAndUnit(product)}</small>}
        </span>
        <Pack
          values={values}
          asked={asked}
          onChange={(part, value) => send({ type: 'packSet', key, part, value })}
          onConfirm={() => {
            send({ type: 'confirmed', key });
            toBar();
          }}
          onDone={(part, value) => {
            if (value !== values[part]) send({ type: 'packSet', key, part, value });
            const other = asked.length > 1 && (part === 'lot' ? 'serial' : 'lot');
            // An implant is not recorded without its lot and serial number, but with a reason.
            const isLast = part === 'serial' || !other;
            if (isUntraced && isLast && (other || !value)) focusPart(key, 'reason');
            // Enter in an empty field records the line without the value.
            else if (other) focusPart(key, other);
            else if (asked.length > 0) record();
            else toBar();
          }}
        />
        {units !== null && quantity === null && (
          <div className={classes.line}>
            <span>{t('scan.howMany', { pack: scanned?.label ?? t('scan.pack', { units }) })}</span>
            {[1, units].map((number) => (
              <Button
                key={number}
                variant="default"
                onClick={() => {
                  set(number);
                  toBar();
                }}
              >
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
        {questions.map(({ code, text }) => (
          <p
            key={code}
            className={code === 'lot.recalled' ? `${classes.red} ${classes.recall}` : classes.red}
            role="alert"
          >
            {code === 'lot.recalled' && <IconPackageOff size={20} aria-hidden />}
            <span>{text}</span>
          </p>
        ))}
        {isRecalled && canBeRecorded(values) && (
          <RecallChoice
            questions={questions}
            onSetAside={() => {
              recorder.setAside(values, key);
              toBar();
            }}
            onRecord={record}
          />
        )}
        {isUntraced && !isRecalled && canBeRecorded(values) && (
          <ImplantChoice questions={questions} onRecord={record} />
        )}
        {!counts && !isRecalled && !isUntraced && canBeRecorded(values) && (
          <div className={classes.line}>
            <Button onClick={() => record()}>
              {t(questions.length > 0 ? 'scan.recordSo' : 'details.add')}
            </Button>
          </div>
        )}
      </div>
      <Stepper
        label={t('batch.quantityOf', { product: named })}
        quantity={quantity}
        onChange={set}
        onDone={toBar}
      />
      <ActionIcon
        className={classes.remove}
        aria-label={t('scan.removeOf', { product: named })}
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

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
