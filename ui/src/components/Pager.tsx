import { Button, Group, Text } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { Link, Navigate } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import type { ListState } from './useListState';

interface Props {
  list: ListState;
  meta: { page: number; limit: number; total: number; pages: number; total_is_lower_bound?: boolean };
}

export function Pager({ list, meta }: Props) {
  const t = useText();
  if (meta.total === 0) return null;
  // Rows were deleted since this address was made.
  if (meta.page > meta.pages) return <Navigate to={list.hrefWith({ page: String(meta.pages) })} replace />;
  const first = (meta.page - 1) * meta.limit + 1;
  const last = Math.min(meta.page * meta.limit, meta.total);
  return (
    <Group component="nav" aria-label={t('pager.label')} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {t(meta.total_is_lower_bound ? 'pager.rangeOfMany' : 'pager.range', {
          first,
          last,
          total: meta.total,
        })}
      </Text>
      {meta.pages > 1 && (
        <Group gap="xs">
          <Step
            to={meta.page > 1 && list.hrefWith({ page: String(meta.page - 1) })}
            label={t('pager.previous')}
          >
            <IconChevronLeft size={20} aria-hidden />
          </Step>
          <Text size="sm">{t('pager.page', { page: meta.page, pages: meta.pages })}</Text>
          <Step
            to={meta.page < meta.pages && list.hrefWith({ page: String(meta.page + 1) })}
            label={t('pager.next')}
          >
            <IconChevronRight size={20} aria-hidden />
          </Step>
        </Group>
      )}
    </Group>
  );
}

function Step({ to, label, children }: { to: string | false; label: string; children: React.ReactNode }) {
  const look = { variant: 'default', px: 'sm', 'aria-label': label } as const;
  return to ? (
    <Button component={Link} to={to} {...look}>
      {children}
    </Button>
  ) : (
    <Button disabled {...look}>
      {children}
    </Button>
  );
}
