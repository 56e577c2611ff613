import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { DescriptionList } from './DescriptionList';
import { usePageTitle } from './pageName';
import { useReturnState } from './useReturnPath';

interface Props {
  /** Names the one thing that this page shows. */
  name: string;
  /** Where it is edited, for those who may. */
  edit?: string;
  /** What else one can do with it. */
  actions?: ReactNode;
  /** Its `Fact`s. */
  children?: ReactNode;
}

/** One thing, to read. */
export function RecordCard({ name, edit, actions, children }: Props) {
  const t = useText();
  const here = useReturnState();
  usePageTitle(name);
  return (
    <Paper withBorder component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="shown">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap="xs" flex="1 1 16rem">
          {/* The head of the page has it as its heading, in short where there is no room. */}
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
