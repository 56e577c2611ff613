import { Outlet, useParams } from 'react-router-dom';
import NotFoundPage from './NotFoundPage';

/**
 * Show a page only if the parameters of its address are numbers.
 *
 * Records have no other names in addresses.
 */
export function RequireNumericParams() {
  const numbers = Object.entries(useParams()).filter(([name]) => name !== '*');
  return numbers.every(([, number]) => /^[0-9]{1,15}$/.test(number ?? '')) ? <Outlet /> : <NotFoundPage />;
}
