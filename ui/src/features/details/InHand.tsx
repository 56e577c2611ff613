import { Button, Loader, TextInput, UnstyledButton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ProductNote } from '@/components/productSearch';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Part, tellsOfPack } from '@/scan/pack';
import { useCan } from '@/session/useCan';
import classes from './InHand.module.css';
import type { DetailForm } from './useDetailForm';
import type { Line, Notice } from './useLine';

const DateField = lazy(() =>
  import('@/components/DateField').then(({ DateField }) => ({ default: DateField })),
);

interface Props {
  form: DetailForm;
  line: Line;
}

/** Under the bar: what is told of the pack in hand, and whatever a scan leaves to be seen to. */
export default function InHand({ form, line }: Props) {
  const t = useText();
  const format = useFormat();
  const { product, scanned, quantity, expiry, lot, serial } = form.values;
  const { notice, waiting, unanswered, questions, isSoon } = line;
  const asked: Part[] = [];
  if (product?.asks_lot && !lot) asked.push('lot');
  if (product?.asks_serial && !serial) asked.push('serial');
  const hasPack = tellsOfPack(form.values) || scanned !== null || asked.length > 0;
  const units = scanned?.units ?? null;
  return (
    <>
      {hasPack && <Packed form={form} line={line} asked={asked} />}
      {units !== null && quantity === null && (
        <Told>
          {t('scan.howMany', { pack: scanned?.label ?? t('scan.pack', { units }) })}
          {[1, units].map((number) => (
            <Button key={number} variant="default" onClick={() => line.setQuantity(number)}>
              {format.quantity(number)}
            </Button>
          ))}
        </Told>
      )}
      {isSoon && expiry && <Told tone="amber">{t('scan.expiresSoon', { day: format.day(expiry) })}</Told>}
      {scanned?.unconfirmed && <Told tone="amber">{t('scan.confirmLot')}</Told>}
      {questions.length > 0 && (
        <Told tone="red">
          {questions.map(({ text }) => text).join(' ')}
          {line.asked && <b>{t('scan.again')}</b>}
        </Told>
      )}
      {waiting > 0 && !unanswered && (
        <Told>
          <Loader size="xs" aria-hidden />
          {t('scan.looking', { waiting })}
        </Told>
      )}
      {unanswered && (
        <Told tone="red">
          {t('scan.unanswered', { waiting })}
          <Button variant="default" onClick={line.retry}>
            {t('action.retry')}
          </Button>
        </Told>
      )}
      {notice && <Noted notice={notice} form={form} line={line} />}
    </>
  );
}

/** Told in one line, with what can be done about it; what is red is said at once. */
function Told({ tone, children }: { tone?: 'amber' | 'red'; children: ReactNode }) {
  return (
    <div className={classes.told} data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** The pack as text; to be corrected it becomes fields. */
function Packed({ form, line, asked }: Props & { asked: Part[] }) {
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
        {!isWhole && parts.length > 0 && <div className={classes.told}>{parts.join(' · ')}</div>}
        <PackFields
          form={form}
          line={line}
          only={isWhole ? [] : asked}
          focused={editing}
          onDone={() => setEditing(false)}
        />
      </>
    );
  return (
    <div className={classes.told}>
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

function PackFields({ form, line, only, focused, onDone }: FieldsProps) {
  const t = useText();
  const unconfirmed = form.values.scanned?.unconfirmed ?? false;

  function done() {
    if (unconfirmed) {
      line.confirm();
      line.toBar();
    } else if (only.length > 0) line.record();
    else {
      onDone();
      line.toBar();
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
      onBlur={({ currentTarget: { value } }) => line.correct(part, value.trim() || null)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault(); // it is for this field first
        line.correct(part, event.currentTarget.value.trim() || null);
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
              onChange={(value) => line.correct('expiry', value)}
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
} as const;

function Noted({ notice, form, line }: Props & { notice: Notice }) {
  const t = useText();
  const choosesByName = useCan('catalogue.read');
  const mayLink = useCan('catalogue.manage');
  const noted = notice.kind === 'unknown' ? notice.noted : null;
  switch (notice.kind) {
    case 'unknown':
      return (
        <Told tone="red">
          {t('scan.unknown', { code: notice.code })} {noted && !mayLink && t('scan.noted')}
          {choosesByName && (
            <Button variant="default" onClick={line.toBar}>
              {t('scan.byName')}
            </Button>
          )}
          {noted && mayLink && (
            <Button variant="default" onClick={() => line.link(notice.raw, noted)}>
              {t('scan.isProduct')}
            </Button>
          )}
        </Told>
      );
    case 'inactive':
      return <Told tone="red">{t('scan.inactive', { product: notice.product })}</Told>;
    case 'several':
      return (
        <Told tone="amber">
          {t('scan.several')}
          {notice.matches
            .filter(({ product }) => product.active)
            .map((match) => (
              <Button
                key={match.product.id}
                variant="default"
                onClick={() => line.takeMatch(match, notice.scan)}
              >
                {match.product.name} · <ProductNote product={match.product} />
              </Button>
            ))}
        </Told>
      );
    case 'differs': {
      const names = { lot: 'details.lot', expiry: 'details.expiry', serial: 'details.serial' } as const;
      const { reading } = notice.scan;
      return (
        <Told tone="amber">
          {notice.parts
            .map((part) =>
              t('scan.differs', {
                part: t(names[part]),
                told: String(reading?.[part]),
                known: String(form.values[part]),
              }),
            )
            .join(' ')}
          <Button variant="default" onClick={() => line.beginAnother(notice.scan)}>
            {t('scan.another')}
          </Button>
          <Button variant="default" onClick={() => line.correctBy(notice.scan)}>
            {t('scan.correct')}
          </Button>
        </Told>
      );
    }
    default:
      return <Told tone="amber">{t(PLAIN[notice.kind])}</Told>;
  }
}
