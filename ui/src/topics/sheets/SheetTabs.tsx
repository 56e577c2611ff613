import { ListTabs } from '@/shared/lists/ListTabs';

/** Switch between the lists of sheets. */
export const SheetTabs = ({ here }: { here: 'open' | 'closed' | 'areas' }) => (
  <ListTabs
    label="sheets.lists"
    lists={[
      { to: '/consumption-sheets', label: 'sheets.toOpen', here: here === 'open' },
      { to: '/consumption-sheets/closed', label: 'sheets.closed.title', here: here === 'closed' },
      { to: '/consumption-sheets/areas', label: 'area.tab', here: here === 'areas' },
    ]}
  />
);
