import { ActionIcon } from '@mantine/core';
import { IconCheck, IconPencil } from '@tabler/icons-react';
import { memo } from 'react';
import type { RestockLineView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { nameAndCode } from '@/shared/records/nameAndCode';
import classes from './restock.module.css';
import { amountOf, isPutBack } from './shelves';

interface Props {
  line: RestockLineView;
  onToggle: (line: RestockLineView) => void;
  /** For users who set the shelves. */
  onEdit: ((line: RestockLineView) => void) | undefined;
}

/** A line of the open list: a tap ticks it. */
export const RestockRow = memo(function RestockRow({ line, onToggle, onEdit }: Props) {
  const t = useText();
  const format = useFormat();
  const { product, needed, fixed_amount: fixed, put_back: ticked } = line;
  const isDone = isPutBack(line);
  const amount = format.quantity(amountOf(line));
  // One line in each state: a tick must not move the lines below it.
  const notes = [
    ticked && t('restock.moreSince', { quantity: format.quantity(ticked.quantity) }),
    product.code,
    fixed !== null && t('restock.used', { quantity: format.quantity(needed) }),
    fixed !== null && t('restock.fixed'),
  ];
  return (
    <li className={classes.row}>
      {/* biome-ignore lint/a11y/useSemanticElements: the whole line is the checkbox. */}
      <button
        type="button"
        role="checkbox"
        aria-checked={isDone}
        className={classes.line}
        onClick={() => onToggle(line)}
      >
        <span className={classes.box}>{isDone && <IconCheck size={20} stroke={3} aria-hidden />}</span>
        <span>
          <span className={classes.name}>{product.name}</span>{' '}
          <span className={isDone ? classes.ticked : classes.note}>
            {isDone
              ? [
                  product.code,
                  ticked?.at && t('restock.tickedBy', { by: ticked.by, time: format.time(ticked.at) }),
                ]
                  .filter(Boolean)
                  .join(' · ')
              : notes.filter(Boolean).join(' · ')}
          </span>
        </span>{' '}
        <span className={classes.amount}>
          <span>{amount}</span> <small>{product.unit}</small>
        </span>
      </button>
      {onEdit && (
        <ActionIcon
          className={classes.edit}
          variant="subtle"
          aria-label={t('restock.editShelf', { product: nameAndCode(product) })}
          onClick={() => onEdit(line)}
        >
          <IconPencil size={20} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
});
