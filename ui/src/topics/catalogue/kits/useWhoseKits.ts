import { useLocation } from 'react-router-dom';

/**
 * Return the path of the list that contains a kit.
 *
 * That is the user's own list, or the hospital's.
 */
export const homeOf = ({ own }: { own: boolean }) => (own ? '/users/account/kits' : '/products/kits');

/**
 * Return whose kits the page shows, according to its URL.
 *
 * They are the user's own kits, or the hospital's.
 */
export function useWhoseKits() {
  const own = useLocation().pathname.startsWith(homeOf({ own: true }));
  return { own, home: homeOf({ own }) };
}
