import { Button, Drawer, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { generatedApi } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { Other, OutboxLine } from '@/outbox/outboxSlice';
import { flushOutbox } from '@/outbox/sending';
import { takeBack } from '@/outbox/thunks';
import frame from '@/shared/dialogs/sideDrawer.module.css';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { fullName } from '@/shared/records/fullName';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { useAppDispatch } from '@/state/storeHooks';
import classes from './UnsentDrawer.module.css';

const { readAreaSheet, readSheet } = generatedApi.endpoints;
type CacheRoot = Parameters<ReturnType<typeof readSheet.select>>[0];

interface Props {
  unsent: OutboxLine[];
  others: Other[];
  onClose: () => void;
}

/**
 * List of the device's unsent entries by sheet, with their reasons.
 *
 * Users can send and discard their own.
 */
export default function UnsentDrawer({ unsent, others, onClose }: Props) {
  useEscape(true, onClose);
  useReturnFocus(true);
  const t = useText();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [sending, setSending] = useState(false);
  const sheets = [...new Set(unsent.map(({ sheetId }) => sheetId))];

  async function send() {
    setSending(true);
    await dispatch(flushOutbox());
    setSending(false);
  }

  return (
    <Drawer.Root opened onClose={onClose} position="right" size={440}>
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: frame.content }} radius={0}>
        <Drawer.Body className={frame.body}>
          <div className={frame.head}>
            <Drawer.Title className={frame.title}>{t('outbox.title')}</Drawer.Title>
            <Drawer.CloseButton aria-label={t('action.close')} />
          </div>
          <div className={classes.sheets}>
            {unsent.length === 0 && <Text>{t('outbox.nothing')}</Text>}
            {sheets.map((sheetId) => (
              <section key={sheetId}>
                <SheetTitle sheetId={sheetId} />
                {unsent
                  .filter((line) => line.sheetId === sheetId)
                  .map((line) => (
                    <Entry key={line.key} line={line} onClose={onClose} />
                  ))}
              </section>
            ))}
            {others.map(({ userId, name, count, since }) => (
              <Text key={userId} size="sm">
                {t('outbox.othersSince', { name, count, since: format.moment(since) })}
              </Text>
            ))}
          </div>
          {unsent.length > 0 && (
            <Group className={frame.foot} justify="flex-end">
              <Button loading={sending} onClick={send}>
                {t('outbox.sendNow')}
              </Button>
            </Group>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/**
 * The sheet, with its patient's name if this session has read it.
 *
 * The device stores no names.
 */
function SheetTitle({ sheetId }: { sheetId: number }) {
  const t = useText();
  const sheet = useSelector((state: CacheRoot) => readSheet.select({ sheetId })(state).data);
  const page = useSelector((state: CacheRoot) => readAreaSheet.select({ sheetId })(state).data);
  const name = page ? t('area.of', { area: page.area.name }) : sheet && fullName(sheet.patient);
  return (
    <Title order={3} className={classes.name}>
      {[t('outbox.sheet', { id: sheetId }), name].filter(Boolean).join(' · ')}
    </Title>
  );
}

function Entry({ line, onClose }: { line: OutboxLine; onClose: () => void }) {
  const t = useText();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const { key, sheetId, items, status, occurredAt, messages, isUndone } = line;
  const isRefused = status === 'refused';
  const [asks, setAsks] = useState(false);

  const nameOf = ({ quantity, product }: OutboxLine['items'][number]) =>
    format.counted(Number(quantity), product ? nameAndCode(product) : '');
  return (
    <div className={classes.entry}>
      <div className={classes.what}>
        {items.map((one, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and a product may be listed twice.
          <Text key={place}>{nameOf(one)}</Text>
        ))}
        <Text size="sm" c="dimmed">
          {`${format.moment(occurredAt)} · ${t(isUndone ? 'details.undone' : STATES[isRefused ? 'refused' : status === 'sending' ? 'sending' : 'waiting'])}`}
        </Text>
        {[...new Set(messages.map(({ text }) => text))].map((text) => (
          <Text key={text} size="sm" c="red">
            {text}
          </Text>
        ))}
      </div>
      {asks && !isUndone ? (
        <Group gap="xs" role="group" aria-label={t('outbox.discard.sure')}>
          <Text size="sm">{t('outbox.discard.sure')}</Text>
          <Button color="red" onClick={() => dispatch(takeBack(key))}>
            {t('details.discard')}
          </Button>
          <Button variant="default" onClick={() => setAsks(false)} autoFocus>
            {t('action.cancel')}
          </Button>
        </Group>
      ) : (
        <Group gap="xs">
          {isRefused && (
            <Button
              component={Link}
              to={detailsOf({ id: sheetId })}
              state={{ corrects: key }}
              variant="default"
              onClick={onClose}
            >
              {t('details.correct')}
            </Button>
          )}
          {!isUndone && (
            <Button variant="default" onClick={() => setAsks(true)}>
              {t('details.discard')}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}

const STATES = {
  refused: 'details.unrecorded',
  sending: 'details.recording',
  waiting: 'details.waiting',
} as const;
