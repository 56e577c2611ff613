import { Navigate, useParams } from 'react-router-dom';
import { useReadSheetQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { pageOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';

/** Redirect to the details of an open sheet, or to the closed sheet. */
export default function SheetPage() {
  const { id } = useParams();
  const sheet = useReadSheetQuery({ sheetId: Number(id) });
  throwOnError(sheet);
  return sheet.data ? <Navigate to={pageOf(sheet.data)} replace /> : <PageLoader />;
}
