import { useCan } from '@/session/useCan';
import { ListTabs } from '@/shared/lists/ListTabs';

const lists = [
  { to: '/products', label: 'products.title' },
  { to: '/products/categories', label: 'categories.title' },
  { to: '/products/kits', label: 'kits.title' },
  { to: '/products/unknown-codes', label: 'codes.unknown' },
] as const;

/** Tabs of the lists of the catalogue, for users who maintain it. */
export function CatalogueTabs({ at }: { at: (typeof lists)[number]['to'] }) {
  const mayManage = useCan('catalogue.manage');
  if (!mayManage) return null;
  return <ListTabs label="products.lists" lists={lists.map((list) => ({ ...list, here: list.to === at }))} />;
}
