import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DetailView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';
import type { Subject } from '@/shared/records/subject';
import { LineDialog } from '../lines/LineDialog';
import type { LineAction } from '../lines/lineAction';
import { useDeleteDetail } from '../lines/useDeleteDetail';

interface Props {
  detail: DetailView;
  sheet: Subject;
  /** The path to open after the line is removed. */
  after: string;
}

/** Remove this page's line from its sheet, as the sheet's page does. */
export function DeleteDetailButton({ detail, sheet, after }: Props) {
  const t = useText();
  const navigate = useNavigate();
  const [action, setAction] = useState<LineAction | null>(null);
  const close = () => setAction(null);
  const leave = () => navigate(after, { replace: true, state: settled });
  const { mayDelete, remove, pending } = useDeleteDetail({ sheet, onAsk: setAction, onGone: leave });
  if (!mayDelete(detail)) return null;
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={20} aria-hidden />}
        loading={pending}
        onClick={() => remove(detail)}
      >
        {t('details.delete')}
      </Button>
      <LineDialog
        action={action}
        sheet={sheet}
        lines={[detail]}
        onClose={close}
        onAction={setAction}
        onSaved={close}
        onGone={leave}
      />
    </>
  );
}
