import { ActionIcon, Badge } from '@mantine/core';
import { ClampedText } from '@/components/ClampedText';
import '@mantine/core/styles/Badge.css';
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { memo } from 'react';
import type { DetailView } from '@/api/generated';
import { fullName } from '@/components/fullName';
import type { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { Cell, Row } from './cells';
import classes from './DetailsTable.module.css';

interface Props {
  detail: DetailView;
  format: ReturnType<typeof useFormat>;
  seesPrices: boolean;
  withActions: boolean;
  /** Recorded in this visit: shown in colour for a moment. */
  isNew: boolean;
  /** What someone else did to it while it was looked at. */
  byOthers?: 'recorded' | 'edited';
  /** Edited just before: the focus comes back to its button. */
  wasEdited: boolean;
  onEdit?: (id: number) => void;
  onDelete?: (detail: DetailView) => void;
  /** In place of deleting: this was the latest step. */
  onUndo?: () => void;
}

/** Memoised: a new line at the top of a hundred draws one row. */
export const DetailRow = memo(function DetailRow(props: Props) {
  const { detail, format, seesPrices, withActions, isNew, byOthers, wasEdited, onEdit, onDelete, onUndo } =
    props;
  const t = useText();
  const { product, staff, area, quantity, unit_price, total } = detail;
  return (
    <Row
      id={`detail-${detail.id}`}
      tabIndex={-1}
      className={isNew || byOthers ? classes.fresh : undefined}
      data-others={byOthers}
    >
      <Cell className={classes.date}>{format.moment(detail.created_at)}</Cell>
      <Cell className={classes.product}>
        <ClampedText>{product.name}</ClampedText>
        {byOthers && (
          <Badge className={classes.badge} variant="light" radius="sm">
            {t(byOthers === 'recorded' ? 'details.others.isNew' : 'details.others.isEdited')}
          </Badge>
        )}
      </Cell>
      <Cell className={classes.quantity} numeric label={t('details.quantity')}>
        {format.quantity(quantity)}
      </Cell>
      {seesPrices && (
        <Cell className={classes.price} numeric>
          {total !== undefined && format.money(total)}
          {unit_price !== undefined && quantity !== 1 && (
            <small>{t('details.each', { price: format.money(unit_price) })}</small>
          )}
        </Cell>
      )}
      <Cell className={classes.who}>
        {staff && <ClampedText>{fullName(staff)}</ClampedText>}
        {area && (
          <small>
            <ClampedText>{area.name}</ClampedText>
          </small>
        )}
      </Cell>
      {withActions && (
        <Cell className={classes.actions}>
          {onEdit && (
            <ActionIcon
              autoFocus={wasEdited}
              onClick={() => onEdit(detail.id)}
              aria-label={t('details.editOf', { product: product.name })}
            >
              <IconPencil size={20} aria-hidden />
            </ActionIcon>
          )}
          {onUndo ? (
            <ActionIcon
              className={classes.undo}
              color="petrol"
              onClick={onUndo}
              aria-label={t('details.undoOf', { product: product.name })}
            >
              <IconArrowBackUp size={20} aria-hidden />
              {t('details.undo')}
            </ActionIcon>
          ) : (
            onDelete && (
              <ActionIcon
                onClick={() => onDelete(detail)}
                aria-label={t('details.deleteOf', { product: product.name })}
              >
                <IconTrash size={20} aria-hidden />
              </ActionIcon>
            )
          )}
        </Cell>
      )}
    </Row>
  );
});
