import { ActionIcon, Text } from '@mantine/core';
import { IconPencil, IconTags, IconTrash } from '@tabler/icons-react';
import { type CategoryView, useDeleteCategoryMutation, useListCategoriesQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { CatalogueTabs } from '../CatalogueTabs';
import { useCategoryDialog } from './CategoryDialog';

/** List the categories of the catalogue, each with a link to its products. */
export default function CategoriesPage() {
  const t = useText();
  const seesCodes = useCan('prices.see');
  const mayManage = useCan('catalogue.manage');
  const confirm = useConfirm();
  const [deleteCategory] = useDeleteCategoryMutation();
  const { submit } = useSubmit();
  const list = useListState();
  const { create, rename, dialog } = useCategoryDialog();

  async function remove({ id, name }: CategoryView) {
    const sure = await confirm({
      question: 'categories.delete.question',
      action: 'categories.delete',
      danger: true,
      children: <Text>{name}</Text>,
    });
    if (sure) await submit(() => deleteCategory({ categoryId: id }), { success: 'categories.deleted' });
  }

  const columns: Column<CategoryView>[] = [
    {
      label: 'categories.name',
      sort: 'name',
      cell: (category) => <RowLink to={`/products?category=${category.id}`}>{category.name}</RowLink>,
    },
  ];
  if (seesCodes) columns.push({ label: 'categories.code', sort: 'category_code', cell: ({ code }) => code });
  if (mayManage) {
    columns.push({
      label: 'list.actions',
      numeric: true,
      cell: (category) => (
        <>
          <ActionIcon
            className={tableClasses.action}
            onClick={() => rename(category)}
            aria-label={t('categories.editOf', { category: category.name })}
          >
            <IconPencil size={20} aria-hidden />
          </ActionIcon>
          <ActionIcon
            className={tableClasses.action}
            onClick={() => remove(category)}
            aria-label={t('categories.deleteOf', { category: category.name })}
          >
            <IconTrash size={20} aria-hidden />
          </ActionIcon>
        </>
      ),
    });
  }

  const { page, q } = list;
  const sort = sortAmong(columns, list.sort);
  const categories = useListCategoriesQuery({ page, sort, q });
  return (
    <>
      <ListPage
        title="categories.title"
        list={list}
        answer={categories}
        columns={columns}
        defaultSort="name"
        tabs={<CatalogueTabs at="/products/categories" />}
        search="categories.search"
        exportFrom={{ path: '/api/categories', query: { sort, q } }}
        create={mayManage ? { run: create, label: 'categories.create' } : undefined}
        empty={{ icon: IconTags, title: 'categories.none', hint: 'categories.noneHint' }}
      />
      {dialog}
    </>
  );
}
