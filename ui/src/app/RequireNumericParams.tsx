import { Outlet, useParams } from 'react-router-dom';
import NotFoundPage from './NotFoundPage';

/** Shows a page whose address names a thing by its number; there is none by any other name. */
export function RequireNumericParams() {
  const numbers = Object.entries(useParams()).filter(([name]) => name !== '*');
  return numbers.every(([, number]) => /^[0-9]{1,15}$/.test(number ?? '')) ? <Outlet /> : <NotFoundPage />;
}
