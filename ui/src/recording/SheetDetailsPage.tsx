import { Suspense } from 'react';
import { Navigate, useLocation, useParams } from 'react-router-dom';
import { useReadAreaSheetQuery, useReadSheetQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { fullName } from '@/shared/records/fullName';
import { pageOf } from '@/shared/records/sheetAddresses';
import { lazyPart } from '@/shared/ui/lazyPart';
import { SheetHead } from './head/SheetHead';
import { RecordingPage } from './RecordingPage';
import { useArrival } from './scanning/useArrival';

const ArrivalBand = lazyPart(() => import('./scanning/ArrivalBand'));
const DischargeNotice = lazyPart(() => import('./head/DischargeNotice'));

/** Record one patient's consumption. */
export default function SheetDetailsPage() {
  const sheetId = Number(useParams().sheetId);
  return <SheetDetails key={sheetId} sheetId={sheetId} />;
}

function SheetDetails({ sheetId }: { sheetId: number }) {
  const query = useReadSheetQuery({ sheetId }, { refetchOnMountOrArgChange: true });
  // Lists of lines do not know whose sheet it is.
  const isNone = query.data === undefined && query.error !== undefined;
  const page = useReadAreaSheetQuery({ sheetId }, { skip: !isNone });
  const { search, state } = useLocation();
  if (!isNone || page.isError) throwOnError(query);
  const { data: sheet } = query;
  const { person, onSeen } = useArrival();
  if (page.data) {
    return <Navigate to={pageOf(page.data) + search.replace('?', '&')} state={state} replace />;
  }
  return (
    <RecordingPage
      sheetId={sheetId}
      query={query}
      name={sheet && `${fullName(sheet.patient)} · ${sheet.room.name}`}
      patientId={sheet?.patient_id}
      notice={
        person && (
          <Suspense>
            <ArrivalBand person={person} onSeen={onSeen} />
          </Suspense>
        )
      }
      head={(shared) => sheet && <SheetHead sheet={sheet} {...shared} />}
    >
      {sheet && !sheet.closed && (sheet.discharge_proposed_at || sheet.admission_cancelled_at) && (
        <Suspense>
          <DischargeNotice sheet={sheet} />
        </Suspense>
      )}
    </RecordingPage>
  );
}
