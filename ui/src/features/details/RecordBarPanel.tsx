import { Button, Loader, TextInput, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ProductNote } from '@/components/productSearch';
import { StatusLine } from '@/components/StatusLine';
import statusClasses from '@/components/StatusLine.module.css';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Part, tellsOfPack } from '@/scan/pack';
import { useCan } from '@/session/useCan';
import classes from './RecordBarPanel.module.css';
import type { DetailForm } from './useDetailForm';
import type { Notice, RecordBarState } from './useRecordBar';

const DateField = lazy(() =>
  import('@/components/DateField').then(({ DateField }) => ({ default: DateField })),
);

interface Props {
  form: DetailForm;
  bar: RecordBarState;
}

/** Under the bar: what is told of the pack in hand, and whatever a scan leaves to be seen to. */
export default function RecordBarPanel({ form, bar }: Props) {
  const t = useText();
  const format = useFormat();
  const { product, scanned, quantity, expiry, lot, serial } = form.values;
  const { notice, waiting, unanswered, questions, isSoon } = bar;
  const asked: Part[] = [];
  if (product?.asks_lot && !lot) asked.push('lot');
  if (product?.asks_serial && !serial) asked.push('serial');
  const hasPack = tellsOfPack(form.values) || scanned !== null || asked.length > 0;
  const units = scanned?.units ?? null;
  return (
    <>
      {hasPack && <Packed form={form} bar={bar} asked={asked} />}
      {units !== null && quantity === null && (
        <StatusLine>
          <span>{t('scan.howMany', { pack: scanned?.label ?? t('scan.pack', { units }) })}</span>
          {[1, units].map((number) => (
            <Button key={number} variant="default" onClick={() => bar.setQuantity(number)}>
              {format.quantity(number)}
            </Button>
          ))}
        </StatusLine>
      )}
      {isSoon && expiry && (
        <StatusLine tone="amber">{t('scan.expiresSoon', { day: format.day(expiry) })}</StatusLine>
      )}
      {scanned?.unconfirmed && <StatusLine tone="amber">{t('scan.confirmLot')}</StatusLine>}
      {questions.length > 0 && (
        <StatusLine tone="red">
          <span>{questions.map(({ text }) => text).join(' ')}</span>
          {bar.asked && <b>{t('scan.again')}</b>}
        </StatusLine>
      )}
      {waiting > 0 && !unanswered && (
        <StatusLine>
          <Loader size="xs" aria-hidden />
          <span>{t('scan.looking', { waiting })}</span>
        </StatusLine>
      )}
      {unanswered && (
        <StatusLine tone="red">
          <span>{t('scan.unanswered', { waiting })}</span>
          <Button variant="default" onClick={bar.retry}>
            {t('action.retry')}
          </Button>
        </StatusLine>
      )}
      {notice && <Noted notice={notice} form={form} bar={bar} />}
    </>
  );
}

/** The pack as text; to be corrected it becomes fields. */
function Packed({ form, bar, asked }: Props & { asked: Part[] }) {
  const t = useText();
  const format = useFormat();
  const { lot, expiry, serial, scanned } = form.values;
  const [editing, setEditing] = useState(false);
  const unconfirmed = scanned?.unconfirmed ?? false;
  const parts = [
    lot && t('scan.lot', { lot }),
    expiry && t('scan.expires', { month: format.day(expiry) }),
    serial && t('scan.serial', { serial }),
  ].filter(Boolean);
  const isWhole = editing || unconfirmed;
  if (isWhole || asked.length > 0)
    return (
      <>
        {!isWhole && parts.length > 0 && <div className={statusClasses.statusLine}>{parts.join(' · ')}</div>}
        <PackFields
          form={form}
          bar={bar}
          only={isWhole ? [] : asked}
          focused={editing}
          onDone={() => setEditing(false)}
        />
      </>
    );
  return (
    <div className={statusClasses.statusLine}>
      <UnstyledButton className={classes.pack} onClick={() => setEditing(true)}>
        {parts.length > 0 ? parts.join(' · ') : t('scan.addLot')}
      </UnstyledButton>
    </div>
  );
}

interface FieldsProps extends Props {
  /** These are asked for; none of them where all of it is corrected. */
  only: Part[];
  focused: boolean;
  onDone: () => void;
}

