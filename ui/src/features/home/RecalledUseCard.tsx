import { Button, Paper, Text, Title } from '@mantine/core';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconPackageOff from '@tabler/icons-react/dist/esm/icons/IconPackageOff.mjs';
import { Link } from 'react-router-dom';
import { type OverviewView, type RecalledUseView, useAcknowledgeRecalledUseMutation } from '@/api/generated';
import { useSubmit } from '@/components/forms/useSubmit';
import { fullName } from '@/components/people/fullName';
import { ClampedText } from '@/components/ui/ClampedText';
import { StatusBadge } from '@/components/ui/StatusBadge';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './home.module.css';

/**
 * List uses of recalled products that are not marked as seen.
 *
 * Users who manage recalls see them and mark them.
 */
export function RecalledUseCard({ overview }: { overview: OverviewView }) {
  const t = useText();
  const { recalled = [], recalled_total: total = 0 } = overview;
  if (recalled.length === 0) return null;
  return (
    <section aria-labelledby="recalled">
      <div className={classes.head}>
        <Title order={2} id="recalled" className={classes.alarm}>
          <IconPackageOff size={20} aria-hidden />
          <span>{t('home.recalled')}</span>
        </Title>
      </div>
      <Paper withBorder className={classes.card}>
        <Text c="dimmed" size="sm" px="md" pt="xs">
          {t('home.recalledHint')}
        </Text>
        <ul className={classes.list}>
          {recalled.map((use) => (
            <Use key={use.detail_id} use={use} />
          ))}
        </ul>
        {total > recalled.length && (
          <Text c="dimmed" size="sm" px="md" pb="sm">
            {t('home.recalledMore', { more: total - recalled.length })}
          </Text>
        )}
      </Paper>
    </section>
  );
}

function Use({ use }: { use: RecalledUseView }) {
  const t = useText();
  const format = useFormat();
  const [see] = useAcknowledgeRecalledUseMutation();
  const { submit, pending } = useSubmit();
  const { detail_id: detailId, product, patient, room, closed, lot, quantity, at, by, reason } = use;
  return (
    <li className={`${classes.item} ${classes.recalled}`}>
      <Link to={`/consumption-sheet-details/${detailId}`} className={classes.odd}>
        <span>
          <ClampedText className={classes.about}>
            {`${format.quantity(quantity)} × ${product.name}${lot ? ` · ${t('home.lot', { lot })}` : ''}`}
          </ClampedText>{' '}
          <ClampedText>{`${fullName(patient)} · ${room}`}</ClampedText>{' '}
          {reason && <ClampedText>{t('home.recalledReason', { reason })}</ClampedText>}{' '}
          <span className={classes.note}>
            <span>{[format.moment(at), by].join(' · ')}</span>{' '}
            {closed && <StatusBadge is="sheet.closed">{t('details.closed')}</StatusBadge>}
          </span>
        </span>
      </Link>
      <Button
        variant="default"
        loading={pending}
        leftSection={<IconEye size={20} aria-hidden />}
        aria-label={t('home.seenOf', { product: product.name, patient: fullName(patient) })}
        onClick={() => submit(() => see({ detailId }))}
      >
        {t('home.seen')}
      </Button>
    </li>
  );
}
