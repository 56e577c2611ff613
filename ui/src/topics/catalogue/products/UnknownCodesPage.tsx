import { Paper, Stack, Text } from '@mantine/core';
import { IconBarcode, IconTrash } from '@tabler/icons-react';
import {
  type UnknownCodeView,
  useIgnoreUnknownCodeMutation,
  useListUnknownCodesQuery,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Column, DataTable } from '@/shared/lists/DataTable';
import { RowButton } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { EmptyState } from '@/shared/ui/EmptyState';
import { CatalogueTabs } from '../CatalogueTabs';
import { useCodeDialog } from '../CodeDialog';
import { systemName } from '../codeSystems';

/**
 * List scanned codes without a product.
 *
 * Linking a code to its product removes it from the list.
 */
export default function UnknownCodesPage() {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const { ask, dialog } = useCodeDialog();
  // Other users scan in the meantime.
  const unknown = useListUnknownCodesQuery(undefined, { refetchOnMountOrArgChange: true });
  throwOnError(unknown);
  const confirm = useConfirm();
  const [ignoreCode] = useIgnoreUnknownCodeMutation();
  const { submit } = useSubmit();

  async function ignore({ system, code }: UnknownCodeView) {
    const sure = await confirm({
      question: 'codes.ignore.question',
      action: 'codes.ignore',
      children: (
        <>
          <Text fw={600}>{code}</Text>
          <Text>{t('codes.ignoreHint')}</Text>
        </>
      ),
    });
    if (sure) await submit(() => ignoreCode({ system, code }), { success: 'codes.ignored' });
  }

  const columns: Column<UnknownCodeView>[] = [
    {
      label: 'products.code',
      cell: (code) => <RowButton run={() => ask({ unknown: code })}>{code.code}</RowButton>,
    },
    { label: 'codes.system', cell: ({ system }) => systemName(t, system) },
    { label: 'codes.times', numeric: true, cell: ({ times }) => format.quantity(times) },
    { label: 'codes.lastAt', minor: true, cell: ({ last_at }) => format.moment(last_at) },
  ];
  return (
    <Stack gap="md">
      <CatalogueTabs at="/products/unknown-codes" />
      <Text c="dimmed">{t('codes.unknownHint')}</Text>
      <Paper withBorder>
        {unknown.data?.items.length === 0 ? (
          <EmptyState
            icon={<IconBarcode size={40} stroke={1.25} aria-hidden />}
            title={t('codes.noneUnknown')}
            hint={t('codes.noneUnknownHint')}
          />
        ) : (
          <DataTable
            caption={t('codes.unknown')}
            columns={columns}
            rows={unknown.data?.items}
            rowKey={({ system, code }) => `${system} ${code}`}
            menu={(code) => ({
              of: code.code,
              items: [{ label: t('codes.ignore'), icon: IconTrash, run: () => void ignore(code) }],
            })}
            list={list}
            stale={unknown.isFetching}
          />
        )}
      </Paper>
      {dialog}
    </Stack>
  );
}
