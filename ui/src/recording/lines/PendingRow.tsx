import { IconClock } from '@tabler/icons-react';
import type { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues, OutboxLine } from '@/outbox/outboxSlice';
import { useSession } from '@/session/session';
import { lineTotal } from '@/topics/sheets/lines/lineTotal';
import { areaReasons } from '@/topics/sheets/lines/wasteReasons';
import { Cell, PackNote, ProductName, Row, Who } from './cells';
import classes from './DetailsTable.module.css';

interface Props {
  line: OutboxLine;
  values: DetailValues;
  /** Whether sending is stopped until the server answers again. */
  isStopped: boolean;
  format: ReturnType<typeof useFormat>;
  seesPrices: boolean;
}

/** Show an entry on this device, or a late entry on the server. */
export function PendingRow({ line, values, isStopped, format, seesPrices }: Props) {
  const t = useText();
  const { status, occurredAt, isUndone } = line;
  const { profile } = useSession().user ?? {};
  const { product, quantity, staff_id } = values;
  // A device stores only the ids of other staff, not their names.
  const staff = values.staff ?? (profile?.id === staff_id ? profile : null);
  const isLate = status === 'late';
  const isHere = isStopped && status === 'waiting';
  const what = isUndone
    ? 'details.undone'
    : isLate
      ? 'outbox.late'
      : isHere
        ? 'details.waiting'
        : 'details.recording';
  return (
    <Row className={`${classes.line} ${classes.pending}`} aria-busy={!isLate && !isHere}>
      <Cell className={classes.hour}>{(isLate || isHere) && format.time(occurredAt)}</Cell>
      <Cell className={classes.quantity}>{format.quantity(quantity as number)}</Cell>
      <Cell className={classes.product}>
        <span className={classes.what}>
          {product && <ProductName product={product} />}
          <PackNote pack={values}>{[!!values.use_reason && t(areaReasons[values.use_reason])]}</PackNote>
        </span>
      </Cell>
      {seesPrices && (
        <Cell className={classes.price}>
          {product?.price !== undefined &&
            format.money(
              lineTotal(product.price, quantity as number, product.included_in_stay && !values.use_reason),
            )}
        </Cell>
      )}
      <Cell className={classes.who}>{staff && <Who staff={staff} />}</Cell>
      <Cell className={classes.actions}>
        <span className={classes.state}>
          {isHere && <IconClock size={16} className={classes.clock} aria-hidden />}
          <span>{t(what)}</span>
        </span>
      </Cell>
    </Row>
  );
}
