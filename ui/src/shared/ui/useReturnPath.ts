import { useLocation } from 'react-router-dom';

/**
 * Return the link state for a form that leads back to this page.
 *
 *     state={useReturnState()}
 */
export function useReturnState() {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/**
 * Return the previous page, with the search and filters of its list.
 *
 * It is `otherwise` if the link had no state.
 */
export function useReturnPath(otherwise: string): string {
  const from: unknown = useLocation().state?.from;
  return typeof from === 'string' ? from : otherwise;
}
