import { ListTabs } from '@/shared/lists/ListTabs';

/** Switch between the two lists of sheets. */
export const SheetTabs = ({ closed }: { closed: boolean }) => (
  <ListTabs
    label="sheets.lists"
    lists={[
      { to: '/consumption-sheets', label: 'sheets.toOpen', here: !closed },
      { to: '/consumption-sheets/closed', label: 'sheets.closed.title', here: closed },
    ]}
  />
);
