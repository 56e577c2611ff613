import { Button, Text } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useNavigate } from 'react-router-dom';
import { etag } from '@/api/etag';
import { type SheetView, useCloseSheetMutation } from '@/api/generated';
import { useConfirm } from '@/components/Confirm';
import { useSubmit } from '@/components/useSubmit';
import { useToast } from '@/components/useToast';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';

interface Props {
  sheet: SheetView;
  lines: number;
  disabled: boolean;
}

/** Closes exactly what the question showed: when someone recorded something meanwhile, it is asked anew. */
export function CloseSheetButton({ sheet, lines, disabled }: Props) {
  const t = useText();
  const format = useFormat();
  const toast = useToast();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [closeSheet] = useCloseSheetMutation();
  const { submit, pending } = useSubmit();

  async function close() {
    const sure = await confirm({
      question: 'sheets.close.question',
      action: 'sheets.close.action',
      children: (
        <>
          <Text>{t('sheets.recorded', { count: lines })}</Text>
          {sheet.total !== undefined && (
            <Text>
              {t('sheets.total')}: <b>{format.money(sheet.total)}</b>
            </Text>
          )}
          <Text c="dimmed" mt="xs">
            {t('sheets.close.final')}
          </Text>
        </>
      ),
    });
    if (!sure) return;
    const done = await submit(() => closeSheet({ sheetId: sheet.id, 'If-Match': etag(sheet) }), {
      success: 'sheets.close.done',
      onProblem: ({ status }) => {
        if (status === 412) toast.error(t('sheets.close.changed'));
        return status === 412;
      },
    });
    if (done.ok) navigate('/consumption-sheets');
  }

  return (
    <Button
      variant="light"
      leftSection={<IconLock size={20} aria-hidden />}
      onClick={close}
      loading={pending}
      disabled={disabled}
    >
      {t('sheets.close.action')}
    </Button>
  );
}
