import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { IconClockExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type LateEntryView,
  useDismissLateEntryMutation,
  useListLateEntriesQuery,
  useRecordLateEntryMutation,
} from '@/api/generated';
import type { Message } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useConfirm } from '@/shared/dialogs/Confirm';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonField } from '@/shared/forms/ReasonField';
import { useSubmit } from '@/shared/forms/useSubmit';
import { isClosed, type Subject } from '@/shared/records/subject';
import { StatusLine } from '@/shared/ui/StatusLine';
import { needsReason, type Reasons } from '../lines/questions';
import { useReasons } from '../lines/useReasons';
import classes from './LateEntries.module.css';

/**
 * Late entries of a closed sheet, for a supervisor's decision.
 *
 * They are listed until a supervisor records or dismisses them.
 */
export default function LateEntries({ sheet }: { sheet: Subject }) {
  const t = useText();
  const [dismissed, setDismissed] = useState<LateEntryView | null>(null);
  // Refetch: other supervisors decide, too, and more entries may have arrived.
  const late = useListLateEntriesQuery({ sheetId: sheet.id }, { refetchOnMountOrArgChange: true });
  const waiting = late.data?.items.filter(({ decision }) => decision === null) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Paper withBorder component="section" p="md" aria-labelledby="late">
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" className={classes.title}>
          <IconClockExclamation size={20} aria-hidden />
          <Title order={2} size="h3" id="late" tabIndex={-1}>
            {t('late.title', { count: waiting.length })}
          </Title>
        </Group>
        <Text c="dimmed">{t(isClosed(sheet) ? 'late.hintClosed' : 'late.hint')}</Text>
        <ul className={classes.list}>
          {waiting.map((one) => (
            <Late key={one.id} late={one} closed={isClosed(sheet)} onDismiss={() => setDismissed(one)} />
          ))}
        </ul>
      </Stack>
      <Dismiss key={dismissed?.id} late={dismissed} onClose={() => setDismissed(null)} />
    </Paper>
  );
}

interface Props {
  late: LateEntryView;
  closed: boolean;
  onDismiss: () => void;
}

function Late({ late, closed, onDismiss }: Props) {
  const t = useText();
  const format = useFormat();
  const confirm = useConfirm();
  const askReasons = useReasons();
  const mayRecord = useCan('details.record_of_any_day');
  const [recordLate] = useRecordLateEntryMutation();
  const { submit, pending } = useSubmit();
  const what = late.items
    .map(({ quantity, product, product_id: id }) => format.counted(quantity, product ?? `#${id}`))
    .join(', ');

  async function record(acknowledged: string[] = [], given: Reasons = {}): Promise<void> {
    let asked: Message[] = [];
    const recordLateDraft = { acknowledged, ...given };
    const done = await submit(() => recordLate({ lateEntryId: late.id, recordLateDraft }), {
      success: 'late.recorded',
      onProblem: ({ status, messages }) => {
        if (status !== 422 || !messages.every(({ acknowledgeable }) => acknowledgeable)) return false;
        asked = messages;
        return true;
      },
    });
    if (done.ok || asked.length === 0) return;
    const codes = [...acknowledged, ...asked.flatMap(({ code }) => code ?? [])];
    if (needsReason(asked)) {
      const reasons = await askReasons(asked, given);
      if (reasons) await record(codes, reasons);
      return;
    }
    const sure = await confirm({
      question: 'late.allTheSame',
      action: 'late.record',
      children: <Doubts messages={asked.map(({ text }) => text)} />,
    });
    if (sure) await record(codes, given);
  }

  return (
    <li className={classes.late}>
      <div className={classes.what}>
        <Text fw={600}>{what}</Text>
        <Text size="sm" c="dimmed">
          {t('late.when', {
            by: late.by ?? `#${late.user_id}`,
            used: format.moment(late.occurred_at),
            arrived: format.moment(late.arrived_at),
          })}
        </Text>
        <Doubts messages={(late.errors ?? []).map(({ message }) => message)} />
      </div>
      <Group gap="sm">
        {mayRecord && !closed && (
          <Button variant="default" loading={pending} onClick={() => record()}>
            {t('late.record')}
          </Button>
        )}
        <Button variant="default" onClick={onDismiss}>
          {t('late.dismiss')}
        </Button>
      </Group>
    </li>
  );
}

/**
 * The questions that recording would ask, as below the record bar.
 *
 * Several lines may have the same one.
 */
function Doubts({ messages }: { messages: (string | undefined)[] }) {
  return [...new Set(messages)].map((message) => (
    <StatusLine key={message} tone="red">
      {message}
    </StatusLine>
  ));
}

function Dismiss({ late, onClose }: { late: LateEntryView | null; onClose: () => void }) {
  const t = useText();
  const [dismissLate] = useDismissLateEntryMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });

  async function dismiss(dismissDraft: { reason: string }) {
    if (!late) return;
    const done = await submit(() => dismissLate({ lateEntryId: late.id, dismissDraft }), {
      form,
      success: 'late.dismissed',
    });
    if (done.ok) onClose();
  }

  return (
    <Dialog opened={late !== null} onClose={onClose} title={t('late.dismiss.question')}>
      <DialogForm
        form={form}
        onSubmit={dismiss}
        onCancel={onClose}
        action={t('late.dismiss.do')}
        pending={pending}
        danger
      >
        <Alert color="yellow">{t('late.dismiss.what')}</Alert>
        <ReasonField {...form.getInputProps('reason')} />
      </DialogForm>
    </Dialog>
  );
}
