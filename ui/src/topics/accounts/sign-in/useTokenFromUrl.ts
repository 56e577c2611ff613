import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/**
 * Take the link's secret out of the URL at once.
 *
 * URLs are stored in histories and may be seen by others.
 */
export function useTokenFromUrl() {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(params.get('token'));
  const told = params.has('token');
  useEffect(() => {
    if (told) navigate(pathname, { replace: true });
  }, [told, pathname, navigate]);
  return token;
}
