import { Button } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { isBatch, type OutboxLine } from '@/outbox/outboxSlice';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { IMPLANT_INCOMPLETE, needsReason, type Reasons } from '@/topics/sheets/lines/questions';
import { ImplantChoice } from './ImplantChoice';
import { recallOf } from './lineChecks';
import classes from './OpenRows.module.css';
import { RecallChoice } from './RecallChoice';
import type { RecorderControl } from './useRecorder';

/** What can be done with refused entries. */
export interface RefusedEntries {
  release: (line: OutboxLine, reasons?: Reasons) => unknown;
  correct: (line: OutboxLine) => unknown;
  drop: (line: OutboxLine) => unknown;
}

interface Props {
  line: OutboxLine;
  outbox: RefusedEntries;
  recorder: RecorderControl;
  /** Return the focus to the bar. */
  toBar: () => void;
}

/**
 * Show an entry that the server refused or has a question about.
 *
 * It stays on the device until a person decides.
 */
export function RefusedRow({ line, outbox, recorder, toBar }: Props) {
  const t = useText();
  const format = useFormat();
  const { items, messages } = line;
  const isAsked = items.some(({ asked }) => asked.length > 0);
  // Several items may be refused for the same reason.
  const [values] = items;
  const isRecalled = !isBatch(line) && values !== undefined && recallOf(values) !== undefined;
  const isUntraced =
    !isBatch(line) && !isRecalled && values?.asked.some(({ code }) => code === IMPLANT_INCOMPLETE);
  const release = (reasons?: Reasons) => {
    outbox.release(line, reasons);
    toBar();
  };
  const texts = [...new Set(messages.map(({ text }) => text))];
  return (
    <li className={classes.row} data-row={line.key} data-tone="red" data-recalled={isRecalled || undefined}>
      <div className={classes.what}>
        {items.map(({ product, quantity }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and a product may occur twice.
          <b key={place}>{format.counted(quantity, product ? nameAndCode(product) : '')}</b>
        ))}
        {texts.map((text) => (
          <p
            key={text}
            className={isRecalled ? `${classes.red} ${classes.recall}` : classes.red}
            role="alert"
          >
            {isRecalled && <IconPackageOff size={20} aria-hidden />}
            <span>{text}</span>
          </p>
        ))}
        {isRecalled && (
          <RecallChoice
            questions={values.asked}
            onSetAside={() => {
              recorder.setAside(values);
              outbox.drop(line);
              toBar();
            }}
            onRecord={release}
          />
        )}
        {isUntraced && <ImplantChoice questions={values?.asked ?? []} onRecord={release} />}
        <div className={classes.line}>
          {isAsked && !items.some(({ asked }) => needsReason(asked)) && !items.some(recallOf) && (
            <Button onClick={() => release()}>{t('scan.recordSo')}</Button>
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
