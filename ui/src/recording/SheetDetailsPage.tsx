import { Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { useReadSheetQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { fullName } from '@/shared/records/fullName';
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
  throwOnError(query);
  const { data: sheet } = query;
  const { person, onSeen } = useArrival();
  return (
    <RecordingPage
      sheetId={sheetId}
      query={query}
      name={sheet && `${fullName(sheet.patient)} · ${sheet.room.name}`}
      patientId={sheet?.patient_id}
      above={
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
