import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import {
  type ProductCodeView,
  type ProductView,
  useListProductCodesQuery,
  useRemoveProductCodeMutation,
} from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Column, DataTable } from '@/shared/lists/DataTable';
import tableClasses from '@/shared/lists/table.module.css';
import { useListState } from '@/shared/lists/useListState';
import { ClampedText } from '@/shared/ui/ClampedText';
import { useCodeDialog } from '../CodeDialog';
import { systemName } from '../codeSystems';

/** List all codes of a product, for users who manage the catalogue. */
export function ProductCodes({ product }: { product: ProductView }) {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const confirm = useConfirm();
  const [removeCode] = useRemoveProductCodeMutation();
  const { submit } = useSubmit();
  const { ask, dialog } = useCodeDialog();
  const { currentData: codes } = useListProductCodesQuery({ productId: product.id });
  if (!codes) return null;

  async function remove({ id, code }: ProductCodeView) {
    const sure = await confirm({
      question: 'codes.remove.question',
      action: 'codes.remove',
      danger: true,
      children: <Text>{code}</Text>,
    });
    if (sure) await submit(() => removeCode({ codeId: id }), { success: 'codes.removed' });
  }

  const columns: Column<ProductCodeView>[] = [
    {
      label: 'products.code',
      cell: ({ code }) => <ClampedText className={tableClasses.whole}>{code}</ClampedText>,
    },
    { label: 'codes.system', cell: ({ system }) => systemName(t, system) },
    {
      label: 'codes.units',
      numeric: true,
      cell: ({ units }) => [format.quantity(units), product.unit].filter(Boolean).join(' '),
    },
    { label: 'codes.label', minor: true, cell: ({ label }) => label },
  ];
  return (
    <Paper withBorder component="section" aria-labelledby="codes" style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="1.25rem" py="xs">
        <Title order={2} size="h3" id="codes">
          {t('codes.title')}
        </Title>
        <Button
          variant="default"
          leftSection={<IconPlus size={20} aria-hidden />}
          onClick={() => ask({ product })}
        >
          {t('codes.add')}
        </Button>
      </Group>
      {codes.items.length === 0 ? (
        <Text c="dimmed" px="1.25rem" pb="md">
          {t('codes.none')}
        </Text>
      ) : (
        <DataTable
          caption={t('codes.title')}
          columns={columns}
          rows={codes.items}
          rowKey={({ id }) => id}
          menu={(code) => ({
            of: code.code,
            items: [
              { label: t('codes.remove'), icon: IconTrash, danger: true, run: () => void remove(code) },
            ],
          })}
          list={list}
        />
      )}
      {dialog}
    </Paper>
  );
}
