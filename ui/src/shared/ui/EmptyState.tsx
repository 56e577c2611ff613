import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** What to do next. */
  hint?: string;
  icon?: ReactNode;
  children?: ReactNode;
}

export function EmptyState({ title, hint, icon, children }: Props) {
  return (
    <Stack align="center" gap="sm" px="md" py={48} ta="center" role="status">
      {icon}
      <Text fw={600}>{title}</Text>
      {hint && (
        <Text c="dimmed" maw={360}>
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  );
}
