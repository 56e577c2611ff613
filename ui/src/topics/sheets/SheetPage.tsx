import { Navigate, useParams } from 'react-router-dom';
import { throwOnError } from '@/api/problem';
import { pageOf } from '@/shared/records/sheetAddresses';
import { PageLoader } from '@/shared/ui/PageLoader';
import { useSubject } from './useSubject';

/** Redirect to the details of an open sheet, to the closed sheet, or to the page of an area. */
export default function SheetPage() {
  const { id } = useParams();
  const sheet = useSubject(Number(id));
  throwOnError(sheet);
  return sheet.data ? <Navigate to={pageOf(sheet.data)} replace /> : <PageLoader />;
}
