import { Anchor, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type InboundMessageView,
  useDismissInboundMessageMutation,
  useReadInboundMessageQuery,
  useRetryInboundMessageMutation,
} from '@/api/generated';
import { throwOnError } from '@/api/problem';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useSubmit } from '@/shared/forms/useSubmit';
import { PageLoader } from '@/shared/ui/PageLoader';
import { StatusBadge } from '@/shared/ui/StatusBadge';
import { toast } from '@/shared/ui/toast';
import { DismissDialog, OpenDialog, PatientDialog, RoomDialog, SheetDialog } from './MessageDialogs';
import classes from './messages.module.css';
import { candidatesOf, kindWords, mayNameSheet, mayOpenSheet, missingReference } from './questions';

/** Names of the states. */
export const stateWords: Record<InboundMessageView['state'], MessageId> = {
  applied: 'messages.applied',
  ignored: 'messages.ignored',
  held: 'messages.isHeld',
  dismissed: 'messages.dismissed',
  refused: 'messages.refused',
};

type Asked = 'room' | 'patient' | 'open' | 'sheet' | 'dismiss' | null;

interface Props {
  message: InboundMessageView;
  marked: boolean;
  onMark: (on: boolean) => void;
}

/** A message, why it is held, and the decisions about it. */
export function InboundMessage({ message, marked, onMark }: Props) {
  const t = useText();
  const format = useFormat();
  const mayDecide = useCan('messages.decide');
  const [retry] = useRetryInboundMessageMutation();
  const [dismiss] = useDismissInboundMessageMutation();
  const { submit, pending } = useSubmit();
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const { id, kind, control_id, source, event_at, state, why, consumption_sheet_id } = message;
  const { visit_number, record_number, location } = message;
  const about = `message-${id}`;
  const close = () => setAsked(null);
  // A refused message that is sent again unchanged is counted.
  const tries = state === 'refused' && message.tries > 1 && t('messages.tries', { count: message.tries });
  const decides = mayDecide && state === 'held';
  // A refused message may lack everything that identifies it.
  const name = kindWords[kind] ? `${kind} · ${t(kindWords[kind])}` : kind || t('messages.unknownKind');
  const identifiers = [
    visit_number && t('messages.visit', { number: visit_number }),
    record_number && t('messages.record', { number: record_number }),
    location,
  ].filter(Boolean);
  return (
    <Paper withBorder component="article" p="md" aria-labelledby={about}>
      <Stack gap="xs">
        <Group gap="sm" justify="space-between">
          <Group gap="sm" wrap="nowrap">
            {decides && (
              <Checkbox
                aria-label={t('messages.mark')}
                aria-describedby={about}
                checked={marked}
                onChange={({ currentTarget: { checked } }) => onMark(checked)}
              />
            )}
            <Title order={2} size="h4" id={about} className={classes.why}>
              {name}
            </Title>
          </Group>
          <StatusBadge is={`message.${state}`}>{t(stateWords[state])}</StatusBadge>
        </Group>
        {why && <Text className={classes.why}>{why}</Text>}
        {identifiers.length > 0 && <Text className={classes.why}>{identifiers.join(' · ')}</Text>}
        <Text size="sm" c="dimmed" className={classes.why}>
          {[...source.split('|'), control_id, format.moment(event_at), tries].filter(Boolean).join(' · ')}
        </Text>
        {message.decided_at && (
          <Text size="sm" c="dimmed" className={classes.why}>
            {[message.decided_by ?? '—', format.moment(message.decided_at), message.note].join(' · ')}
          </Text>
        )}
        <Group gap="sm">
          {decides && (
            <>
              {missingReference(message) === 'room' && (
                <Button onClick={() => setAsked('room')}>{t('messages.room')}</Button>
              )}
              {missingReference(message) === 'patient' && (
                <Button onClick={() => setAsked('patient')}>{t('messages.patient')}</Button>
              )}
              {mayNameSheet(message) && (
                <Button variant="default" onClick={() => setAsked('sheet')}>
                  {t('messages.isSheet')}
                </Button>
              )}
              {mayOpenSheet(message) && (
                <Button variant="default" onClick={() => setAsked('open')}>
                  {t('messages.open')}
                </Button>
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
          {state !== 'refused' && (
            <Button variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
              {t(shown ? 'messages.hide' : 'messages.show')}
            </Button>
          )}
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
      {asked === 'room' && <RoomDialog message={message} onClose={close} />}
      {asked === 'patient' && <PatientDialog message={message} onClose={close} />}
      {asked === 'sheet' && <SheetDialog message={message} onClose={close} />}
      {asked === 'open' && <OpenDialog message={message} onClose={close} />}
      {asked === 'dismiss' && (
        <DismissDialog
          title={t('messages.dismiss.question')}
          send={(reason) => dismiss({ messageId: id, dismissMessageDraft: { reason } })}
          onDone={() => toast.success(t('messages.wasDismissed'))}
          onClose={close}
        />
      )}
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
