import { useLocation } from 'react-router-dom';

/** Where a person's own kits are kept, and where the hospital's. */
export const homeOf = ({ own }: { own: boolean }) => (own ? '/users/account/kits' : '/products/kits');

/** Whose kits the page is about: by its address, the person's own or the hospital's. */
export function useWhoseKits() {
  const own = useLocation().pathname.startsWith(homeOf({ own: true }));
  return { own, home: homeOf({ own }) };
}
