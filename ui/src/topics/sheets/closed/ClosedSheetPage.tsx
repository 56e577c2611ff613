import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory, IconId, IconPrinter, IconReceipt } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import { type ChargingView, type SheetView, useReadSheetQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { DownloadReportButton } from '@/shared/forms/DownloadReportButton';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { accountOf, detailsOf } from '@/shared/records/sheetAddresses';
import { DescriptionItem } from '@/shared/ui/DescriptionList';
import { lazyPart } from '@/shared/ui/lazyPart';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePageTitle } from '@/shared/ui/pageName';
import { DeleteSheetButton } from '../DeleteSheetButton';
import { implantCardOf, paperOf } from '../paperOf';
import { Closings } from './Closings';
import { ConsumptionByDay } from './ConsumptionByDay';
import { PatientBanner } from './PatientBanner';
import { ReopenSheetButton } from './ReopenSheetButton';
import { UndoClosingButton } from './UndoClosingButton';
import { useClosedSheet } from './useClosedSheet';

const LateEntries = lazyPart(() => import('../offline/LateEntries'));
const UnlistedItems = lazyPart(() => import('../offline/UnlistedItems'));

/**
 * Show one closed sheet.
 *
 * An open sheet is redirected to its details.
 */
export default function ClosedSheetPage() {
  const { id } = useParams();
  const sheet = useReadSheetQuery({ sheetId: Number(id) });
  throwOnError(sheet);
  if (!sheet.data) return <PageLoader />;
  if (!sheet.data.closed) return <Navigate to={detailsOf(sheet.data)} replace />;
  return <ClosedSheet key={sheet.data.id} sheet={sheet.data} />;
}

const chargingWords: Record<ChargingView['state'], MessageId> = {
  waiting: 'sheets.charging.waiting',
  sent: 'sheets.charging.sent',
  dead: 'sheets.charging.dead',
};

/**
 * Show the state of the message to billing.
 *
 * It links to the messages for users who may read them.
 */
function Charging({ charging: { state, at } }: { charging: ChargingView }) {
  const t = useText();
  const format = useFormat();
  const mayRead = useCan('messages.read');
  const said = t(chargingWords[state], { at: at ? format.moment(at) : '' });
  if (state === 'sent' || !mayRead) return said;
  return (
    <Anchor
      component={Link}
      to={state === 'dead' ? '/messages/outbound' : '/messages/outbound?state=waiting'}
    >
      {said}
    </Anchor>
  );
}

function ClosedSheet({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const format = useFormat();
  const mayReadHistory = useCan('sheets.history');
  const mayReadImplants = useCan('implants.read');
  const mayDecide = useCan('late_entries.manage');
  const [download] = useDownloadMutation();
  const { submit, pending } = useSubmit();
  const { shown, details, error } = useClosedSheet(sheet);
  usePageTitle(fullName(sheet.patient));
  throwOnError({ error, data: details });
  return (
    <Stack gap="md">
      <PatientBanner sheet={shown}>
        <DescriptionItem name={t('sheets.closedAt')}>
          {sheet.deleted_at && format.moment(sheet.deleted_at)}
        </DescriptionItem>
        {sheet.total !== undefined && (
          <DescriptionItem name={t('sheets.total')}>{format.money(sheet.total)}</DescriptionItem>
        )}
        {sheet.charging && (
          <DescriptionItem name={t('sheets.charging')}>
            <Charging charging={sheet.charging} />
          </DescriptionItem>
        )}
      </PatientBanner>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconPrinter size={20} aria-hidden />}
          loading={pending}
          onClick={() => submit(() => download(paperOf(sheet.id, t)))}
        >
          {t('action.print')}
        </Button>
        <DownloadReportButton
          path={`/api/consumption-sheets/${sheet.id}/pdf`}
          name={t('sheets.reportFile', { id: sheet.id })}
        />
        {mayReadImplants && details?.some(({ product }) => product.implant) && (
          <Button
            variant="default"
            leftSection={<IconId size={20} aria-hidden />}
            loading={pending}
            onClick={() => submit(() => download(implantCardOf(sheet.id, t)))}
          >
            {t('implants.card')}
          </Button>
        )}
        <Button
          component={Link}
          to={accountOf(sheet)}
          variant="default"
          leftSection={<IconReceipt size={20} aria-hidden />}
        >
          {t('sheets.account')}
        </Button>
        {mayReadHistory && (
          <Button
            component={Link}
            to={`/consumption-sheets/${sheet.id}/history`}
            variant="default"
            leftSection={<IconHistory size={20} aria-hidden />}
          >
            {t('sheets.history.title')}
          </Button>
        )}
        <ReopenSheetButton sheet={sheet} />
        <DeleteSheetButton sheet={sheet} />
        <UndoClosingButton sheet={sheet} />
      </Group>
      {mayDecide && Boolean(sheet.late_entries) && (
        <Suspense>
          <LateEntries sheet={sheet} />
        </Suspense>
      )}
      {Boolean(sheet.unlisted_items) && (
        <Suspense>
          <UnlistedItems sheet={sheet} />
        </Suspense>
      )}
      <Closings sheet={sheet} />
      {!details && <PageLoader />}
      {details?.length === 0 && <Text c="dimmed">{t('sheets.nothingRecorded')}</Text>}
      {details && details.length > 0 && <ConsumptionByDay details={details} total={sheet.total} />}
    </Stack>
  );
}
