import { ActionIcon, Badge, Button, VisuallyHidden } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconBoxOff,
  IconCheck,
  IconDots,
  IconEye,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { type ComponentProps, memo, use, useEffect, useRef } from 'react';
import type { DetailView } from '@/api/generated';
import type { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import type { LineAction } from '@/topics/sheets/lines/lineAction';
import { worthOf } from '@/topics/sheets/lines/lineTotal';
import { areaReasons } from '@/topics/sheets/lines/wasteReasons';
import { PracticeContext } from '../common/practiceContext';
import { Cell, PackNote, ProductName, Row, Who } from './cells';
import classes from './DetailsTable.module.css';

interface Props {
  detail: DetailView;
  /** The row's index in the whole table, if only some rows are rendered. */
  place?: number;
  /** The area of the room; a line shows its area only if it differs. */
  homeArea: number;
  /** Whether an area used it, for no patient. */
  ofArea: boolean;
  format: ReturnType<typeof useFormat>;
  seesPrices: boolean;
  /** Whether all actions are behind one button, as on touch screens and narrow pages. */
  oneMenu: boolean;
  /** Recorded after the page was opened: highlighted for a moment. */
  isNew: boolean;
  /** What another user did to the line while the page was open. */
  byOthers?: 'recorded' | 'edited';
  /** Just edited: it takes the focus. */
  wasEdited: boolean;
  /** Whether it is the one tab stop of the table; its buttons are reached by the arrow keys. */
  isStop: boolean;
  isMarked: boolean;
  /** Whether it was looked for by a link to it. */
  isLooked: boolean;
  /** Toggle the row's mark. */
  onMark: (id: number) => void;
  onEdit?: (id: number) => void;
  onDelete?: (detail: DetailView) => void;
  onMove?: (action: LineAction) => void;
  /** Set if the line may be returned, or marked as thrown away. */
  onReturn?: (action: LineAction) => void;
  onNotWasted?: (detail: DetailView) => void;
  /** Set on the line of the latest act; replaces the delete action. */
  onUndo?: (detail: DetailView) => void;
}

/**
 * One line of the sheet.
 *
 * Memoised, so a new line renders one row, not a hundred.
 */
export const DetailRow = memo(function DetailRow(props: Props) {
  const { detail, place, homeArea, format, seesPrices, isNew, byOthers, isMarked, wasEdited } = props;
  const t = useText();
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Typing meanwhile keeps the focus: a correction may arrive later as another line.
    const { activeElement } = document;
    const types = activeElement instanceof HTMLInputElement && activeElement.value !== '';
    if (wasEdited && !types) row.current?.focus();
  }, [wasEdited]);
  const { product, staff, area, quantity, unit_price, returned, corrected_from, use_reason } = detail;
  const value = worthOf(detail);
  const changes = [
    typeof corrected_from === 'number' &&
      t('details.correctedFrom', { quantity: format.quantity(corrected_from) }),
    !!returned &&
      t('details.returned', {
        taken: format.quantity(quantity + returned),
        returned: format.quantity(returned),
        left: quantity,
      }),
    !!use_reason &&
      (props.ofArea
        ? t(areaReasons[use_reason])
        : t('waste.note', { why: t(areaReasons[use_reason]).toLocaleLowerCase() })),
    !!detail.unbilled && detail.unbilled !== 'area' && t('details.unbilled', { why: detail.unbilled }),
  ];
  return (
    <Row
      id={`detail-${detail.id}`}
      ref={row}
      tabIndex={props.isStop ? 0 : -1}
      className={`${classes.line} ${isNew || byOthers ? classes.fresh : ''}`}
      aria-rowindex={place}
      data-others={byOthers}
      data-marked={isMarked || undefined}
      data-looked={props.isLooked || undefined}
    >
      <Cell className={classes.hour}>
        <VisuallyHidden>{`${format.shortDay(format.dayOf(timeOfUse(detail)))} `}</VisuallyHidden>
        <span>{format.time(timeOfUse(detail))}</span>
        {isMarked && <VisuallyHidden>{t('details.marked.isMarked')}</VisuallyHidden>}
      </Cell>
      <Cell className={classes.quantity}>{format.quantity(quantity)}</Cell>
      <Cell className={classes.product}>
        <span className={classes.what}>
          <ProductName product={product} />
          <PackNote pack={detail} kit={detail.kit}>
            {changes}
          </PackNote>
        </span>
        {byOthers && (
          <Badge className={classes.badge} size="md" radius="sm">
            {t(byOthers === 'recorded' ? 'details.others.isNew' : 'details.others.isEdited')}
          </Badge>
        )}
      </Cell>
      {seesPrices && (
        <Cell className={classes.price}>
          {value !== undefined && <span>{format.money(value)}</span>}
          {unit_price !== undefined && quantity !== 1 && (
            <small>{t('details.each', { price: format.money(unit_price) })}</small>
          )}
        </Cell>
      )}
      <Cell className={classes.who}>
        {staff && <Who staff={staff} />}
        {area && area.id !== homeArea && (
          <span className={classes.area} title={area.name}>
            {`${staff ? ' · ' : ''}${area.name}`}
          </span>
        )}
      </Cell>
      <Actions {...props} />
    </Row>
  );
});

