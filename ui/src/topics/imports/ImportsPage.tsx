import { Anchor, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { type ImportView, useListImportsQuery } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { useListState } from '@/shared/lists/useListState';
import { ClampedText } from '@/shared/ui/ClampedText';
import classes from './imports.module.css';
import { type ImportableNoun, nouns } from './nouns';
import { UndoImportButton } from './UndoImportButton';

/** List the imported files, the latest first. */
export default function ImportsPage() {
  const t = useText();
  const format = useFormat();
  const undoes = useCan('imports.undo');
  const list = useListState();

  const columns: Column<ImportView>[] = [
    {
      label: 'imports.file',
      cell: ({ file_name }) => (
        <Text span fw={600}>
          <ClampedText entire>{file_name}</ClampedText>
        </Text>
      ),
    },
    { label: 'imports.noun', cell: ({ noun }) => t(nouns[noun as ImportableNoun].name) },
    {
      label: 'imports.when',
      sort: 'id',
      cell: ({ at, user }) => (
        <span className={classes.when}>
          <span>{format.moment(at)}</span>
          <Text span size="sm" c="dimmed" className={classes.who}>
            {user.email}
          </Text>
        </span>
      ),
    },
    { label: 'imports.created', numeric: true, cell: ({ created }) => format.quantity(created) },
    { label: 'imports.changed', numeric: true, minor: true, cell: ({ changed }) => format.quantity(changed) },
    { label: 'imports.refused', numeric: true, minor: true, cell: ({ refused }) => format.quantity(refused) },
    {
      label: 'users.cards.title',
      minor: true,
      cell: ({ id, noun, undone_at }) =>
        noun === 'users' &&
        !undone_at && (
          <Anchor component={Link} to={`/users/cards?import=${id}`}>
            {t('action.print')}
          </Anchor>
        ),
    },
    {
      label: 'imports.undoing',
      apart: true,
      cell: ({ id, file_name, undone_at }) =>
        undone_at ? (
          <Text span size="sm" c="dimmed">
            {t('imports.undoneAt', { at: format.moment(undone_at) })}
          </Text>
        ) : (
          undoes && <UndoImportButton id={id} fileName={file_name} />
        ),
    },
  ];

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const imports = useListImportsQuery({ page, sort, q });
  return (
    <ListPage
      title="imports.title"
      list={list}
      answer={imports}
      columns={columns}
      defaultSort="-id"
      search="imports.search"
      exportFrom={{ path: '/api/imports', query: { sort, q } }}
      create={{ label: 'imports.create', to: '/imports/create' }}
      empty={{ icon: IconFileImport, title: 'imports.none', hint: 'imports.noneHint' }}
    />
  );
}
