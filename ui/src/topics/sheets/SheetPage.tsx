import { Navigate, useParams } from 'react-router-dom';
import { useReadSheetQuery } from '@/api/generated';
import { throwOnError, toProblem } from '@/api/problem';
import { detailsOf, pageOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';

/** Redirect to the details of an open sheet, or to the closed sheet. */
export default function SheetPage() {
  const { id } = useParams();
  const sheet = useReadSheetQuery({ sheetId: Number(id) });
  // The number may be that of an area's page, which its address knows.
  if (sheet.error && toProblem(sheet.error).status === 404)
    return <Navigate to={detailsOf({ id: Number(id) })} replace />;
  throwOnError(sheet);
  return sheet.data ? <Navigate to={pageOf(sheet.data)} replace /> : <PageLoader />;
}
