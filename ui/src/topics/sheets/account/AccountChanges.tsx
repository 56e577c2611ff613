import { Text } from '@mantine/core';
import { type AccountDifferenceView, useCompareAccountsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { PageLoader } from '@/shared/ui/PageLoader';
import classes from './account.module.css';

const kinds: Record<AccountDifferenceView['kind'], MessageId> = {
  added: 'familyAccount.added',
  corrected: 'familyAccount.corrected',
  returned: 'familyAccount.cameBack',
  wasted: 'familyAccount.wasted',
  voided: 'familyAccount.voided',
  moved: 'familyAccount.moved',
};

interface Props {
  sheetId: number;
  since: string;
}

/** Tell why the account of a sheet is another one than at a moment. */
export function AccountChanges({ sheetId, since }: Props) {
  const t = useText();
  const format = useFormat();
  const changes = useCompareAccountsQuery({ sheetId, since }, { refetchOnMountOrArgChange: true });
  throwOnError(changes);
  const told = changes.currentData;
  if (!told) return <PageLoader />;
  const moment = format.moment(told.since);
  const { difference, items } = told;
  const amount = difference === undefined ? '' : format.money(Math.abs(difference));
  return (
    <div className={classes.changes} role="status">
      <Text fw={600}>
        {items.length === 0
          ? t('familyAccount.same', { moment })
          : difference === undefined
            ? t('familyAccount.changed', { moment })
            : t('familyAccount.difference', {
                moment,
                amount,
                how: difference > 0 ? 'more' : difference < 0 ? 'less' : 'same',
              })}
      </Text>
      <ul className={classes.items}>
        {items.map(({ kind, name, quantity, articles, amount: part }) => (
          <li key={`${kind} ${name} ${articles}`} className={classes.item}>
            <span className={classes.name}>
              {[
                articles
                  ? t('familyAccount.articles', { name, count: Math.abs(quantity) })
                  : quantity
                    ? format.counted(Math.abs(quantity), name)
                    : name,
                t(kinds[kind]),
              ].join(' · ')}
            </span>
            {part !== undefined && part !== 0 && (
              <span className={classes.amount}>{format.signedMoney(part)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
