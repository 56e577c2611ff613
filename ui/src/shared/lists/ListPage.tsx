import { Anchor, Button, Group, Paper, Stack, Title, VisuallyHidden } from '@mantine/core';
import { type Icon, IconFileImport, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Meta, Noun } from '@/api/generated';
import { throwOnError, toProblem } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { EmptyState } from '@/shared/ui/EmptyState';
import type { MoreItem } from '@/shared/ui/OverflowMenu';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { useReturnState } from '@/shared/ui/useReturnPath';
import { type Column, DataTable, type RowMenu } from './DataTable';
import { ListToolbar } from './ListToolbar';
import type { Filter } from './listFilters';
import { Pager } from './Pager';
import { SearchField } from './SearchField';
import { type Export, useExport } from './useExport';
import type { ListState } from './useListState';

/** Another way to add to the list, such as an import. */
export interface BesideAction {
  label: MessageId;
  to: string;
  icon: Icon;
}

/** The button that adds to the list: a link to a form, or an action. */
type Create = { label: MessageId } & ({ to: string } | { run: () => void });

interface Props<Row> {
  title: MessageId;
  /** Whether it has a visible title, on a page with other content above the list. */
  headed?: boolean;
  list: ListState;
  answer: { data?: { items: Row[]; meta: Meta }; isFetching: boolean; error?: unknown };
  columns: Column<Row>[];
  /** The menu at the end of each row. */
  menu?: (row: Row) => RowMenu;
  /** The server's order when the address names none. */
  defaultSort: string;
  /** Label of the search field. Without one there is no search. */
  search?: MessageId;
  /** Filters in addition to the search. */
  filters?: Filter[];
  exportFrom: Export;
  /** Tabs of related lists. */
  tabs?: ReactNode;
  /** Only for users who may create. */
  create?: Create;
  /** Buttons beside the main one; on narrow screens they are in the overflow menu. */
  beside?: BesideAction[];
  /** What an import adds to the list, for users who may import. */
  imports?: Noun;
  /** More actions for the overflow menu, before the exports. */
  more?: MoreItem[];
  empty: { icon: Icon; title: MessageId; hint: MessageId };
  /** Suggestions if the search finds nothing. */
  offer?: ReactNode;
}

/** Page of a list: search, filters, actions, table and pager. */
export function ListPage<Row extends { id: number }>({
  title,
  headed = false,
  list,
  answer,
  columns,
  menu,
  defaultSort,
  search,
  filters = [],
  exportFrom,
  tabs,
  create,
  beside: others = [],
  imports,
  more = [],
  empty,
  offer,
}: Props<Row>) {
  const t = useText();
  const { data, isFetching, error } = answer;
  const problem = error ? toProblem(error) : undefined;
  // The list is too long to be sorted as requested.
  const refusal = problem?.status === 422 ? problem.messages[0]?.text : undefined;
  if (!refusal) throwOnError(answer);
  const mayImport = useCan('imports.run');
  const beside =
    imports && mayImport
      ? [
          ...others,
          { label: 'list.import', to: `/imports/create?noun=${imports}`, icon: IconFileImport } as const,
        ]
      : others;
  const nothing = data?.meta.total === 0;
  const narrowed = Boolean(list.q) || filters.some(({ value }) => value !== undefined);
  const exported = useExport({ ...exportFrom, name: t(title), disabled: nothing });
  const buttons = (create || beside.length > 0) && <AddButtons create={create} beside={beside} />;
  const EmptyIcon = empty.icon;
  return (
    <Stack gap="xs">
      {tabs}
      {headed && (
        <Title order={2} size="h3">
          {t(title)}
        </Title>
      )}
      <ListToolbar
        list={list}
        search={search && <SearchField list={list} label={t(search)} />}
        filters={filters}
        more={
          <OverflowMenuButton
            label={t('details.moreActions')}
            items={[
              ...more,
              ...exported.items,
              // Last, because the first item takes the focus, and these are hidden on wide screens.
              ...beside.map(({ label, to, icon }) => ({ label: t(label), to, icon, onlyNarrow: true })),
            ]}
            busy={exported.busy}
          />
        }
        primary={!(nothing && !narrowed) && buttons}
      />
      <Paper withBorder>
        {refusal ? (
          <EmptyState title={refusal}>
            <Anchor component={Link} to={list.hrefWith({ sort: undefined })}>
              {t('list.unsort')}
            </Anchor>
          </EmptyState>
        ) : nothing ? (
          <EmptyState
            icon={<EmptyIcon size={40} stroke={1.25} aria-hidden />}
            title={t(narrowed ? 'list.nothingFound' : empty.title)}
            hint={t(narrowed ? 'list.nothingFoundHint' : empty.hint)}
          >
            {narrowed ? offer : buttons}
          </EmptyState>
        ) : (
          <DataTable
            caption={t(title)}
            columns={columns}
            rows={data?.items}
            rowKey={({ id }) => id}
            menu={menu}
            list={list}
            // Search results are sorted by relevance.
            defaultSort={list.q ? undefined : defaultSort}
            stale={isFetching}
          />
        )}
      </Paper>
      {data && !refusal && <Pager list={list} meta={data.meta} shown={data.items.length} />}
      <VisuallyHidden role="status">
        {data && !isFetching && !nothing && !refusal && t('list.found', { total: data.meta.total })}
      </VisuallyHidden>
    </Stack>
  );
}

function AddButtons({ create, beside }: { create?: Create; beside: BesideAction[] }) {
  return (
    <Group gap="sm" justify="center" wrap="nowrap">
      {beside.map((action) => (
        <BesideButton key={action.to} {...action} />
      ))}
      {create && <CreateButton {...create} />}
    </Group>
  );
}

function BesideButton({ label, to, icon: ItsIcon }: BesideAction) {
  const t = useText();
  const here = useReturnState();
  return (
    <Button
      component={Link}
      to={to}
      state={here}
      variant="default"
      visibleFrom="md"
      leftSection={<ItsIcon size={20} aria-hidden />}
    >
      {t(label)}
    </Button>
  );
}

function CreateButton({ label, ...how }: Create) {
  const t = useText();
  const here = useReturnState();
  const look = {
    'data-shortcut': 'new',
    leftSection: <IconPlus size={20} aria-hidden />,
    children: t(label),
  };
  return 'to' in how ? (
    <Button component={Link} to={how.to} state={here} {...look} />
  ) : (
    <Button onClick={() => how.run()} {...look} />
  );
}
