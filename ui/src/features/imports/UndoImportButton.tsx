import { Button, Text } from '@mantine/core';
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import { useNavigate } from 'react-router-dom';
import { useUndoImportMutation } from '@/api/upload';
import { useConfirm } from '@/components/Confirm';
import { useSubmit } from '@/components/useSubmit';
import { useText } from '@/i18n/useText';

interface Props {
  id: number;
  fileName: string;
  /** Where to go when it is undone; one stays where there is no such place. */
  leadsTo?: string;
}

/** Take back what a file brought, once the person is sure. What stands in the way is told. */
export function UndoImportButton({ id, fileName, leadsTo }: Props) {
  const t = useText();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [undoImport] = useUndoImportMutation();
  const { submit, pending } = useSubmit();

  async function undo() {
    const sure = await confirm({
      question: 'imports.undo.question',
      action: 'imports.undo',
      danger: true,
      children: <Text>{t('imports.undo.what', { file: fileName })}</Text>,
    });
    if (!sure) return;
    const undone = await submit(() => undoImport({ importId: id }), { success: 'imports.undone' });
    if (undone.ok && leadsTo) navigate(leadsTo);
  }

  return (
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
  );
}
