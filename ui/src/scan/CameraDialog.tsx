import { ActionIcon, Button, Modal } from '@mantine/core';
import { IconBulb, IconPhoto, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import type { DetailValues } from '@/outbox/outboxSlice';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { nameAndCode } from '@/shared/records/nameAndCode';
import type { CameraError } from '@/symbols/camera';
import classes from './CameraDialog.module.css';
import type { Scanned } from './scanPages';
import { useCamera } from './useCamera';
import { usePackText } from './usePackText';

const CAMERA_ERRORS: Record<CameraError, MessageId> = {
  refused: 'camera.error.refused',
  none: 'camera.error.none',
  busy: 'camera.error.busy',
  failed: 'camera.error.failed',
  noReader: 'camera.error.noReader',
};

/** What handles the scans, and what became of them. */
interface Recorder {
  scan: (scanned: Scanned) => void;
  /** The line of the last scan. */
  fresh?: { values: DetailValues } | undefined;
  waiting: number;
  isUnanswered: boolean;
  /** Rows with a question, which the dialog makes room for. */
  open: readonly unknown[];
}

interface Props {
  recorder: Recorder;
  /** What the last scan did, if it recorded no line. */
  said?: string | undefined;
  /** Take a picture of several packs instead. */
  onPhoto?: () => void;
  onClose: () => void;
}

/**
 * Scan with the camera of a phone, handled like any other scan.
 *
 * The dialog stays open for the next code. It closes by itself when a scan raises a question, because questions are
 * shown above the list.
 */
export default function CameraDialog(props: Props) {
  useEscape(true, props.onClose);
  useReturnFocus(true);
  return (
    <Modal.Root opened fullScreen onClose={props.onClose} transitionProps={{ duration: 0 }}>
      <Modal.Content>
        <Modal.Body className={classes.body}>
          <Camera {...props} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Camera({ recorder, said, onPhoto, onClose }: Props) {
  const t = useText();
  const format = useFormat();
  const video = useRef<HTMLVideoElement>(null);
  const [reads, setReads] = useState(false);
  const camera = useCamera(video, (code) => {
    setReads(true);
    recorder.scan({ code });
  });
  const { fresh, waiting, isUnanswered, open } = recorder;
  const { product, quantity } = fresh?.values ?? {};
  const packText = usePackText();

  const makeRoom = useEffectEvent(onClose);
  const isAsked = reads && waiting === 0 && open.length > 0;
  useEffect(() => {
    if (isAsked) makeRoom();
  }, [isAsked]);

  return (
    <>
      <div className={classes.head}>
        <Modal.Title className={classes.title}>{t('camera.title')}</Modal.Title>
        {onPhoto && (
          <ActionIcon
            className={classes.sign}
            aria-label={t('photo.title')}
            title={t('photo.title')}
            onClick={onPhoto}
          >
            <IconPhoto size={24} aria-hidden />
          </ActionIcon>
        )}
        {camera.turnTorch && (
          <ActionIcon
            className={classes.sign}
            aria-label={t('camera.torch')}
            aria-pressed={camera.torch}
            onClick={camera.turnTorch}
          >
            <IconBulb size={24} fill={camera.torch ? 'currentColor' : 'none'} aria-hidden />
          </ActionIcon>
        )}
        <ActionIcon className={classes.sign} aria-label={t('camera.close')} onClick={onClose}>
          <IconX size={24} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.picture}>
        <video ref={video} className={classes.video} muted playsInline hidden={camera.error !== null} />
        {camera.seeing && <div className={classes.aim} aria-hidden />}
        {camera.error && (
          <div className={classes.error} role="alert">
            <p>{t(CAMERA_ERRORS[camera.error])}</p>
            <Button variant="default" onClick={camera.tryAgain}>
              {t('action.retry')}
            </Button>
          </div>
        )}
      </div>
      <div className={classes.foot}>
        <div className={classes.read} role="status">
          <span>
            {waiting > 0
              ? t(isUnanswered ? 'scan.unanswered' : 'scan.looking', { waiting })
              : reads && product
                ? format.counted(quantity ?? 0, nameAndCode(product))
                : said || t('camera.aim')}
          </span>
          {waiting === 0 && reads && product && <small>{fresh && packText(fresh.values)}</small>}
        </div>
        <Button size="md" onClick={onClose}>
          {t('scan.done')}
        </Button>
      </div>
    </>
  );
}
