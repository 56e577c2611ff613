import { Button } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { SheetView } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import { useText } from '@/i18n/useText';
import { useUndoClosing } from '../useUndoClosing';
import classes from './UndoClosingButton.module.css';

const MINUTE_MS = 60_000;

/**
 * Undo the user's own closing, and show for how long this is possible.
 *
 * When the time is over, its place stays empty, so that nothing on the page moves.
 */
export function UndoClosingButton({ sheet }: { sheet: SheetView }) {
  const t = useText();
  const { undo, pending } = useUndoClosing();
  const [now, setNow] = useState(() => serverNow().getTime());
  useInterval(() => setNow(serverNow().getTime()), 1_000, { autoInvoke: true });
  if (!sheet.undo_closing_until) return null;
  const left = Date.parse(sheet.undo_closing_until) - now;
  return (
    <Button
      variant="default"
      className={classes.button}
      leftSection={<IconArrowBackUp size={20} aria-hidden />}
      loading={pending}
      style={{ visibility: left <= 0 ? 'hidden' : undefined }}
      onClick={() => undo(sheet)}
    >
      {t('sheets.undoClosing.minutes', { minutes: Math.max(1, Math.ceil(left / MINUTE_MS)) })}
    </Button>
  );
}
