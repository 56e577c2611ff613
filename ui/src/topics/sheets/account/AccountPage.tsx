import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import {
  type AccountItemView,
  type AccountView,
  useIssueAccountMutation,
  useReadAccountQuery,
  useReadSheetQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { SheetBand } from '../SheetBand';
import { AccountChanges } from './AccountChanges';
import classes from './account.module.css';

/** How old an account may be that is shown, in seconds: the sheet reads it just before it opens this page. */
const FRESH_S = 5;

/** Show a patient's account in plain words, print it, and tell why it is another one than before. */
export default function AccountPage() {
  const t = useText();
  const sheetId = Number(useParams().id);
  const sheet = useReadSheetQuery({ sheetId });
  const account = useReadAccountQuery({ sheetId }, { refetchOnMountOrArgChange: FRESH_S });
  const [withPrices, setWithPrices] = useState(true);
  const { print, pending } = usePrintAccount(sheetId, withPrices);
  usePageTitle(sheet.data && fullName(sheet.data.patient), true);
  throwOnError(sheet);
  throwOnError(account);
  if (!sheet.data || !account.data) return <PageLoader />;
  const seesPrices = account.data.total !== undefined;
  return (
    <Stack gap="md" className={classes.page}>
      <SheetBand sheet={sheet.data} />
      <Group gap="lg">
        <Button leftSection={<IconPrinter size={20} aria-hidden />} loading={pending} onClick={print}>
          {t('action.print')}
        </Button>
        {seesPrices && (
          <Checkbox
            size="md"
            label={t('familyAccount.withPrices')}
            checked={withPrices}
            onChange={(event) => setWithPrices(event.currentTarget.checked)}
          />
        )}
      </Group>
      <Moments account={account.data} />
      <Account account={seesPrices && !withPrices ? withoutPrices(account.data) : account.data} />
    </Stack>
  );
}

/** Return how to print the account as it is now; Ctrl+P prints the same paper. */
function usePrintAccount(sheetId: number, withPrices: boolean) {
  const t = useText();
  const [issue] = useIssueAccountMutation();
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  async function print() {
    const issued = await submit(() => issue({ sheetId }));
    if (!issued.ok) return;
    const query = { of: issued.data.of, prices: withPrices };
    const path = `/api/consumption-sheets/${sheetId}/account/pdf`;
    const fileName = `${t('sheets.account')} ${sheetId}.pdf`;
    await submit(() => download({ path, query, fileName, prints: true }));
  }
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'p') return;
      event.preventDefault();
      void print();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  return { print, pending };
}

/** Buttons of the moments at which the account was printed or the sheet was closed, and what changed since one. */
function Moments({ account }: { account: AccountView }) {
  const t = useText();
  const format = useFormat();
  const [params, setParams] = useSearchParams();
  const since = params.get('since');
  if (account.issued.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label={t('familyAccount.why')}>
      <Text fw={600}>{t('familyAccount.why')}</Text>
      <Group gap="xs">
        {account.issued.map(({ since: name, at, total }) => (
          <Button
            key={name}
            variant={name === since ? 'filled' : 'default'}
            aria-pressed={name === since}
            onClick={() => setParams(name === since ? {} : { since: name }, { replace: true })}
          >
            {[
              name.startsWith('closing') && t('familyAccount.closing'),
              format.moment(at),
              total !== undefined && format.money(total),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Button>
        ))}
      </Group>
      {since && <AccountChanges sheetId={account.sheet_id} since={since} />}
    </Stack>
  );
}

/** Return the account as its paper without prices has it. */
const withoutPrices = ({ total: _, without_price: __, ...account }: AccountView): AccountView => ({
  ...account,
  days: account.days.map(({ total: _day, ...day }) => ({
    ...day,
    items: day.items.map(({ total: _item, included: _mark, ...item }) => item),
  })),
});

function Account({ account }: { account: AccountView }) {
  const t = useText();
  const format = useFormat();
  const missing = [
    account.without_price ? t('familyAccount.withoutPrice', { count: account.without_price }) : null,
    account.unlisted_items ? t('familyAccount.unlisted', { count: account.unlisted_items }) : null,
    account.late_entries ? t('familyAccount.late', { count: account.late_entries }) : null,
  ].filter((note) => note !== null);
  return (
    <Paper withBorder className={classes.account}>
      {account.total !== undefined && (
        <div className={classes.sum}>
          <span>{t(account.closed ? 'sheets.total' : 'familyAccount.soFar')}</span>
          <span className={classes.money}>{format.money(account.total)}</span>
        </div>
      )}
      {!account.closed && <p className={classes.note}>{t('familyAccount.open')}</p>}
      {account.days.length === 0 && <p className={classes.note}>{t('sheets.nothingRecorded')}</p>}
      {account.days.map(({ day, total, items }) => (
        <section key={day} className={classes.day} aria-label={format.weekday(day)}>
          <h2 className={classes.head}>
            <span className={classes.weekday}>{format.weekday(day)}</span>
            {total !== undefined && <span className={classes.money}>{format.money(total)}</span>}
          </h2>
          <ul className={classes.items}>
            {items.map((item) => (
              <Item key={`${item.name} ${item.articles} ${item.wasted} ${item.included}`} item={item} />
            ))}
          </ul>
        </section>
      ))}
      {account.returned.length > 0 && (
        <p className={classes.note}>
          {t('familyAccount.returned', {
            items: account.returned
              .map(({ name, quantity, articles }) =>
                articles
                  ? t('familyAccount.articles', { name, count: quantity })
                  : format.counted(quantity, name),
              )
              .join(', '),
          })}
        </p>
      )}
      {missing.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </Paper>
  );
}

function Item({ item: { name, quantity, articles, wasted, included, total } }: { item: AccountItemView }) {
  const t = useText();
  const format = useFormat();
  const isCharged = !included && !(wasted && !total);
  const mark = included
    ? t('familyAccount.included')
    : wasted && t(total === 0 ? 'familyAccount.notCharged' : 'familyAccount.wasted');
  return (
    <li className={classes.item}>
      <b className={classes.much}>{!articles && format.quantity(quantity)}</b>
      <span className={classes.name}>
        {articles ? t('familyAccount.articles', { name, count: quantity }) : name}
      </span>
      <span className={classes.amount}>
        {mark && <span className={classes.mark}>{mark}</span>}{' '}
        {isCharged && total !== undefined && <span className={classes.money}>{format.money(total)}</span>}
      </span>
    </li>
  );
}
