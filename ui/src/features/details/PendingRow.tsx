import { ClampedText } from '@/components/ClampedText';
import { fullName } from '@/components/fullName';
import type { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Line } from '@/outbox/outbox';
import { Cell, Row } from './cells';
import classes from './DetailsTable.module.css';
import { lineTotal } from './lineTotal';

interface Props {
  line: Line;
  /** Whether it waits for the server to answer again. */
  stopped: boolean;
  format: ReturnType<typeof useFormat>;
  seesPrices: boolean;
  withActions: boolean;
}

/** On its way to the server. */
export function PendingRow({ line: { values }, stopped, format, seesPrices, withActions }: Props) {
  const t = useText();
  const { product, quantity, staff } = values;
  return (
    <Row className={classes.pending} aria-busy={!stopped}>
      <Cell className={classes.date}>{t(stopped ? 'details.waiting' : 'details.recording')}</Cell>
      <Cell className={classes.product}>{product && <ClampedText>{product.name}</ClampedText>}</Cell>
      <Cell className={classes.quantity} numeric label={t('details.quantity')}>
        {format.quantity(quantity as number)}
      </Cell>
      {seesPrices && (
        <Cell className={classes.price} numeric>
          {product?.price !== undefined && format.money(lineTotal(product.price, quantity as number))}
        </Cell>
      )}
      <Cell className={classes.who}>{staff && <ClampedText>{fullName(staff)}</ClampedText>}</Cell>
      {withActions && <Cell className={classes.actions} />}
    </Row>
  );
}
