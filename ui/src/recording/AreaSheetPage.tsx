import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { type UseReason, useOpenAreaSheetQuery, useReadAreaSheetQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { PageLoader } from '@/shared/ui/PageLoader';
import { AreaHead } from './head/AreaHead';
import { RecordingPage } from './RecordingPage';

/** Record what an area uses for no patient: on its page of this month, or on the page of the address. */
export default function AreaSheetPage() {
  const areaId = Number(useParams().areaId);
  const [params] = useSearchParams();
  const named = Number(params.get('sheet')) || null;
  return <OpenedPage key={`${areaId} ${named}`} areaId={areaId} named={named} />;
}

function OpenedPage({ areaId, named }: { areaId: number; named: number | null }) {
  // A page that was opened stays, even if another month begins meanwhile.
  const [sheetId, setSheetId] = useState(named);
  const opened = useOpenAreaSheetQuery({ areaId }, { skip: sheetId !== null });
  if (sheetId === null && opened.currentData) setSheetId(opened.currentData.id);
  // Another person who unlocks the screen begins without a reason.
  const userId = useSession().user?.id;
  if (sheetId !== null) return <AreaSheet key={userId} sheetId={sheetId} />;
  throwOnError(opened);
  return <PageLoader />;
}

function AreaSheet({ sheetId }: { sheetId: number }) {
  const t = useText();
  const query = useReadAreaSheetQuery({ sheetId }, { refetchOnMountOrArgChange: 1 });
  throwOnError(query);
  const { data: sheet } = query;
  // Forgotten with the visit, so that no earlier reason is taken for this one.
  const [reason, setReason] = useState<UseReason | ''>('');
  const isWide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  return (
    <RecordingPage
      sheetId={sheetId}
      query={query}
      name={sheet && t('area.of', { area: sheet.area.name })}
      reason={reason}
      onReason={setReason}
      head={(shared) =>
        sheet && (
          <AreaHead sheet={sheet} {...shared} reason={reason} onReason={setReason} isWide={isWide === true} />
        )
      }
    />
  );
}
