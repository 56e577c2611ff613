import { Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type {
  MissedChargeView,
  SheetSummaryView,
  SheetView,
  SummaryLineView,
  UnlistedItemView,
} from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { SheetBand } from '@/topics/sheets/SheetBand';
import MissedCharges from '../missed/MissedCharges';
import classes from './ClosingPreview.module.css';
import { DayStrip } from './DayStrip';

/** How many items are named; the rest are only counted. */
const NAMED = 4;

interface Props {
  sheet: SheetView;
  summary: SheetSummaryView;
  /** Products that were probably used and not recorded. */
  missed?: MissedChargeView[];
  onMend: (detailId: number) => void;
  /** Go to what waits above the list, by the id of its element. */
  onShow: (id: string) => void;
  onRecordAt: (moment: string | null) => void;
  onRecord: (productId: number) => void;
}

const none: MissedChargeView[] = [];

/**
 * Preview what closing freezes.
 *
 * Probably missing lines come first, then the days, possible mistakes and the totals.
 */
export default function ClosingPreview(props: Props) {
  const { sheet, summary, missed = none, onMend, onShow, onRecordAt, onRecord } = props;
  const t = useText();
  const format = useFormat();
  const mayDecide = useCan('late_entries.manage');
  const { lines, total, categories, without_quantity, without_price = [], far_out, unlisted_items } = summary;
  const days = summary.days.filter((day) => day.lines > 0);
  const late = sheet.late_entries ?? 0;
  return (
    <div className={classes.preview}>
      <SheetBand sheet={sheet} />
      {sheet.patient.unidentified && (
        <section className={classes.mend}>
          <h3>
            <IconAlertTriangle size={20} aria-hidden />
            <span>{t('sheets.close.unidentified')}</span>
          </h3>
        </section>
      )}
      <MissedCharges sheetId={sheet.id} questions={missed} onUsed={({ id }) => onRecord(id)} />
      <DayStrip sheet={sheet} summary={summary} onRecordAt={onRecordAt} />
      <IncompleteLines title="sheets.close.withoutQuantity" lines={without_quantity} onMend={onMend} />
      <IncompleteLines title="sheets.close.withoutPrice" lines={without_price} onMend={onMend} />
      <IncompleteLines title="sheets.close.farOut" lines={far_out} onMend={onMend} />
      <IncompleteLines title="sheets.close.implants" lines={summary.incomplete_implants} onMend={onMend} />
      <Unlisted items={unlisted_items} onShow={onShow} />
      {late > 0 && (
        <section className={classes.mend}>
          <h3>
            <IconAlertTriangle size={20} aria-hidden />
            <span>{t('late.inList', { count: late })}</span>
          </h3>
          {mayDecide && (
            <Anchor component="button" type="button" className={classes.name} onClick={() => onShow('late')}>
              {t('sheets.close.late')}
            </Anchor>
          )}
        </section>
      )}
      <p className={classes.all}>
        <span>{t('sheets.recorded', { count: lines })}</span>
        {total !== undefined && (
          <span>
            <span>{`${t('sheets.total')}: `}</span>
            <b>{format.money(total)}</b>
          </span>
        )}
      </p>
      <SubtotalTable
        title="sheets.close.byDay"
        rows={days.map(({ day, ...tally }) => ({ key: day, name: format.day(day), ...tally }))}
      />
      <SubtotalTable
        title="sheets.close.byCategory"
        rows={categories.map(({ category, ...tally }) => ({
          key: category.id,
          name: category.name,
          ...tally,
        }))}
      />
      <Text c="dimmed">{t('sheets.close.final')}</Text>
    </div>
  );
}

interface ToMendProps {
  title: MessageId;
  lines: SummaryLineView[];
  onMend: (detailId: number) => void;
}

function IncompleteLines({ title, lines, onMend }: ToMendProps) {
  const t = useText();
  if (lines.length === 0) return null;
  const more = lines.length - NAMED;
  return (
    <section className={classes.mend}>
      <h3>
        <IconAlertTriangle size={20} aria-hidden />
        <span>{t(title, { count: lines.length })}</span>
      </h3>
      <ul className={classes.names}>
        {lines.slice(0, NAMED).map(({ id, product_name: name, product_code: code }) => (
          <li key={id}>
            <Anchor component="button" type="button" className={classes.name} onClick={() => onMend(id)}>
              {t('sheets.close.mend', { product: nameAndCode({ name, code }) })}
            </Anchor>
          </li>
        ))}
        {more > 0 && <li>{t('sheets.close.more', { more })}</li>}
      </ul>
    </section>
  );
}

/** List the open unlisted items: they have no price and are in no total. */
function Unlisted({ items, onShow }: { items: UnlistedItemView[]; onShow: (id: string) => void }) {
  const t = useText();
  const format = useFormat();
  if (items.length === 0) return null;
  const more = items.length - NAMED;
  return (
    <section className={classes.mend}>
      <h3>
        <IconAlertTriangle size={20} aria-hidden />
        <span>{t('sheets.close.unlisted', { count: items.length })}</span>
      </h3>
      <ul className={classes.names}>
        {items.slice(0, NAMED).map(({ id, description, quantity }) => (
          <li key={id}>
            <Anchor
              component="button"
              type="button"
              className={classes.name}
              onClick={() => onShow(`unlisted-${id}`)}
            >
              {t('sheets.close.mend', { product: format.counted(quantity, description) })}
            </Anchor>
          </li>
        ))}
        {more > 0 && <li>{t('sheets.close.more', { more })}</li>}
      </ul>
    </section>
  );
}

interface Row {
  key: string | number;
  name: string;
  lines: number;
  total?: number;
}

function SubtotalTable({ title, rows }: { title: MessageId; rows: Row[] }) {
  const t = useText();
  const format = useFormat();
  const priced = rows.some(({ total }) => total !== undefined);
  if (rows.length === 0) return null;
  return (
    <table className={classes.tallies}>
      <caption>{t(title)}</caption>
      <thead>
        <tr>
          <th scope="col">{t(title)}</th>
          <th scope="col">{t('details.lines')}</th>
          {priced && <th scope="col">{t('sheets.total')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, lines, total }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{format.quantity(lines)}</td>
            {priced && <td>{total !== undefined && format.money(total)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
