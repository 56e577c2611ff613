import { Alert, Anchor, Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { type FormEventHandler, type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import {
  type InboundMessageView,
  type RoomView,
  useAnswerPatientOfMessageMutation,
  useAnswerRoomOfMessageMutation,
  useDismissInboundMessageMutation,
  useListInboundMessagesQuery,
  useListRoomsQuery,
  useReadInboundMessageQuery,
  useRetryInboundMessageMutation,
} from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { throwOnError } from '@/api/problem';
import { focusFirstError } from '@/components/forms/focusFirstError';
import { SearchSelect } from '@/components/forms/SearchSelect';
import { useSubmit } from '@/components/forms/useSubmit';
import { ListTabs } from '@/components/lists/ListTabs';
import { PatientSelect } from '@/components/people/PatientSelect';
import { Dialog, DialogFooter } from '@/components/ui/Dialog';
import { EmptyState } from '@/components/ui/EmptyState';
import { PageLoader } from '@/components/ui/PageLoader';
import { StatusBadge } from '@/components/ui/StatusBadge';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { MessageTabs } from './MessageTabs';
import classes from './messages.module.css';
import { candidatesOf, kindWords, missingReference } from './questions';

const useRooms = (q: string | undefined, skip: boolean) =>
  useListRoomsQuery({ q, limit: OPTIONS_LIMIT }, { skip });

/** List the messages of the hospital's system, held ones or all. */
export default function InboundMessagesPage() {
  const t = useText();
  const [search, setSearch] = useSearchParams();
  const all = search.has('all');
  const after = Number(search.get('after')) || undefined;
  // New messages may have arrived, and other users decide too.
  const read = useListInboundMessagesQuery(
    { state: all ? undefined : 'held', after },
    { refetchOnMountOrArgChange: true },
  );
  throwOnError(read);
  const page = read.currentData;
  return (
    <Stack gap="md">
      <MessageTabs at="/messages" />
      <ListTabs
        label="messages.title"
        lists={[
          { to: '/messages', label: 'messages.held', here: !all },
          { to: '/messages?all=1', label: 'messages.all', here: all },
        ]}
      />
      {!page && <PageLoader />}
      {page?.items.length === 0 && (
        <EmptyState
          title={t(all ? 'messages.none' : 'messages.noneHeld')}
          hint={t(all ? 'messages.noneHint' : 'messages.noneHeldHint')}
        />
      )}
      {page?.items.map((message) => (
        <Message key={message.id} message={message} />
      ))}
      {page?.next && (
        <Group>
          <Button
            variant="default"
            onClick={() => setSearch({ ...(all && { all: '1' }), after: String(page.next) })}
          >
            {t('messages.more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

const stateWords: Record<InboundMessageView['state'], MessageId> = {
  applied: 'messages.applied',
  ignored: 'messages.ignored',
  held: 'messages.isHeld',
  dismissed: 'messages.dismissed',
};

type Asked = 'room' | 'patient' | 'dismiss' | null;

function Message({ message }: { message: InboundMessageView }) {
  const t = useText();
  const format = useFormat();
  const mayDecide = useCan('messages.decide');
  const [retry] = useRetryInboundMessageMutation();
  const { submit, pending } = useSubmit();
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const { id, kind, control_id, source, event_at, state, why, consumption_sheet_id } = message;
  const about = `message-${id}`;
  const close = () => setAsked(null);
  return (
    <Paper withBorder component="article" p="md" aria-labelledby={about}>
      <Stack gap="xs">
        <Group gap="sm" justify="space-between">
          <Title order={2} size="h4" id={about}>
            {kindWords[kind] ? `${kind} · ${t(kindWords[kind])}` : kind}
          </Title>
          <StatusBadge is={`message.${state}`}>{t(stateWords[state])}</StatusBadge>
        </Group>
        {why && <Text className={classes.why}>{why}</Text>}
        <Text size="sm" c="dimmed" className={classes.why}>
          {[source.replace('|', ' · '), control_id, format.moment(event_at)].join(' · ')}
        </Text>
        {message.decided_at && (
          <Text size="sm" c="dimmed" className={classes.why}>
            {[message.decided_by ?? '—', format.moment(message.decided_at), message.note].join(' · ')}
          </Text>
        )}
        <Group gap="sm">
          {mayDecide && state === 'held' && (
            <>
              {missingReference(message) === 'room' && (
                <Button onClick={() => setAsked('room')}>{t('messages.room')}</Button>
              )}
              {missingReference(message) === 'patient' && (
                <Button onClick={() => setAsked('patient')}>{t('messages.patient')}</Button>
              )}
              <Button
                variant="default"
                loading={pending}
                onClick={() => submit(() => retry({ messageId: id }), { success: 'messages.retried' })}
              >
                {t('messages.retry')}
              </Button>
              <Button variant="default" onClick={() => setAsked('dismiss')}>
                {t('messages.dismiss')}
              </Button>
            </>
          )}
          <Button variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {t(shown ? 'messages.hide' : 'messages.show')}
          </Button>
          {candidatesOf(message).map((patientId) => (
            <Anchor key={patientId} component={Link} to={`/patients/${patientId}`}>
              {t('messages.candidate', { id: patientId })}
            </Anchor>
          ))}
          {consumption_sheet_id && (
            <Anchor component={Link} to={`/consumption-sheets/${consumption_sheet_id}`}>
              {t('messages.sheet', { id: consumption_sheet_id })}
            </Anchor>
          )}
        </Group>
        {shown && <Fields id={id} />}
      </Stack>
      {asked === 'room' && <Room message={message} onClose={close} />}
      {asked === 'patient' && <Patient message={message} onClose={close} />}
      {asked === 'dismiss' && <Dismiss message={message} onClose={close} />}
    </Paper>
  );
}

/** Show the fields of a message; each look is logged. */
function Fields({ id }: { id: number }) {
  const t = useText();
  const read = useReadInboundMessageQuery({ messageId: id });
  throwOnError(read);
  const fields = read.currentData?.fields;
  if (!fields) return <PageLoader />;
  if (fields.length === 0) return <Text c="dimmed">{t('messages.gone')}</Text>;
  return (
    <div className={classes.fields}>
      <table aria-label={t('messages.fields')}>
        <tbody>
          {fields.map(({ place, value }, number) => (
            // A segment may occur more than once.
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
            <tr key={number}>
              <th scope="row">{place}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Props {
  message: InboundMessageView;
  onClose: () => void;
}

function Room({ message, onClose }: Props) {
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
      title="messages.room.question"
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

function Patient({ message, onClose }: Props) {
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
      title="messages.patient.question"
      onSubmit={form.onSubmit(send, (errors) => focusFirstError(form, errors))}
      pending={pending}
      onClose={onClose}
    >
      <Alert color="yellow">{t('messages.patient.what', { number: message.record_number ?? '—' })}</Alert>
      <PatientSelect {...form.getInputProps('patient_id')} />
    </Question>
  );
}

function Dismiss({ message, onClose }: Props) {
  const t = useText();
  const [dismiss] = useDismissInboundMessageMutation();
  const { submit, pending } = useSubmit();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: isNotEmpty(t('form.required')) },
  });
  const send = async (dismissMessageDraft: { reason: string }) => {
    const sent = () => dismiss({ messageId: message.id, dismissMessageDraft });
    if ((await submit(sent, { form, success: 'messages.wasDismissed' })).ok) onClose();
  };
  return (
    <Question
      title="messages.dismiss.question"
      onSubmit={form.onSubmit(send, (errors) => focusFirstError(form, errors))}
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
  title: MessageId;
  onSubmit: FormEventHandler<HTMLFormElement>;
  pending: boolean;
  onClose: () => void;
  children: ReactNode;
}

function Question({ title, onSubmit, pending, onClose, children }: QuestionProps) {
  const t = useText();
  return (
    <Dialog opened onClose={onClose} title={t(title)}>
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
