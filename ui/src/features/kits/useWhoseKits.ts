import { useLocation } from 'react-router-dom';

/** Return the path of the list that contains a kit: the user's own kits, or the hospital's. */
export const homeOf = ({ own }: { own: boolean }) => (own ? '/users/account/kits' : '/products/kits');

/** Return whether the page shows the user's own kits or the hospital's, according to its URL. */
export function useWhoseKits() {
  const own = useLocation().pathname.startsWith(homeOf({ own: true }));
  return { own, home: homeOf({ own }) };
}
