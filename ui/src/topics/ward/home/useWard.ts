import { useReadWardQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useSession } from '@/session/session';
import type { Board } from './marks';

/** How often a board that stays open is refetched. */
const REFETCH_INTERVAL_MS = 120_000;

/** Read the rooms where the user works, or of the whole hospital until that is chosen. */
export function useWard() {
  const { user, locked } = useSession();
  const areaId = user?.ward?.area?.id;
  const ward = useReadWardQuery(
    { areaId },
    {
      refetchOnMountOrArgChange: true,
      refetchOnFocus: true,
      // A locked screen shows nothing, so it needs no data.
      pollingInterval: locked ? 0 : REFETCH_INTERVAL_MS,
      skipPollingIfUnfocused: true,
    },
  );
  throwOnError(ward);
  return ward as { data?: Board; currentData?: Board };
}
