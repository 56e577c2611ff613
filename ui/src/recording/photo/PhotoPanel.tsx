import { ActionIcon, Button } from '@mantine/core';
import { IconCamera, IconPhoto, IconTrash, IconX } from '@tabler/icons-react';
import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { onConnectivityChange } from '@/api/connectivity';
import type { UseReason } from '@/api/generated';
import { serverNow } from '@/api/serverClock';
import type { Decimal } from '@/i18n/decimal';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { destinationName } from '@/scan/destinationName';
import { lookUp } from '@/scan/lookUp';
import { fullName } from '@/shared/records/fullName';
import { useAppDispatch } from '@/state/storeHooks';
import { tooFewPixels } from '@/symbols/photo/tooFewPixels';
import { AreaReasonChoice } from '@/topics/sheets/lines/ReasonChoice';
import { PracticeContext } from '../common/practiceContext';
import type { Recorder, Row } from '../scanning/recorderState';
import classes from './PhotoPanel.module.css';
import { PhotoRowItem, signOf } from './PhotoRowItem';
import { PictureFrames } from './PictureFrames';
import { isUncounted, OWN, type PhotoRow, packsIn, photoRows, rowsToAsk, textsOf } from './photoRows';
import { Sign } from './Sign';
import { useLookups } from './useLookups';
import { type Fault, MAX_SYMBOLS, type Picture, usePictures } from './usePictures';

const FAULTS: Record<Fault, MessageId> = {
  notAPicture: 'photo.fault.notAPicture',
  heic: 'photo.fault.heic',
  tooLarge: 'photo.fault.tooLarge',
  tooMany: 'photo.fault.tooMany',
  noReader: 'photo.fault.noReader',
};

/** What needs an answer comes first. */
const ORDER: PhotoRow['tone'][] = ['amber', 'failed', 'grey', 'looking', 'green', 'none'];

interface Props {
  sheetId: number;
  /** What the sheet's page is called. */
  here: string;
  /** As whom, where and what for the lines are recorded. */
  recorder: Recorder;
  /** Choose what an area uses them for. */
  onReason?: (reason: UseReason) => void;
  /** Record lines together. */
  onRecord: (items: DetailValues[]) => void;
  /** Hand rows to the recorder, which asks about them. */
  onAsk: (rows: Row[]) => void;
  /** There are pictures whose packs are not recorded. */
  onFilled: () => void;
  onClose: () => void;
  /** Return the focus to the bar. */
  toBar: () => void;
}

/**
 * Record the packs in pictures: those without a question together, the others one by one.
 *
 * A picture stays in this tab's memory: it is neither sent nor stored. It lies beside the bar, which works as always.
 */
