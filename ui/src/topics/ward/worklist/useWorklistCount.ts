import { useCountWorklistQuery } from '@/api/generated';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';

/** Differs by page, so that the devices of a hospital do not ask at the same time. */
const INTERVAL = 60_000 + Math.round(Math.random() * 15_000);

/**
 * Return how much waits for the supervisor.
 *
 * It is undefined for other users. Polled while the page is visible and not locked.
 */
export function useWorklistCount(): number | undefined {
  const mayManage = useCan('late_entries.manage');
  const { locked } = useSession();
  const { data } = useCountWorklistQuery(undefined, {
    skip: !mayManage,
    pollingInterval: locked ? 0 : INTERVAL,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
  });
  return mayManage ? data?.count : undefined;
}
