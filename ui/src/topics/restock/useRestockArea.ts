import { useSearchParams } from 'react-router-dom';
import { useSession } from '@/session/session';

/** The chosen area, at first the one where the user works, and a function to choose another. */
export function useRestockArea() {
  const [params, setParams] = useSearchParams();
  const ward = useSession().user?.ward?.area?.id;
  const areaId = Number(params.get('area')) || ward;
  return {
    areaId,
    chooseArea: (id: number | null) => id && setParams({ area: String(id) }, { replace: true }),
  };
}
