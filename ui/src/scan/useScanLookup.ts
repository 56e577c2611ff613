import { generatedApi, type ProductLookupView } from '@/api/generated';
import { isAborted, toProblem } from '@/api/problem';
import { showProblem } from '@/components/forms/useSubmit';
import { lockForBadge } from '@/session/lockForBadge';
import { useAppDispatch } from '@/storeHooks';

/**
 * Look up a scanned code.
 *
 * The answer is null if there is nothing to do: a failure is shown, and a badge has locked the screen for its owner.
 */
export function useScanLookup() {
  const dispatch = useAppDispatch();
  return async (code: string): Promise<ProductLookupView | null> => {
    const { data, error } = await dispatch(
      generatedApi.endpoints.lookUpProduct.initiate(
        { scan: code, onlyTried: true },
        { subscribe: false, forceRefetch: true },
      ),
    );
    if (!data) {
      if (!isAborted(error)) showProblem(toProblem(error));
      return null;
    }
    const isUnknown = !data.label && data.people.length + data.matches.length === 0;
    return isUnknown && (await dispatch(lockForBadge(code))) ? null : data;
  };
}
