import { useLocation } from 'react-router-dom';

/** Given to a link as its state, so that a form leads back to where it was opened: `state={useReturnHere()}`. */
export function useReturnState() {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** Where the person came from, with the page, the search and the filters of a list; `otherwise` when nobody said. */
export function useReturnPath(otherwise: string): string {
  const from: unknown = useLocation().state?.from;
  return typeof from === 'string' ? from : otherwise;
}
