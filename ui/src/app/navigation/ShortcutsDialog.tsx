import { Modal, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { singleKeys } from '@/shared/ui/singleKeys';
import type { NavigationLink } from './navigation';
import classes from './ShortcutsDialog.module.css';

const anywhere: [string, MessageId][] = [
  ['?', 'shortcuts.this'],
  ['Ctrl K', 'globalSearch.title'],
  ['/', 'shortcuts.search'],
  ['n', 'shortcuts.new'],
  ['g', 'shortcuts.area'],
  ['↑ ↓', 'shortcuts.menu'],
];

const onASheet: [string, MessageId][] = [
  ['Enter', 'shortcuts.record'],
  ['Ctrl Z', 'shortcuts.undo'],
  ['Alt 1', 'shortcuts.reason'],
  ['↑ ↓', 'shortcuts.rows'],
  ['Enter F2', 'shortcuts.edit'],
  ['← →', 'shortcuts.buttons'],
  ['Shift ↓', 'shortcuts.markOn'],
  ['d', 'shortcuts.waste'],
  ['Esc', 'shortcuts.cancel'],
];

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The pages that the digits open. */
  places: NavigationLink[];
}

/** The list of keyboard shortcuts, beyond Tab and Enter. */
export default function ShortcutsDialog({ opened, onClose, places }: Props) {
  useEscape(opened, onClose);
  useReturnFocus(opened);
  const t = useText();
  const [on, setOn] = useState(singleKeys.areOn);
  const digits = places.map((place, index): [string, MessageId] => [String(index + 1), place.label]);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('shortcuts.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <Stack gap="md">
        <Keys title={t('shortcuts.anywhere')} keys={anywhere} />
        <Keys title={t('shortcuts.goTo')} keys={digits} />
        <Keys
          title={t('shortcuts.onASheet')}
          keys={[...onASheet, [t('key.space'), 'shortcuts.mark'], [t('key.delete'), 'shortcuts.void']]}
        />
        <Switch
          label={t('shortcuts.singleKeys')}
          description={t('shortcuts.singleKeysHint')}
          checked={on}
          onChange={(event) => {
            singleKeys.turn(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
      </Stack>
    </Modal>
  );
}

function Keys({ title, keys }: { title: string; keys: [string, MessageId][] }) {
  const t = useText();
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      <dl className={classes.keys}>
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <Text component="dd">{t(label)}</Text>
          </div>
        ))}
      </dl>
    </section>
  );
}
