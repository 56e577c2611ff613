import { Anchor, Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconClockPause from '@tabler/icons-react/dist/esm/icons/IconClockPause.mjs';
import IconNumber0 from '@tabler/icons-react/dist/esm/icons/IconNumber0.mjs';
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs';
import IconTrendingUp from '@tabler/icons-react/dist/esm/icons/IconTrendingUp.mjs';
import { Link } from 'react-router-dom';
import type { Oddity, OverviewView, UnusualView } from '@/api/generated';
import { fullName } from '@/components/people/fullName';
import { detailsOf } from '@/components/sheets/sheetAddresses';
import { ClampedText } from '@/components/ui/ClampedText';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './home.module.css';

interface Kind {
  icon: Icon;
  sentence: MessageId;
  /** The link to all records of this kind. */
  more: { to: (day: string) => string; label: MessageId };
}

const sheets: Kind['more'] = {
  to: () => '/consumption-sheets?sort=admission_date',
  label: 'home.more.sheets',
};
const products: Kind['more'] = { to: () => '/products?sort=price', label: 'home.more.products' };
const details = (sort: string, label: MessageId): Kind['more'] => ({
  to: (day) => `/consumption-sheet-details?from=${day}&to=${day}&sort=${sort}`,
  label,
});

const kinds: Record<Oddity, Kind> = {
  sheet_quiet: { icon: IconClockPause, sentence: 'home.unusual.quiet', more: sheets },
  sheet_open_long: { icon: IconCalendarTime, sentence: 'home.unusual.openLong', more: sheets },
  quantity_zero: {
    icon: IconNumber0,
    sentence: 'home.unusual.zero',
    more: details('quantity', 'home.more.smallest'),
  },
  quantity_far_out: {
    icon: IconTrendingUp,
    sentence: 'home.unusual.farOut',
    more: details('-quantity', 'home.more.largest'),
  },
  product_without_price: { icon: IconTag, sentence: 'home.unusual.noPrice', more: products },
};

/** List the unusual records, each with a link. */
export function Unusual({ overview }: { overview: OverviewView }) {
  const t = useText();
  const more = [...new Set(overview.more_unusual.map((kind) => kinds[kind].more))];
  return (
    <section aria-labelledby="unusual">
      <div className={classes.head}>
        <Title order={2} id="unusual">
          {t('home.unusual')}
        </Title>
      </div>
      {overview.unusual.length === 0 ? (
        <Text className={classes.calm}>
          <IconCircleCheck size={20} aria-hidden />
          <span>{t('home.unusualNone')}</span>
        </Text>
      ) : (
        <ul className={classes.list}>
          {overview.unusual.map((thing) => (
            <UnusualThing
              key={`${thing.kind} ${thing.sheet?.id} ${thing.detail_id} ${thing.product?.id}`}
              thing={thing}
            />
          ))}
        </ul>
      )}
      {more.map(({ to, label }) => (
        <Anchor key={label} component={Link} to={to(overview.day)} className={classes.all}>
          {t(label)}
        </Anchor>
      ))}
    </section>
  );
}

function UnusualThing({ thing }: { thing: UnusualView }) {
  const t = useText();
  const format = useFormat();
  const { icon: OddIcon, sentence } = kinds[thing.kind];
  const hasNoUsual = thing.kind === 'quantity_far_out' && thing.usual_quantity === null;
  const to = thing.sheet ? detailsOf(thing.sheet) : `/products/${thing.product?.id}/edit`;
  return (
    <li className={classes.item}>
      <Link to={to} className={classes.odd}>
        <OddIcon size={20} aria-hidden className={classes.oddIcon} />
        <span>
          {thing.sheet && (
            <ClampedText className={classes.about}>
              <span>{fullName(thing.sheet.patient)}</span>{' '}
              <span className={classes.note}>{thing.sheet.room.name}</span>
            </ClampedText>
          )}
          <span>
            {t(hasNoUsual ? 'home.unusual.farOutOfNone' : sentence, {
              days: thing.days ?? 0,
              product: thing.product?.name ?? '',
              quantity: format.quantity(thing.quantity ?? 0),
              usual: format.quantity(thing.usual_quantity ?? 0),
            })}
          </span>
        </span>
      </Link>
    </li>
  );
}
