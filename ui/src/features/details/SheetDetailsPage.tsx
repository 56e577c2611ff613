import { Alert, Anchor, Paper, Stack, VisuallyHidden } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useReadSheetQuery } from '@/api/generated';
import { failOn } from '@/api/problem';
import { useSheetDetailsInfiniteQuery } from '@/api/sheetDetails';
import { PageLoader } from '@/components/PageLoader';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { AddDetailForm } from './AddDetailForm';
import { DetailsHeader } from './DetailsHeader';
import { DetailsTable } from './DetailsTable';
import { SheetBanner } from './SheetBanner';
import { UnrecordedNotice } from './UnrecordedNotice';
import { useAddDetail } from './useAddDetail';
import { useDetailForm } from './useDetailForm';

/** Where people spend their day: what one patient consumes, recorded line by line. */
export function SheetDetailsPage() {
  const sheetId = Number(useParams().sheetId);
  return <SheetDetails key={sheetId} sheetId={sheetId} />;
}

/** Others write on the same sheet: look again whenever this page comes back into view. */
const fresh = { refetchOnMountOrArgChange: true, refetchOnFocus: true, refetchOnReconnect: true };

function SheetDetails({ sheetId }: { sheetId: number }) {
  const t = useText();
  const format = useFormat();
  const mayAdd = useCan('details.add');
  const sheet = useReadSheetQuery({ sheetId }, fresh);
  const pages = useSheetDetailsInfiniteQuery(sheetId, fresh);
  failOn(sheet);
  failOn(pages);
  const form = useDetailForm();
  const details = useMemo(() => pages.data?.pages.flatMap(({ items }) => items), [pages.data]);
  const adding = useAddDetail(sheetId, form, details);

  if (!sheet.data || !details) return <PageLoader />;
  const { closed, deleted_at, consumptions } = sheet.data;
  const lines = consumptions.reduce((sum, day) => sum + day.details, 0);
  const last = adding.recorded.at(-1);
  return (
    <Stack gap="md">
      <SheetBanner sheet={sheet.data} lines={lines} stale={sheet.isFetching} />
      {closed && (
        <Alert icon={<IconLock aria-hidden />} title={t('details.closed')} color="gray" role="status">
          {deleted_at && t('details.closedAt', { at: format.moment(deleted_at) })}{' '}
          <Anchor component={Link} to={`/consumption-sheets/closed/${sheetId}`}>
            {t('details.seeClosed')}
          </Anchor>
        </Alert>
      )}
      {!closed && mayAdd && <AddDetailForm form={form} onAdd={adding.add} />}
      <UnrecordedNotice closed={closed} adding={adding} form={form} />
      <VisuallyHidden role="status">
        {last &&
          t('details.recorded', { quantity: format.quantity(last.quantity), product: last.product.name })}
      </VisuallyHidden>
      <Paper withBorder component="section" aria-labelledby="details-title">
        <DetailsHeader sheet={sheet.data} lines={lines} unrecorded={adding.unrecorded.length > 0} />
        <DetailsTable
          closed={closed}
          entries={adding.entries}
          stopped={adding.stopped}
          recorded={adding.recorded}
          details={details}
          more={pages.hasNextPage ? lines - details.length : 0}
          onMore={pages.fetchNextPage}
          loadingMore={pages.isFetchingNextPage}
        />
      </Paper>
    </Stack>
  );
}