function Actions(props: Props) {
  const { detail, oneMenu, isMarked, onMark, onEdit, onDelete, onMove, onReturn, onNotWasted, onUndo } =
    props;
  const t = useText();
  const practice = use(PracticeContext);
  const about = nameAndCode(detail.product);
  const name = { product: about };
  const edit = onEdit && {
    label: t('details.edit.short'),
    name: t('details.editOf', name),
    run: () => onEdit(detail.id),
  };
  const remove = onDelete &&
    !onUndo && {
      label: t('details.delete'),
      name: t('details.deleteOf', name),
      run: () => onDelete(detail),
    };
  const corrections = [
    ...(onReturn
      ? [
          {
            label: t('details.return'),
            name: t('details.returnOf', name),
            icon: IconArrowBackUp,
            run: () => onReturn({ kind: 'return', details: [detail] }),
          },
          // On the page of an area, the reason says it.
          !props.ofArea &&
            (detail.use_reason
              ? {
                  label: t('waste.undo'),
                  name: t('waste.undoOf', name),
                  icon: IconBoxOff,
                  run: () => onNotWasted?.(detail),
                }
              : {
                  label: t('waste.short'),
                  name: t('waste.of', name),
                  icon: IconBoxOff,
                  run: () => onReturn({ kind: 'waste', details: [detail] }),
                }),
        ].filter((one) => one !== false)
      : []),
    ...(onMove
      ? [
          {
            label: t('details.move'),
            name: t('details.moveOf', name),
            icon: IconArrowsExchange,
            run: () => onMove({ kind: 'move', details: [detail] }),
          },
        ]
      : []),
  ];
  const mark = {
    label: t(isMarked ? 'details.marked.takeOff' : 'details.marked.mark'),
    icon: IconCheck,
    run: () => onMark(detail.id),
  };
  return (
    <Cell className={classes.actions}>
      {oneMenu ? (
        <OverflowMenuButton
          label={t('details.moreOf', name)}
          about={about}
          className={classes.more}
          tabIndex={-1}
          items={[
            ...(edit ? [{ ...edit, icon: IconPencil }] : []),
            ...(practice
              ? []
              : [
                  {
                    label: t('details.show'),
                    name: t('details.showOf', name),
                    icon: IconEye,
                    to: `/consumption-sheet-details/${detail.id}`,
                  },
                ]),
            ...corrections,
            mark,
            ...(remove ? [{ ...remove, icon: IconTrash, danger: true }] : []),
          ]}
        />
      ) : (
        <>
          <IconDots className={classes.hint} size={20} aria-hidden />
          {edit && (
            <Tool aria-label={edit.name} title={edit.name} onClick={edit.run}>
              <IconPencil size={18} aria-hidden />
            </Tool>
          )}
          {remove && (
            <Tool aria-label={remove.name} title={remove.name} onClick={remove.run}>
              <IconTrash size={18} aria-hidden />
            </Tool>
          )}
          <OverflowMenuButton
            label={t('details.moreOf', name)}
            about={about}
            className={classes.tool}
            tabIndex={-1}
            items={[...corrections, mark]}
          />
        </>
      )}
      {onUndo && (
        <Button
          variant="subtle"
          tabIndex={-1}
          className={classes.undo}
          onClick={() => onUndo(detail)}
          aria-label={t('details.undoOf', name)}
        >
          {t('details.undo')}
        </Button>
      )}
    </Cell>
  );
}

/** Visible on hover and on focus. */
const Tool = (props: ComponentProps<typeof ActionIcon<'button'>>) => (
  <ActionIcon className={classes.tool} tabIndex={-1} {...props} />
);
