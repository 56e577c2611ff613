import { ActionIcon, Text } from '@mantine/core';
import { IconUsers, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { nameAndCode } from '@/shared/records/nameAndCode';
import classes from './RemoteChangesNotice.module.css';
import type { Change } from './useRemoteChanges';

/** How many changes are described in full; the rest are counted. */
const TOLD = 2;
/** When the notice disappears, in milliseconds; the lines stay highlighted. */
const GOES_AFTER = 15_000;

/**
 * Notify of other users' changes to this sheet.
 *
 * There is one notice for all, away from the input.
 */
export function RemoteChangesNotice({ changes }: { changes: Change[] }) {
  const t = useText();
  const format = useFormat();
  const [dismissed, setDismissed] = useState(0);
  const fresh = changes.slice(dismissed);
  const { length } = changes;

  useEffect(() => {
    const timer = window.setTimeout(() => setDismissed(length), GOES_AFTER);
    return () => window.clearTimeout(timer);
  }, [length]);

  const sentence = ({ what, detail: { staff, quantity, product } }: Change) => {
    if (what === 'edited') return t('details.others.edited', { product: nameAndCode(product) });
    const line = { what: format.counted(quantity, nameAndCode(product)) };
    if (what === 'deleted') return t('details.others.deleted', line);
    return staff
      ? t('details.others.recordedBy', { ...line, person: fullName(staff) })
      : t('details.others.recorded', line);
  };

  const sentences = fresh.slice(-TOLD).map(sentence);
  const more = fresh.length - sentences.length;
  return (
    <div className={classes.place} role="status">
      {fresh.length > 0 && (
        <div className={classes.notice}>
          <IconUsers size={22} aria-hidden />
          <div className={classes.text}>
            {more > 0 && <Text size="sm">{t('details.others.more', { more })}</Text>}
            {sentences.map((text, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be the same.
              <Text key={place}>{text}</Text>
            ))}
          </div>
          <ActionIcon
            className={classes.close}
            onClick={() => setDismissed(length)}
            aria-label={t('toast.close')}
          >
            <IconX size={20} aria-hidden />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}
