import { Text } from '@mantine/core';
import { IconPencil, IconTags, IconTrash } from '@tabler/icons-react';
import { type CategoryView, useDeleteCategoryMutation, useListCategoriesQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Column, sortAmong } from '@/shared/lists/DataTable';
import { ListPage } from '@/shared/lists/ListPage';
import { RowLink } from '@/shared/lists/RowLink';
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
        menu={
          mayManage
            ? (category) => ({
                of: category.name,
                items: [
                  { label: t('categories.edit'), icon: IconPencil, run: () => rename(category) },
                  {
                    label: t('categories.delete'),
                    icon: IconTrash,
                    danger: true,
                    run: () => void remove(category),
                  },
                ],
              })
            : undefined
        }
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
