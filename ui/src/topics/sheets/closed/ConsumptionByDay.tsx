import { Paper, Text, VisuallyHidden } from '@mantine/core';
import type { DetailView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import tableClasses from '@/shared/lists/table.module.css';
import { fullName } from '@/shared/records/fullName';
import { codeOf } from '@/shared/records/nameAndCode';
import { timeOfUse } from '@/shared/records/timeOfUse';
import { ClampedText } from '@/shared/ui/ClampedText';
import { Code } from '@/shared/ui/Code';
import classes from './ConsumptionByDay.module.css';

/** Sum totals in cents, because sums of binary fractions are not exact. */
const sumOf = (details: DetailView[]) =>
  details.reduce((sum, { total = 0 }) => sum + Math.round(total * 100), 0) / 100;

/** Show the lines of a sheet by day, oldest first. */
export function ConsumptionByDay({ details, total }: { details: DetailView[]; total: number | undefined }) {
  const t = useText();
  const format = useFormat();
  const seesPrices = useCan('prices.see');
  const days = new Map<string, DetailView[]>();
  const inOrder = details.toSorted((one, other) => {
    const [first, second] = [timeOfUse(one), timeOfUse(other)];
    return first === second ? one.id - other.id : first < second ? -1 : 1;
  });
  for (const detail of inOrder) {
    const day = detail.day ?? format.dayOf(timeOfUse(detail));
    const before = days.get(day);
    if (before) before.push(detail);
    else days.set(day, [detail]);
  }
  const labels = {
    time: t('details.time'),
    product: t('details.product'),
    quantity: t('details.quantity'),
    price: t('details.price'),
    total: t('sheets.total'),
    staff: t('details.staff'),
    area: t('details.area'),
  };
  return (
    <Paper withBorder className={classes.paper}>
      {[...days].map(([day, those]) => (
        <section key={day} className={classes.day} aria-label={format.day(day)}>
          <header className={classes.head}>
            <Text component="h3" fw={600}>
              {format.day(day)}
            </Text>
            <Text span size="sm" c="dimmed">
              {t('sheets.recorded', { count: those.length })}
            </Text>
            {seesPrices && <span className={classes.sum}>{format.money(sumOf(those))}</span>}
          </header>
          {/* biome-ignore-start lint/a11y/noRedundantRoles: display: block removes the native roles. */}
          <table className={tableClasses.table} role="table" aria-label={format.day(day)}>
            <thead role="rowgroup">
              <tr role="row">
                <th scope="col" role="columnheader" data-numeric data-much>
                  <VisuallyHidden>{labels.quantity}</VisuallyHidden>
                </th>
                <th scope="col" role="columnheader" data-product>
                  {labels.product}
                </th>
                {seesPrices && (
                  <>
                    <th scope="col" role="columnheader" data-numeric>
                      {labels.price}
                    </th>
                    <th scope="col" role="columnheader" data-numeric>
                      {labels.total}
                    </th>
                  </>
                )}
                <th scope="col" role="columnheader">
                  {labels.staff}
                </th>
                <th scope="col" role="columnheader">
                  {labels.area}
                </th>
                <th scope="col" role="columnheader" data-numeric data-time>
                  {labels.time}
                </th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {those.map((detail) => (
                <tr role="row" key={detail.id}>
                  <td role="cell" data-numeric data-much>
                    {format.quantity(detail.quantity)}
                  </td>
                  <td role="cell" data-product>
                    <ClampedText entire>{detail.product.name}</ClampedText>{' '}
                    <Code code={codeOf(detail.product)} equal={false} />
                    <PackOf detail={detail} />
                  </td>
                  {seesPrices && (
                    <>
                      <td role="cell" data-label={labels.price} data-numeric>
                        {detail.unit_price !== undefined && format.money(detail.unit_price)}
                      </td>
                      <td role="cell" data-label={labels.total} data-numeric>
                        {detail.total !== undefined && format.money(detail.total)}
                      </td>
                    </>
                  )}
                  <td role="cell" data-label={labels.staff}>
                    {detail.staff && <ClampedText entire>{fullName(detail.staff)}</ClampedText>}
                  </td>
                  <td role="cell" data-label={labels.area}>
                    {detail.area && <ClampedText entire>{detail.area.name}</ClampedText>}
                  </td>
                  <td role="cell" data-label={labels.time} data-numeric>
                    {format.time(timeOfUse(detail))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {/* biome-ignore-end lint/a11y/noRedundantRoles: as above. */}
        </section>
      ))}
      {total !== undefined && (
        <p className={classes.total}>
          <span>{labels.total}</span>
          <span>{format.money(total)}</span>
        </p>
      )}
    </Paper>
  );
}

/** Show lot, expiry and serial number below the product's name, if any. */
function PackOf({ detail: { lot, expiry, serial } }: { detail: DetailView }) {
  const t = useText();
  const format = useFormat();
  const facts = [
    lot && `${t('details.lot')}: ${lot}`,
    expiry && `${t('details.expiry')}: ${format.day(expiry)}`,
    serial && `${t('details.serial')}: ${serial}`,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" className={classes.pack}>
      {facts.join(' · ')}
    </Text>
  );
}