export default function PhotoPanel(props: Props) {
  const { sheetId, here, recorder, onReason, onRecord, onAsk, onFilled, onClose, toBar } = props;
  const t = useText();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const practice = use(PracticeContext);
  const { pictures, refused, add, stop, remove } = usePictures();
  const [quantities, setQuantities] = useState<ReadonlyMap<string, Decimal>>(new Map());
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [lit, setLit] = useState<string | null>(null);
  const texts = [...new Set(pictures.flatMap((picture) => packsIn(picture).flatMap(textsOf)))];
  const { answers, told, check, retry } = useLookups(texts);
  const at = serverNow().toISOString();
  const now = { at, today: format.dayOf(at) };
  const found = photoRows(pictures, { sheetId, by: recorder, now, answers, told, quantities });
  const rows = found.rows
    .filter(({ key }) => !done.has(key))
    .sort((one, other) => ORDER.indexOf(one.tone) - ORDER.indexOf(other.tone));

  const unchecked = rows.filter(({ recheck }) => recheck);
  const checkAll = useEffectEvent(() => {
    for (const { key, recheck } of unchecked) if (recheck) void check(key, recheck);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another row has to be checked.
  useEffect(() => checkAll(), [unchecked.map(({ key }) => key).join()]);
  const hasFailed = rows.some(({ tone }) => tone === 'failed');
  const onRetry = useEffectEvent(retry);
  useEffect(() => {
    if (!hasFailed) return;
    const again = () => onRetry();
    const stopListening = onConnectivityChange((isAnswered) => isAnswered && again());
    window.addEventListener('online', again);
    return () => {
      stopListening();
      window.removeEventListener('online', again);
    };
  }, [hasFailed]);

  const isReading = pictures.some(({ state }) => state !== 'read');
  const isLooking = rows.some(({ tone }) => tone === 'looking');
  const clear = rows.filter(({ tone, quantity }) => tone === 'green' && quantity !== 0);
  const asked = rows.filter(
    (row) => (row.tone === 'amber' || row.tone === 'grey') && row.quantity !== 0 && !isUncounted(row),
  );
  const sum = clear.reduce((whole, { quantity }) => whole + Number(quantity), 0);
  const isReady = !isReading && !isLooking && clear.length + asked.length > 0 && recorder.use_reason !== '';

  function record(event: FormEvent) {
    event.preventDefault();
    if (!isReady) return;
    if (clear.length > 0) onRecord(clear.flatMap(({ line }) => line?.values ?? []));
    const [unknown, others] = [
      asked.filter(({ rows: [row] }) => row?.kind === 'unknown'),
      asked.filter(({ rows: [row] }) => row?.kind !== 'unknown'),
    ];
    if (others.length > 0) onAsk(others.flatMap(rowsToAsk));
    for (const row of unknown) void askUnknown(row);
    const left = rows.filter((row) => row.tone === 'failed' || (row.tone === 'amber' && isUncounted(row)));
    if (left.length === 0) leave(toBar);
    else setDone(new Set([...done, ...rows.filter((row) => !left.includes(row)).map(({ key }) => key)]));
  }

  /** Note an unknown code for the catalogue, as a scan does, and then ask about it. */
  async function askUnknown(row: PhotoRow) {
    const { data } = await dispatch(lookUp({ scan: row.text, onlyTried: practice ? true : undefined }));
    const noted = practice ? null : (data?.noted ?? null);
    onAsk(rowsToAsk(row).map((one) => (one.kind === 'unknown' ? { ...one, noted } : one)));
  }

  const take = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const [opener] = useState(() => document.activeElement);
  function leave(to: () => void) {
    onClose();
    to();
  }
  function toOpener() {
    if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
    else toBar();
  }
  const onOpened = useEffectEvent(() => {
    panel.current?.focus();
    panel.current?.scrollIntoView({ block: 'nearest' });
    // A phone's camera opens at once; at a desk the person chooses between the two buttons.
    if (window.matchMedia('(pointer: coarse)').matches) take.current?.click();
  });
  useEffect(() => onOpened(), []);
  useEffect(() => {
    if (isReady && panel.current?.contains(document.activeElement))
      submit.current?.focus({ preventScroll: true });
  }, [isReady]);

  function onFiles({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const files = [...(currentTarget.files ?? [])];
    currentTarget.value = '';
    if (files.length === 0) return;
    add(files);
    onFilled();
    panel.current?.focus({ preventScroll: true });
  }

  const toneOf = (key: string) => {
    const row = found.rows.find((one) => one.key === key);
    return key === OWN || done.has(key) ? 'green' : row ? signOf(row) : 'grey';
  };
  const choose = (key: string) =>
    panel.current?.querySelector<HTMLElement>(`[data-photo-row="${CSS.escape(key)}"] input`)?.focus();
  const own = found.pictures.find((one) => one.own)?.own;

  return (
    <form
      ref={panel}
      className={classes.panel}
      aria-label={t('photo.title')}
      tabIndex={-1}
      noValidate
      onSubmit={record}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        leave(toOpener);
      }}
    >
      <div className={classes.head}>
        <h2 className={classes.title}>{t('photo.title')}</h2>
        <ActionIcon className={classes.close} aria-label={t('photo.close')} onClick={() => leave(toOpener)}>
          <IconX size={20} aria-hidden />
        </ActionIcon>
      </div>
      <p className={classes.tip}>{t('photo.tip')}</p>
      <div className={classes.files}>
        <FileButton
          icon={<IconCamera size={20} aria-hidden />}
          input={take}
          label={t(pictures.length > 0 ? 'photo.another' : 'photo.take')}
          isCamera
          onFiles={onFiles}
        />
        <FileButton
          icon={<IconPhoto size={20} aria-hidden />}
          input={file}
          label={t('photo.choose')}
          onFiles={onFiles}
        />
      </div>
      {refused.map(({ name, fault }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only added to.
        <p key={place} className={classes.refused} role="alert">
          {t(FAULTS[fault], { name, most: MAX_SYMBOLS })}
        </p>
      ))}
      {found.pictures.flatMap(({ id, other }) =>
        other ? (
          <p key={id} className={classes.refused} role="alert">
            {t('photo.ofOther', {
              other: destinationName({
                sheetId: other.sheet_id ?? other.sheets[0]?.id ?? null,
                person: other,
              }),
              here,
            })}
          </p>
        ) : (
          []
        ),
      )}
      {own && (
        <p className={classes.unread}>
          <Sign tone="green" />
          <span>{t('photo.own', { patient: fullName(own) })}</span>
        </p>
      )}
      <div className={classes.body}>
        <ul className={classes.pictures}>
          {pictures.map((picture, place) => {
            const shown = found.pictures[place];
            return (
              <li key={picture.id}>
                <figure className={classes.figure} data-refused={shown?.other ? true : undefined}>
                  <Caption
                    picture={picture}
                    packs={shown?.packs ?? 0}
                    unread={shown?.unread ?? 0}
                    onStop={stop}
                    onRemove={() => remove(picture.id)}
                  />
                  <PictureFrames
                    picture={picture}
                    alt={t('photo.picture', { number: place + 1 })}
                    frames={shown && !shown.other ? shown.frames : []}
                    toneOf={toneOf}
                    unreadText={t('photo.unread')}
                    lit={lit}
                    onLight={setLit}
                    onChoose={choose}
                  />
                </figure>
              </li>
            );
          })}
        </ul>
        {rows.length > 0 && (
          <ul className={classes.list} aria-label={t('photo.packs')}>
            {rows.map((row) => (
              <PhotoRowItem
                key={row.key}
                row={row}
                isLit={lit === row.key}
                onLight={setLit}
                onQuantity={(quantity) => setQuantities(new Map(quantities).set(row.key, quantity))}
              />
            ))}
          </ul>
        )}
      </div>
      {recorder.use_reason === '' && onReason && rows.length > 0 && (
        <div>
          <p>{t('area.chooseFirst')}</p>
          <AreaReasonChoice value="" onChange={onReason} />
        </div>
      )}
      {rows.length > 0 && (
        <div className={classes.foot}>
          {asked.length > 0 && clear.length > 0 && (
            <span className={classes.note}>{t('photo.asked', { count: asked.length })}</span>
          )}
          {hasFailed && (
            <Button variant="default" onClick={retry}>
              {t('action.retry')}
            </Button>
          )}
          <Button ref={submit} type="submit" disabled={!isReady}>
            {clear.length > 0
              ? t('photo.record', { count: format.quantity(sum) })
              : asked.length > 0
                ? t('photo.ask', { count: asked.length })
                : t('batch.record', { count: 0 })}
          </Button>
        </div>
      )}
    </form>
  );
}

interface FileButtonProps {
  icon: ReactNode;
  input: RefObject<HTMLInputElement | null>;
  label: string;
  isCamera?: boolean;
  onFiles: (event: ChangeEvent<HTMLInputElement>) => void;
}

function FileButton({ icon, input, label, isCamera = false, onFiles }: FileButtonProps) {
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple={!isCamera}
        capture={isCamera ? 'environment' : undefined}
        aria-label={label}
        hidden
        onChange={onFiles}
      />
      <Button
        variant={isCamera ? 'filled' : 'default'}
        leftSection={icon}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}

interface CaptionProps {
  picture: Picture;
  packs: number;
  unread: number;
  onStop: () => void;
  onRemove: () => void;
}

/** Say how far a picture is read, and what is missing in it. */
function Caption({ picture, packs, unread, onStop, onRemove }: CaptionProps) {
  const t = useText();
  const { state, done, of, symbols } = picture;
  const isRead = state === 'read';
  const hints: [boolean, MessageId][] = [
    [isRead && symbols.every(({ text }) => text === null) && unread === 0, 'photo.none'],
    [isRead && packs === 0 && symbols.some(({ text }) => text !== null), 'photo.none'],
    [isRead && tooFewPixels(symbols), 'photo.tooFew'],
  ];
  const hint = hints.find(([isTrue]) => isTrue)?.[1];
  return (
    <figcaption>
      <div className={classes.caption}>
        <span role="status">
          {isRead || done > 0 ? t('photo.found', { read: packs, unread }) : t('photo.waiting')}
        </span>
        {!isRead && (
          <Button variant="default" onClick={onStop}>
            {t('photo.stop')}
          </Button>
        )}
        <ActionIcon className={classes.close} aria-label={t('photo.remove')} onClick={onRemove}>
          <IconTrash size={20} aria-hidden />
        </ActionIcon>
      </div>
      {!isRead && (
        <progress
          className={classes.progress}
          value={done}
          max={of || 1}
          aria-label={t('photo.reading', { done, of })}
        />
      )}
      {hint && (
        <p className={classes.asked} role="alert">
          {t(hint)}
        </p>
      )}
      {unread > 0 && (
        <p className={classes.unread}>
          <Sign tone="red" />
          <span>{t('photo.unread')}</span>
        </p>
      )}
    </figcaption>
  );
}
