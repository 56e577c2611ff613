import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { DescriptionList } from './DescriptionList';
import { usePageTitle } from './pageName';
import { useReturnState } from './useReturnPath';

interface Props {
  /** The name of the record. */
  name: string;
  /** Shown beside the name. */
  picture?: ReactNode;
  /** Link to its form, for users who may edit. */
  edit?: string;
  /** Further actions. */
  actions?: ReactNode;
  /** Its `DescriptionItem`s. */
  children?: ReactNode;
}

/** A read-only record. */
export function RecordCard({ name, picture, edit, actions, children }: Props) {
  const t = useText();
  const here = useReturnState();
  usePageTitle(name);
  return (
    <Paper withBorder component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="shown">
      <Group justify="space-between" align="flex-start" gap="sm">
        {picture && <div>{picture}</div>}
        <Stack gap="xs" flex="1 1 16rem">
          {/* The header shows the name as its heading, shortened if there is little room. */}
          <Text id="shown" fz="xl" fw={650} lh="xl">
            {name}
          </Text>
          <DescriptionList>{children}</DescriptionList>
        </Stack>
        <Group gap="sm">
          {actions}
          {edit && (
            <Button
              component={Link}
              to={edit}
              state={here}
              variant="default"
              leftSection={<IconPencil size={20} aria-hidden />}
            >
              {t('action.edit')}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
