import { Button } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { useText } from '@/i18n/useText';
import { DataTable } from '@/shared/lists/DataTable';
import { useListState } from '@/shared/lists/useListState';
import classes from './months.module.css';

const MAX_FOLDED = 50;

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'list' | 'rows'> & { rows: Row[] };

/** A table of which only the first rows are shown until the user wants all of them. */
export function FoldedTable<Row>({ rows, ...table }: Props<Row>) {
  const t = useText();
  const list = useListState();
  const [isOpen, setOpen] = useState(rows.length <= MAX_FOLDED);
  return (
    <>
      <DataTable {...table} list={list} rows={isOpen ? rows : rows.slice(0, MAX_FOLDED)} />
      {!isOpen && (
        <Button variant="subtle" fullWidth className={classes.all} onClick={() => setOpen(true)}>
          {t('list.all', { total: rows.length })}
        </Button>
      )}
    </>
  );
}
