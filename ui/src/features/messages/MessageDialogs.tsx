import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import type { FormEventHandler, ReactNode } from 'react';
import {
  type InboundMessageView,
  type RoomView,
  useAnswerPatientOfMessageMutation,
  useAnswerRoomOfMessageMutation,
  useListRoomsQuery,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { focusFirstError } from '@/components/forms/focusFirstError';
import { SearchSelect } from '@/components/forms/SearchSelect';
import { useSubmit } from '@/components/forms/useSubmit';
import { PatientSelect } from '@/components/people/PatientSelect';
import { Dialog, DialogFooter } from '@/components/ui/Dialog';
import { useText } from '@/i18n/useText';

const useRooms = (q: string | undefined, skip: boolean) =>
  useListRoomsQuery({ q, limit: OPTIONS_LIMIT }, { skip });

interface Props {
  message: InboundMessageView;
  onClose: () => void;
}

/** Ask which room the location of a message is. */
export function RoomDialog({ message, onClose }: Props) {
  const t = useText();
  const [answer] = useAnswerRoomOfMessageMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { room_id: null as number | null },
    validate: { room_id: isNotEmpty(t('form.required')) },
  });
  const send = async ({ room_id }: { room_id: number | null }) => {
    const roomAnswerDraft = { room_id: room_id as number };
    const sent = () => answer({ messageId: message.id, roomAnswerDraft });
    if ((await submit(sent, { form, success: 'messages.answered' })).ok) onClose();
  };
  return (
    <Question
      title={t('messages.room.question')}
      onSubmit={form.onSubmit(send, (errors) => focusFirstError(form, errors))}
      pending={pending}
      onClose={onClose}
    >
      <Alert color="yellow">{t('messages.room.what', { location: message.location ?? '' })}</Alert>
      <SearchSelect<RoomView>
        label={t('sheets.room')}
        required
        data-autofocus
        useFound={useRooms}
        nameOf={(room) => room.name}
        noteOf={({ area }) => area.name}
        {...form.getInputProps('room_id')}
      />
    </Question>
  );
}

/** Ask whose message it is. */
export function PatientDialog({ message, onClose }: Props) {
  const t = useText();
  const [answer] = useAnswerPatientOfMessageMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { patient_id: null as number | null },
    validate: { patient_id: isNotEmpty(t('form.required')) },
  });
  const send = async ({ patient_id }: { patient_id: number | null }) => {
    const patientAnswerDraft = { patient_id: patient_id as number };
    const sent = () => answer({ messageId: message.id, patientAnswerDraft });
    if ((await submit(sent, { form, success: 'messages.answered' })).ok) onClose();
  };
  return (
    <Question
      title={t('messages.patient.question')}
      onSubmit={form.onSubmit(send, (errors) => focusFirstError(form, errors))}
      pending={pending}
      onClose={onClose}
    >
      <Alert color="yellow">{t('messages.patient.what', { number: message.record_number ?? '—' })}</Alert>
      <PatientSelect {...form.getInputProps('patient_id')} />
    </Question>
  );
}

interface DismissProps<Result> {
  title: string;
  send: (reason: string) => PromiseLike<{ data?: Result; error?: unknown }>;
  onDone: (result: NonNullable<Result>) => void;
  onClose: () => void;
}

/** Ask for the reason for which one or several messages have no effect. */
export function DismissDialog<Result>({ title, send, onDone, onClose }: DismissProps<Result>) {
  const t = useText();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });
  const save = async ({ reason }: { reason: string }) => {
    const sent = await submit(() => send(reason), { form });
    if (!sent.ok) return;
    onClose();
    onDone(sent.data as NonNullable<Result>);
  };
  return (
    <Question
      title={title}
      onSubmit={form.onSubmit(save, (errors) => focusFirstError(form, errors))}
      pending={pending}
      onClose={onClose}
    >
      <Alert color="yellow">{t('messages.dismiss.what')}</Alert>
      <Textarea
        label={t('late.reason')}
        required
        rows={3}
        maxLength={500}
        resize="vertical"
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </Question>
  );
}

interface QuestionProps {
  title: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  pending: boolean;
  onClose: () => void;
  children: ReactNode;
}

function Question({ title, onSubmit, pending, onClose, children }: QuestionProps) {
  const t = useText();
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form noValidate onSubmit={onSubmit}>
        {/* Leaves space for a list below its field. */}
        <Stack gap="md" mih="15rem">
          {children}
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('messages.decide')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
