import { ClampedText } from '@/components/ClampedText';
import type { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Line } from '@/outbox/outbox';
import { Cell, PackNote, Row, Who } from './cells';
import classes from './DetailsTable.module.css';
import { lineTotal } from './lineTotal';

interface Props {
  line: Line;
  /** Whether it waits for the server to answer again. */
  stopped: boolean;
  format: ReturnType<typeof useFormat>;
  seesPrices: boolean;
}

/** On its way to the server. */
export function PendingRow({ line: { values }, stopped, format, seesPrices }: Props) {
  const t = useText();
  const { product, quantity, staff } = values;
  return (
    <Row className={`${classes.line} ${classes.pending}`} aria-busy={!stopped}>
      <Cell className={classes.hour} />
      <Cell className={classes.product}>
        <span className={classes.what}>
          {product && <ClampedText>{product.name}</ClampedText>}
          <PackNote pack={values} />
        </span>
      </Cell>
      <Cell className={classes.quantity}>{format.quantity(quantity as number)}</Cell>
      {seesPrices && (
        <Cell className={classes.price}>
          {product?.price !== undefined && format.money(lineTotal(product.price, quantity as number))}
        </Cell>
      )}
      <Cell className={classes.who}>{staff && <Who staff={staff} />}</Cell>
      <Cell className={classes.actions}>
        <span className={classes.state}>{t(stopped ? 'details.waiting' : 'details.recording')}</span>
      </Cell>
    </Row>
  );
}
