import { Text } from '@mantine/core';
import type { ConsumptionBy, ConsumptionRowView } from '@/api/generated';
import { useCan } from '@/session/useCan';
import { RowLink } from '@/shared/lists/RowLink';
import type { ListState } from '@/shared/lists/useListState';
import { ClampedText } from '@/shared/ui/ClampedText';
import { lastOf } from './comparison';
import classes from './RowName.module.css';
import { useNameOfRow } from './useNameOfRow';

interface Props {
  by: ConsumptionBy;
  row: ConsumptionRowView;
  list: ListState;
}

/**
 * Name a row, with a link.
 *
 * It leads to the consumption of that day or place, or to the record itself.
 */
export function RowName({ by, row, list }: Props) {
  const name = useNameOfRow(by)(row);
  const readsPatients = useCan('patients.read');
  const managesCatalogue = useCan('catalogue.manage');
  const managesStaff = useCan('staff.manage');
  const note = [row.category_code, row.code, row.record_number, row.unit].filter(Boolean).join(' · ');

  function way() {
    const closer = (change: Record<string, string>) => list.hrefWith({ sort: '', ...change });
    if (by === 'day') return closer({ by: 'product', from: row.key, to: row.key });
    if (by === 'month') return closer({ by: 'day', from: `${row.key}-01`, to: lastOf(row.key) });
    if (row.id === null) return null;
    if (by === 'area') return closer({ by: 'product', area: row.key });
    if (by === 'product' && managesCatalogue) return `/products/${row.id}`;
    if (by === 'patient' && readsPatients) return `/patients/${row.id}`;
    if (by === 'staff' && managesStaff) return `/staff/${row.id}`;
    return null;
  }

  const to = way();
  return (
    <span>
      {to ? <RowLink to={to}>{name}</RowLink> : <ClampedText entire>{name}</ClampedText>}
      {note && (
        <Text span size="sm" c="dimmed">
          {' '}
          <ClampedText className={classes.note}>{note}</ClampedText>
        </Text>
      )}
    </span>
  );
}
