import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useText } from '@/i18n/useText';

export const ROWS_ON_A_PAGE = 200;

/** Return the index of the last page, counted from 0. */
export const lastPage = (rows: number) => Math.max(0, Math.ceil(rows / ROWS_ON_A_PAGE) - 1);

interface Props {
  rows: number;
  page: number;
  onChange: (page: number) => void;
}

/** Page through rows that are all loaded, unlike those of a list. */
export function RowPages({ rows, page, onChange }: Props) {
  const t = useText();
  const pages = lastPage(rows) + 1;
  if (rows === 0) return null;
  const range = {
    first: page * ROWS_ON_A_PAGE + 1,
    last: Math.min((page + 1) * ROWS_ON_A_PAGE, rows),
    total: rows,
  };
  return (
    <Group
      component="nav"
      aria-label={t('pager.label')}
      justify="space-between"
      gap="sm"
      px="1.25rem"
      py="sm"
    >
      <Text size="sm" c="dimmed">
        {t('pager.range', range)}
      </Text>
      {pages > 1 && (
        <Group gap="xs">
          <Button
            variant="default"
            px="sm"
            aria-label={t('pager.previous')}
            disabled={page === 0}
            onClick={() => onChange(page - 1)}
          >
            <IconChevronLeft size={20} aria-hidden />
          </Button>
          <Text size="sm">{t('pager.page', { page: page + 1, pages })}</Text>
          <Button
            variant="default"
            px="sm"
            aria-label={t('pager.next')}
            disabled={page + 1 === pages}
            onClick={() => onChange(page + 1)}
          >
            <IconChevronRight size={20} aria-hidden />
          </Button>
        </Group>
      )}
    </Group>
  );
}
