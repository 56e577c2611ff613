import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useBeforeUnload, useNavigate } from 'react-router-dom';
import { onProgress, type Progress, useUndoImportMutation } from '@/api/upload';
import { useText } from '@/i18n/useText';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { useSubmit } from '@/shared/forms/useSubmit';
import { toast } from '@/shared/ui/toast';
import classes from './imports.module.css';

interface Props {
  id: number;
  fileName: string;
  /** The path to open afterwards; undefined stays on the page. */
  leadsTo?: string;
}

/** How long the toast with the next step is shown, in milliseconds. */
const LONG = 30_000;

/** Undo an import after confirmation, or show what prevents that. */
export function UndoImportButton({ id, fileName, leadsTo }: Props) {
  const t = useText();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [undoImport] = useUndoImportMutation();
  const { submit, pending } = useSubmit();
  const [progress, setProgress] = useState<Progress | null>(null);
  useBeforeUnload((event) => {
    if (pending) event.preventDefault();
  });

  async function undo() {
    const sure = await confirm({
      question: 'imports.undo.question',
      action: 'imports.undo',
      danger: true,
      children: <Text>{t('imports.undo.what', { file: fileName })}</Text>,
    });
    if (!sure) return;
    setProgress(null);
    const undone = await submit(() => undoImport(onProgress({ importId: id }, setProgress)), {
      success: 'imports.undone',
      onProblem: ({ status, messages }) => {
        if (status !== null && status < 500) return false;
        const told = messages.map(({ text }) => text).join(' ');
        toast.error(status === null ? t('imports.undo.lost') : told || t('error.unexpected'), {
          autoClose: LONG,
        });
        return true;
      },
    });
    if (undone.ok && leadsTo) navigate(leadsTo);
  }

  const saying = t('imports.undo.now', { file: fileName });
  const counted = progress && progress.total > 0 ? progress : null;
  return (
    <div className={classes.undoing}>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconArrowBackUp size={20} aria-hidden />}
        loading={pending}
        onClick={undo}
        aria-label={t('imports.undo.of', { file: fileName })}
      >
        {t('imports.undo')}
      </Button>
      <VisuallyHidden role="status">{pending && saying}</VisuallyHidden>
      {pending && (
        <>
          <progress aria-label={saying} {...(counted && { value: counted.done, max: counted.total })} />
          <Text size="sm" c="dimmed">
            {counted ? t('imports.undo.progress', { ...counted }) : t('imports.undo.begins')}
          </Text>
        </>
      )}
    </div>
  );
}