function PackFields({ form, bar, only, focused, onDone }: FieldsProps) {
  const t = useText();
  const unconfirmed = form.values.scanned?.unconfirmed ?? false;

  function done() {
    if (unconfirmed) {
      bar.confirm();
      bar.toBar();
    } else if (only.length > 0) bar.record();
    else {
      onDone();
      bar.toBar();
    }
  }
  const text = (part: Part, label: string) => (
    <TextInput
      label={label}
      data-part={part}
      data-tone={unconfirmed ? 'amber' : undefined}
      className={classes.field}
      defaultValue={form.values[part] ?? ''}
      key={form.values[part]}
      autoFocus={part === 'lot' && (focused || unconfirmed)}
      maxLength={50}
      autoComplete="off"
      onBlur={({ currentTarget: { value } }) => bar.correct(part, value.trim() || null)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault(); // it is for this field first
        bar.correct(part, event.currentTarget.value.trim() || null);
        done();
      }}
    />
  );
  return (
    <div className={classes.fields}>
      {only.includes('lot') && text('lot', t('details.lot'))}
      {only.includes('serial') && text('serial', t('details.serial'))}
      {only.length === 0 && (
        <>
          {text('lot', t('details.lot'))}
          <Suspense>
            <DateField
              className={classes.field}
              label={t('details.expiry')}
              value={form.values.expiry}
              onChange={(value) => bar.correct('expiry', value)}
            />
          </Suspense>
          {text('serial', t('details.serial'))}
          <Button variant="default" onClick={done}>
            {t(unconfirmed ? 'scan.isRight' : 'scan.done')}
          </Button>
        </>
      )}
    </div>
  );
}

const PLAIN = {
  dropped: 'scan.dropped',
  sameSerial: 'scan.sameSerial',
  sameProduct: 'scan.sameProduct',
  expiryUnreadable: 'scan.expiryUnreadable',
  incomplete: 'scan.incomplete',
} as const;

function Noted({ notice, form, bar }: Props & { notice: Notice }) {
  const t = useText();
  const format = useFormat();
  const choosesByName = useCan('catalogue.read');
  const mayLink = useCan('catalogue.manage');
  const noted = notice.kind === 'unknown' ? notice.noted : null;
  switch (notice.kind) {
    case 'unknown':
      return (
        <StatusLine tone="red">
          <span>
            {[
              t('scan.unknown', { code: notice.code }),
              noted && !mayLink && t('scan.noted'),
              notice.readAs !== null && t('scan.keyboard', { text: notice.readAs }),
            ]
              .filter(Boolean)
              .join(' ')}
          </span>
          {choosesByName && (
            <Button variant="default" onClick={bar.toBar}>
              {t('scan.byName')}
            </Button>
          )}
          {noted && mayLink && (
            <Button variant="default" onClick={() => bar.link(notice.raw, noted)}>
              {t('scan.isProduct')}
            </Button>
          )}
        </StatusLine>
      );
    case 'inactive':
      return <StatusLine tone="red">{t('scan.inactive', { product: notice.product })}</StatusLine>;
    case 'bare': {
      const { lot, expiry, serial } = notice.scan.reading ?? {};
      return (
        <StatusLine tone="amber">
          <span>{t('scan.bare', { text: notice.scan.raw.trim() })}</span>
          <Button variant="default" onClick={() => bar.takeBare(notice.scan)}>
            {[
              lot && t('scan.lot', { lot }),
              expiry && t('scan.expires', { month: format.day(expiry) }),
              serial && t('scan.serial', { serial }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Button>
        </StatusLine>
      );
    }
    case 'keyboard':
    case 'several':
      return (
        <StatusLine tone="amber">
          <span>
            {notice.kind === 'several'
              ? t('scan.several')
              : t('scan.keyboardAsks', { text: notice.scan.raw.trim() })}
          </span>
          {notice.matches
            .filter(({ product }) => product.active)
            .map((match) => (
              <Button
                key={match.product.id}
                variant="default"
                onClick={() => bar.takeMatch(match, notice.scan)}
              >
                <span>{`${match.product.name} · `}</span>
                <ProductNote product={match.product} />
              </Button>
            ))}
        </StatusLine>
      );
    case 'differs': {
      const names = { lot: 'details.lot', expiry: 'details.expiry', serial: 'details.serial' } as const;
      const { reading } = notice.scan;
      return (
        <StatusLine tone="amber">
          <span>
            {notice.parts
              .map((part) =>
                t('scan.differs', {
                  part: t(names[part]),
                  told: String(reading?.[part]),
                  known: String(form.values[part]),
                }),
              )
              .join(' ')}
          </span>
          <Button variant="default" onClick={() => bar.beginAnother(notice.scan)}>
            {t('scan.another')}
          </Button>
          <Button variant="default" onClick={() => bar.correctBy(notice.scan)}>
            {t('scan.correct')}
          </Button>
        </StatusLine>
      );
    }
    default:
      return <StatusLine tone="amber">{t(PLAIN[notice.kind])}</StatusLine>;
  }
}
