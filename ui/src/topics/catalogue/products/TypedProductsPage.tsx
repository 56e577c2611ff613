import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { IconKeyboard, IconPrinter } from '@tabler/icons-react';
import { type TypedProductView, useListTypedProductsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { duplicateNames } from '@/shared/forms/duplicateNames';
import { type Column, DataTable } from '@/shared/lists/DataTable';
import { RowLink } from '@/shared/lists/RowLink';
import { useListState } from '@/shared/lists/useListState';
import { Code } from '@/shared/ui/Code';
import { EmptyState } from '@/shared/ui/EmptyState';
import { usePrintLabels } from '@/topics/printing/usePrintLabels';

/** The periods to choose from, in weeks. */
const PERIODS = [1, 4, 12];
const USUAL_PERIOD = 4;
/** The value of lines without an area. */
const NO_AREA = '0';
/** The most products that one printing takes. */
const MAX_PRINTED = 200;

const areaOf = ({ area }: TypedProductView) => (area ? String(area.id) : NO_AREA);

/**
 * List products with a code that users choose by name, by area.
 *
 * Labels of these products save the most typing. Nothing is shown by person.
 */
export default function TypedProductsPage() {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const { print, dialog } = usePrintLabels();
  const asked = list.filterId('weeks');
  const weeks = PERIODS.find((each) => each === asked) ?? USUAL_PERIOD;
  const answer = useListTypedProductsQuery({ weeks }, { refetchOnMountOrArgChange: true });
  throwOnError(answer);
  const all = answer.data?.items;
  const areas = new Map(all?.map((row) => [areaOf(row), row.area?.name ?? t('typed.noArea')]));
  const chosen = list.filter('area') ?? '';
  const area = areas.has(chosen) ? chosen : '';
  const rows = all?.filter((row) => !area || areaOf(row) === area);
  const shown = [...new Map(rows?.map(({ product: { id, name } }) => [id, { id, name }])).values()];

  const isDuplicate = duplicateNames(shown);

  const columns: Column<TypedProductView>[] = [
    {
      label: 'products.one',
      cell: ({ product }) => (
        <>
          <RowLink to={`/products/${product.id}`}>{product.name}</RowLink>{' '}
          <Code code={product.code} equal={isDuplicate(product)} />
        </>
      ),
    },
    { label: 'details.area', cell: (row) => row.area?.name ?? t('typed.noArea') },
    { label: 'typed.scanned', numeric: true, minor: true, cell: ({ scanned }) => format.quantity(scanned) },
    { label: 'typed.typed', numeric: true, cell: ({ typed }) => format.quantity(typed) },
  ];
  return (
    <Stack gap="md">
      <Text c="dimmed">{t('typed.hint')}</Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t('details.area')}
          value={area}
          onChange={(event) => list.narrow({ area: event.currentTarget.value })}
          data={[
            { value: '', label: t('typed.allAreas') },
            ...[...areas].map(([value, label]) => ({ value, label })),
          ]}
        />
        <NativeSelect
          label={t('typed.period')}
          value={String(weeks)}
          onChange={(event) => list.narrow({ weeks: event.currentTarget.value })}
          data={PERIODS.map((count) => ({ value: String(count), label: t('typed.weeks', { count }) }))}
        />
        <Button
          variant="default"
          leftSection={<IconPrinter size={20} aria-hidden />}
          disabled={shown.length === 0}
          onClick={() => print({ what: 'product', items: shown.slice(0, MAX_PRINTED) })}
        >
          {t('labels.print')}
        </Button>
      </Group>
      <Paper withBorder>
        {rows?.length === 0 ? (
          <EmptyState
            icon={<IconKeyboard size={40} stroke={1.25} aria-hidden />}
            title={t('typed.none')}
            hint={t('typed.noneHint')}
          />
        ) : (
          <DataTable
            caption={t('typed.title')}
            columns={columns}
            rows={rows}
            rowKey={(row) => `${row.product.id} ${areaOf(row)}`}
            menu={({ product: { id, name } }) => ({
              of: name,
              items: [
                {
                  label: t('labels.print'),
                  icon: IconPrinter,
                  run: () => print({ what: 'product', items: [{ id, name }] }),
                },
              ],
            })}
            list={list}
            stale={answer.isFetching}
          />
        )}
      </Paper>
      {dialog}
    </Stack>
  );
}
