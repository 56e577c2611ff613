import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link, Navigate } from 'react-router-dom';
import type { Meta } from '@/api/generated';
import { useText } from '@/i18n/useText';
import type { ListState } from './useListState';

interface Props {
  list: ListState;
  meta: Meta;
  /** Rows on this page. Needed by lists without an exact total. */
  shown?: number;
}

export function Pager({ list, meta, shown = meta.limit }: Props) {
  const t = useText();
  if (meta.total === 0) return null;
  const counted = !meta.total_is_lower_bound;
  // Rows were deleted since this link was created.
  if (counted && meta.page > meta.pages)
    return <Navigate to={list.hrefWith({ page: String(meta.pages) })} replace />;
  const first = (meta.page - 1) * meta.limit + 1;
  const last = counted ? Math.min(meta.page * meta.limit, meta.total) : first + shown - 1;
  const next = (meta.page < meta.pages || meta.next) && {
    page: String(meta.page + 1),
    // By cursor, page 10,000 costs as much as page 1; by number, the server would count all rows before it.
    cursor: counted ? undefined : meta.next,
  };
  return (
    <Group component="nav" aria-label={t('pager.label')} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {t(counted ? 'pager.range' : 'pager.rangeOfMany', {
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
          <Text size="sm">
            {counted
              ? t('pager.page', { page: meta.page, pages: meta.pages })
              : t('pager.pageOfMany', { page: meta.page })}
          </Text>
          <Step to={next && list.hrefWith(next)} label={t('pager.next')}>
            <IconChevronRight size={20} aria-hidden />
          </Step>
        </Group>
      )}
    </Group>
  );
}

function Step({
  to,
  label,
  children,
}: {
  to: string | false | undefined;
  label: string;
  children: React.ReactNode;
}) {
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
