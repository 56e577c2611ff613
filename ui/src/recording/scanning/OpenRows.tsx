import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { NotedCodeView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { isWaiting, type OutboxLine } from '@/outbox/outboxSlice';
import { OpenLine } from './OpenLine';
import classes from './OpenRows.module.css';
import { LookingRow, OtherRow } from './OtherRow';
import { type RefusedEntries, RefusedRow } from './RefusedRow';
import { isListed, type Row, type Scan } from './recorderState';
import type { RecorderControl } from './useRecorder';

interface Props {
  recorder: RecorderControl;
  outbox: RefusedEntries & { unrecorded: OutboxLine[] };
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
  const { looking } = recorder;
  const rows = recorder.rows.filter(isListed);
  if (rows.length === 0 && looking.length === 0 && refused.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('details.unrecorded')}>
      {looking.toReversed().map((entry) => (
        <li
          key={entry.key}
          className={classes.row}
          data-row={entry.key}
          data-looking={entry.isFailed ? undefined : true}
          data-tone={entry.isFailed ? 'red' : undefined}
          role={entry.isFailed ? 'alert' : undefined}
        >
          <LookingRow entry={entry} onRetry={recorder.retry} />
          <RemoveButton
            onClick={() => {
              recorder.drop(entry.key);
              toBar();
            }}
          />
        </li>
      ))}
      {rows.toReversed().map((row) => (
        <OpenRow key={row.key} row={row} recorder={recorder} toBar={toBar} {...rest} />
      ))}
      {refused.toReversed().map((line) => (
        <RefusedRow key={line.key} line={line} outbox={outbox} recorder={recorder} toBar={toBar} />
      ))}
    </ul>
  );
}

interface RowProps extends Omit<Props, 'outbox'> {
  row: Row;
}

function OpenRow(props: RowProps) {
  const { row, recorder, toBar } = props;
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
      <RemoveButton onClick={remove} />
    </li>
  );
}

function RemoveButton({ onClick }: { onClick: () => void }) {
  const t = useText();
  return (
    <ActionIcon
      className={classes.remove}
      aria-label={t('scan.remove')}
      title={t('scan.remove')}
      onClick={onClick}
    >
      <IconX size={20} aria-hidden />
    </ActionIcon>
  );
}

function toneOf(row: Row) {
  if (row.kind === 'unknown' || row.kind === 'inactive') return 'red';
  if (row.kind === 'note' || row.kind === 'setAside') return row.isFailed ? 'red' : undefined;
  return row.kind === 'pack' ? undefined : 'amber';
}
