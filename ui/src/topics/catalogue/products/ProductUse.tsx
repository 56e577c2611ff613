import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { type ConsumptionPage, type ProductView, useReportConsumptionQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './ProductUse.module.css';

const DAY = 86_400_000;
const DAYS = 90;
const WEEKS = Math.ceil(DAYS / 7);
const AREAS = 5;

/** Show a product's use in the last 90 days, by week and by area. */
export function ProductUse({ product }: { product: ProductView }) {
  const t = useText();
  const format = useFormat();
  const to = format.dayOf(new Date());
  const from = new Date(Date.parse(to) - (DAYS - 1) * DAY).toISOString().slice(0, 10);
  const asked = { productId: product.id, from, to };
  const days = useReportConsumptionQuery({ ...asked, by: 'day', limit: 100 });
  const areas = useReportConsumptionQuery({ ...asked, by: 'area', sort: '-quantity', limit: AREAS });
  throwOnError(days);
  throwOnError(areas);
  if (!days.currentData || !areas.currentData) return null;
  const { sums } = days.currentData;
  return (
    <Paper withBorder component="section" aria-labelledby="product-use" px="1.25rem" py="sm">
      <Group justify="space-between">
        <Title order={2} size="h3" id="product-use">
          {t('products.used')}
        </Title>
        {sums.details > 0 && (
          <Anchor
            component={Link}
            to={`/consumption-sheet-details?product=${product.id}&from=${from}&to=${to}`}
            className={classes.all}
          >
            {t('list.all', { total: sums.details })}
          </Anchor>
        )}
      </Group>
      {sums.details === 0 ? (
        <Text c="dimmed">{t('products.notUsed')}</Text>
      ) : (
        <>
          <p className={classes.sum}>
            <strong>{[format.quantity(sums.quantity), product.unit].filter(Boolean).join(' ')}</strong>{' '}
            <span>{t('products.usedLines', { count: sums.details })}</span>
          </p>
          <div className={classes.parts}>
            <Weeks report={days.currentData} today={to} />
            <ul className={classes.areas} aria-label={t('reports.byArea')}>
              {areas.currentData.items.map(({ key, name, quantity }) => (
                <li key={key}>
                  <ClampedText>{name ?? t('reports.noArea')}</ClampedText>
                  <b>{format.quantity(quantity)}</b>
                  <span
                    className={classes.bar}
                    style={{ width: `${sums.quantity > 0 ? (100 * quantity) / sums.quantity : 0}%` }}
                  />
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
    </Paper>
  );
}

function Weeks({ report, today }: { report: ConsumptionPage; today: string }) {
  const t = useText();
  const format = useFormat();
  const weeks: number[] = Array(WEEKS).fill(0);
  for (const { key, quantity } of report.items) {
    const week = WEEKS - 1 - Math.floor((Date.parse(today) - Date.parse(key)) / (7 * DAY));
    weeks[week] = (weeks[week] ?? 0) + quantity;
  }
  const most = Math.max(...weeks);
  const begin = (week: number) =>
    format.shortDay(new Date(Date.parse(today) - ((WEEKS - week) * 7 - 1) * DAY).toISOString().slice(0, 10));
  return (
    <figure className={classes.weeks}>
      <figcaption>{t('products.byWeek')}</figcaption>
      <div
        role="img"
        aria-label={t('products.mostInWeek', {
          day: begin(weeks.indexOf(most)),
          quantity: format.quantity(most),
        })}
      >
        {weeks.map((quantity, week) => (
          <span
            key={begin(week)}
            title={`${begin(week)}: ${format.quantity(quantity)}`}
            style={{ height: `${most > 0 ? (100 * quantity) / most : 0}%` }}
          />
        ))}
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{begin(0)}</span>
        <span>{begin(WEEKS - 1)}</span>
      </div>
    </figure>
  );
}
