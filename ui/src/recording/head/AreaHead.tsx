import { Button } from '@mantine/core';
import { IconCalendarMonth, IconChevronDown, IconChevronLeft, IconPrinter } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { AreaSheetView, UseReason } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { HelpButton } from '@/shared/ui/HelpButton';
import type { MoreItem } from '@/shared/ui/OverflowMenu';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { usePrintLabels } from '@/topics/printing/usePrintLabels';
import { AreaReasonChoice } from '@/topics/sheets/lines/ReasonChoice';
import { AREA_REASONS, areaReasons } from '@/topics/sheets/lines/wasteReasons';
import { useChipKeys } from '../missed/useChipKeys';
import classes from './AreaHead.module.css';
import type { HeadProps } from './headProps';
import { useHeadMenu } from './useHeadMenu';

interface Props extends HeadProps {
  sheet: AreaSheetView;
  /** What the next lines are used for; empty until that is chosen. */
  reason: UseReason | '';
  onReason: (reason: UseReason) => void;
  /** Whether the window has room for all reasons side by side. */
  isWide: boolean;
}

/** The head of an area's page: a band that says that it is no patient's, and what the next lines are used for. */
export function AreaHead(props: Props) {
  const { sheet, lines, waiting, held, isStopped, stale, withoutReason, usual } = props;
  const { reason, onReason, isWide, onRecord } = props;
  const t = useText();
  const format = useFormat();
  const { print, dialog } = usePrintLabels();
  const menu = useHeadMenu(props);
  const unsent = held + (isStopped ? waiting : 0);
  const isAsked = withoutReason > 0;
  const head = useRef<HTMLElement>(null);
  useChipKeys(head, AREA_REASONS.length, true, (place) => onReason(AREA_REASONS[place] ?? 'other'));
  useProductOfAddress(onRecord);

  const more: (MoreItem | false)[] = [
    ...menu.again,
    usual !== undefined &&
      usual.length > 0 && {
        label: t('labels.usual'),
        icon: IconPrinter,
        run: () => print({ what: 'product', items: usual }),
      },
    {
      label: t('area.months'),
      icon: IconCalendarMonth,
      to: `/consumption-sheets/areas?area=${sheet.area.id}`,
    },
    ...menu.page,
  ];
  const facts = [
    t('sheets.recorded', { count: lines }),
    format.month(sheet.month),
    sheet.value !== undefined && t('area.value', { value: format.money(sheet.value) }),
  ];
  return (
    <section ref={head} className={classes.head} aria-label={t('area.title')}>
      <div className={classes.band}>
        <Button
          className={classes.back}
          component={Link}
          to="/"
          variant="subtle"
          aria-label={t('area.back')}
          px="xs"
        >
          <IconChevronLeft size={20} aria-hidden />
        </Button>
        <div className={classes.what}>
          <h2 className={classes.name}>
            <span className={classes.kind}>{t('area.title')}</span> <span>{sheet.area.name}</span>
          </h2>{' '}
          <b className={classes.none}>{t('area.ofNone')}</b>
        </div>
        <span
          className={classes.facts}
          data-stale={stale || undefined}
          id="details-title"
          tabIndex={-1}
          data-landing
        >
          {facts.filter(Boolean).join(' · ')}
        </span>
        {unsent > 0 && <span className={classes.unsent}>{t('details.unsent', { count: unsent })}</span>}
        <HelpButton className={classes.help} />
        <OverflowMenuButton label={t('details.moreActions')} items={more.filter((one) => one !== false)} />
      </div>
      <div className={classes.reasons}>
        {isWide ? (
          <AreaReasonChoice value={reason} onChange={onReason} inBar />
        ) : (
          <OverflowMenuButton
            label={t('area.choose', { reason: reason ? t(areaReasons[reason]) : t('area.notChosen') })}
            face={
              <>
                <span>{reason ? t(areaReasons[reason]) : t('area.reason')}</span>
                <IconChevronDown size={18} aria-hidden />
              </>
            }
            className={classes.chosen}
            items={AREA_REASONS.map((one) => ({
              label: t(areaReasons[one]),
              chosen: one === reason,
              run: () => onReason(one),
            }))}
          />
        )}
        {isAsked && (
          <p className={classes.asked} role="alert">
            {t('area.asked', { count: withoutReason })}
          </p>
        )}
      </div>
      {dialog}
    </section>
  );
}

/** Put the product of the address into the bar, once: `?product=88&quantity=2`. */
function useProductOfAddress(onRecord: HeadProps['onRecord']) {
  const [params, setParams] = useSearchParams();
  const fill = useEffectEvent(() => {
    const [product, quantity] = [Number(params.get('product')), Number(params.get('quantity'))];
    if (!(product > 0)) return;
    onRecord(product, quantity > 0 ? quantity : undefined);
    params.delete('product');
    params.delete('quantity');
    setParams(params, { replace: true });
  });
  useEffect(() => fill(), []);
}
