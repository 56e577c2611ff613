import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import type { FormEventHandler, ReactNode } from 'react';
import {
  type InboundMessageView,
  type RoomView,
  useAnswerPatientOfMessageMutation,
  useAnswerRoomOfMessageMutation,
  useAnswerSheetOfMessageMutation,
  useListRoomsQuery,
  useListSheetsQuery,
  useOpenSheetWithMessageMutation,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { focusFirstError } from '@/components/forms/focusFirstError';
import { SearchSelect, type SearchSelectProps } from '@/components/forms/SearchSelect';
import { useSubmit } from '@/components/forms/useSubmit';
import { PatientSelect } from '@/components/people/PatientSelect';
import { OpenSheetSelect } from '@/components/sheets/OpenSheetSelect';
import { Dialog, DialogFooter } from '@/components/ui/Dialog';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { missingReference } from './questions';

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
      <Alert color="yellow">
        {message.location
          ? t('messages.room.what', { location: message.location })
          : t('messages.room.ofThisAlone')}
      </Alert>
      <RoomSelect {...form.getInputProps('room_id')} />
    </Question>
  );
}

type RoomSelectProps = Pick<SearchSelectProps<RoomView>, 'value' | 'onChange' | 'error'>;

function RoomSelect(props: RoomSelectProps) {
  const t = useText();
  return (
    <SearchSelect<RoomView>
      label={t('sheets.room')}
      required
      data-autofocus
      useFound={useRooms}
      nameOf={(room) => room.name}
      noteOf={({ area }) => area.name}
      {...props}
    />
  );
}

/** Open a sheet with a message; ask for the room if the message has no known one. */
export function OpenDialog({ message, onClose }: Props) {
  const t = useText();
  const [open] = useOpenSheetWithMessageMutation();
  const { submit, pending } = useSubmit();
  const needsRoom = missingReference(message) === 'room' || message.location === null;
  const form = useForm({
    initialValues: { room_id: null as number | null },
    validate: { room_id: needsRoom ? isNotEmpty(t('form.required')) : undefined },
  });
  const send = async ({ room_id }: { room_id: number | null }) => {
    const sent = () => open({ messageId: message.id, roomAnswerDraft: room_id === null ? {} : { room_id } });
    if ((await submit(sent, { form, success: 'messages.answered' })).ok) onClose();
  };
  return (
    <Question
      title={t('messages.open.question')}
      action="messages.open.action"
      onSubmit={form.onSubmit(send, (errors) => focusFirstError(form, errors))}
      pending={pending}
      onClose={onClose}
    >
      <Alert color="yellow">{t('messages.open.what')}</Alert>
      {needsRoom && <RoomSelect {...form.getInputProps('room_id')} />}
    </Question>
  );
}

/** Query the open sheets without a visit; without a text, those of the message's patient first. */
function useSheetsFor(
  { patient_id, record_number }: InboundMessageView,
  q: string | undefined,
  skip: boolean,
) {
  const open = { withoutVisit: true, limit: OPTIONS_LIMIT };
  const patient = patient_id === null ? { q: record_number ?? undefined } : { patientId: patient_id };
  const isKnown = patient_id !== null || record_number !== null;
  const own = useListSheetsQuery({ ...open, ...patient }, { skip: skip || Boolean(q) || !isKnown });
  const all = useListSheetsQuery({ ...open, q }, { skip });
  if (own.isFetching || !all.currentData) return { isError: all.isError };
  const first = own.currentData?.items ?? [];
  const others = all.currentData.items.filter(({ id }) => !first.some((one) => one.id === id));
  return { isError: false, currentData: { ...all.currentData, items: [...first, ...others] } };
}

/** Ask which sheet belongs to the visit of a message. */
export function SheetDialog({ message, onClose }: Props) {
  const t = useText();
  const [answer] = useAnswerSheetOfMessageMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { consumption_sheet_id: null as number | null },
    validate: { consumption_sheet_id: isNotEmpty(t('form.required')) },
  });
  const send = async ({ consumption_sheet_id }: { consumption_sheet_id: number | null }) => {
    const sheetAnswerDraft = { consumption_sheet_id: consumption_sheet_id as number };
    const sent = () => answer({ messageId: message.id, sheetAnswerDraft });
    if ((await submit(sent, { form, success: 'messages.answered' })).ok) onClose();
  };
  const useFound = (q: string | undefined, skip: boolean) => useSheetsFor(message, q, skip);
  return (
    <Question
      title={t('messages.isSheet.question')}
      onSubmit={form.onSubmit(send, (errors) => focusFirstError(form, errors))}
      pending={pending}
      onClose={onClose}
    >
      <Alert color="yellow">{t('messages.isSheet.what', { number: message.visit_number ?? '' })}</Alert>
      <OpenSheetSelect
        label={t('messages.isSheet.label')}
        description={t('messages.isSheet.hint')}
        required
        data-autofocus
        useFound={useFound}
        {...form.getInputProps('consumption_sheet_id')}
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
  /** Label of the button. */
  action?: MessageId;
  onSubmit: FormEventHandler<HTMLFormElement>;
  pending: boolean;
  onClose: () => void;
  children: ReactNode;
}

function Question({
  title,
  action = 'messages.decide',
  onSubmit,
  pending,
  onClose,
  children,
}: QuestionProps) {
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
            {t(action)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
