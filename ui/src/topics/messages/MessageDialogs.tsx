import { Alert } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
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
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { DialogForm } from '@/shared/forms/DialogForm';
import { ReasonField } from '@/shared/forms/ReasonField';
import { SearchSelect, type SearchSelectProps } from '@/shared/forms/SearchSelect';
import { useSubmit } from '@/shared/forms/useSubmit';
import { PatientSelect } from '@/topics/people/PatientSelect';
import { OpenSheetSelect } from '@/topics/sheets/OpenSheetSelect';
import { missingReference } from './questions';

const useRooms = (q: string | undefined, skip: boolean) =>
  useListRoomsQuery({ q, limit: OPTIONS_LIMIT }, { skip });

/** Height of a dialog that has space for the list below a field. */
const SPACE_FOR_LIST = '15rem';

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
    <Dialog opened onClose={onClose} title={t('messages.room.question')}>
      <DialogForm
        form={form}
        onSubmit={send}
        onCancel={onClose}
        action={t('messages.decide')}
        pending={pending}
        minHeight={SPACE_FOR_LIST}
      >
        <Alert color="yellow">
          {message.location
            ? t('messages.room.what', { location: message.location })
            : t('messages.room.ofThisAlone')}
        </Alert>
        <RoomSelect {...form.getInputProps('room_id')} />
      </DialogForm>
    </Dialog>
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
    <Dialog opened onClose={onClose} title={t('messages.open.question')}>
      <DialogForm
        form={form}
        onSubmit={send}
        onCancel={onClose}
        action={t('messages.open.action')}
        pending={pending}
        minHeight={SPACE_FOR_LIST}
      >
        <Alert color="yellow">{t('messages.open.what')}</Alert>
        {needsRoom && <RoomSelect {...form.getInputProps('room_id')} />}
      </DialogForm>
    </Dialog>
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
    <Dialog opened onClose={onClose} title={t('messages.isSheet.question')}>
      <DialogForm
        form={form}
        onSubmit={send}
        onCancel={onClose}
        action={t('messages.decide')}
        pending={pending}
        minHeight={SPACE_FOR_LIST}
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
      </DialogForm>
    </Dialog>
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
    <Dialog opened onClose={onClose} title={t('messages.patient.question')}>
      <DialogForm
        form={form}
        onSubmit={send}
        onCancel={onClose}
        action={t('messages.decide')}
        pending={pending}
        minHeight={SPACE_FOR_LIST}
      >
        <Alert color="yellow">{t('messages.patient.what', { number: message.record_number ?? '—' })}</Alert>
        <PatientSelect {...form.getInputProps('patient_id')} />
      </DialogForm>
    </Dialog>
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
    <Dialog opened onClose={onClose} title={title}>
      <DialogForm
        form={form}
        onSubmit={save}
        onCancel={onClose}
        action={t('messages.decide')}
        pending={pending}
      >
        <Alert color="yellow">{t('messages.dismiss.what')}</Alert>
        <ReasonField {...form.getInputProps('reason')} />
      </DialogForm>
    </Dialog>
  );
}
