import { useDocumentVisibility } from '@mantine/hooks';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { type CameraError, cameraErrorOf, createReader, ScanDeduplicator } from '@/symbols/camera';
import type { ReadSymbol } from '@/symbols/centredResult';

/** Pause between two frames, in milliseconds: short enough to read a held symbol at once. */
const REST = 80;

const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
};

// Only phones have a torch, and TypeScript's types lack it.
type WithTorch = MediaTrackCapabilities & { torch?: boolean };

/** Read symbols with the camera while this is mounted and visible. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onSymbol: (raw: string) => void) {
  const seen = useDocumentVisibility() === 'visible';
  const [tries, setTries] = useState(0);
  const [cameraError, setCameraError] = useState<CameraError | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [torch, setTorch] = useState(false);
  const [deduplicator] = useState(() => new ScanDeduplicator());

  const onFrame = useEffectEvent((raw: string | null) => {
    if (deduplicator.isNew(raw, performance.now()) && raw !== null) onSymbol(raw);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try starts over.
  useEffect(() => {
    const screen = video.current;
    if (!seen || !screen) return;
    let over = false;
    let stream: MediaStream | undefined;

    function end() {
      over = true;
      for (const one of stream?.getTracks() ?? []) one.stop();
      setTrack(null);
      setTorch(false);
    }
    function fail(why: CameraError) {
      if (over) return;
      end();
      setCameraError(why);
    }

    async function begin(on: HTMLVideoElement) {
      const reader = createReader();
      reader.catch(() => fail('noReader'));
      try {
        stream = await navigator.mediaDevices.getUserMedia(WANTED);
        if (over) return end();
        const [first] = stream.getVideoTracks();
        first?.addEventListener('ended', () => fail('busy'));
        setTrack(first ?? null);
        on.srcObject = stream;
        await on.play();
      } catch (error) {
        return fail(cameraErrorOf(error));
      }
      const read = await reader.catch(() => null);
      while (read && !over) {
        const raw = await look(on, read);
        if (!over) onFrame(raw);
        await new Promise((resolve) => window.setTimeout(resolve, REST));
      }
    }

    setCameraError(null);
    begin(screen);
    return end;
  }, [video, seen, tries]);

  return {
    error: cameraError,
    seeing: track !== null,
    tryAgain: () => setTries((before) => before + 1),
    torch,
    /** Null if there is no torch. */
    turnTorch: (track?.getCapabilities?.() as WithTorch | undefined)?.torch
      ? () => {
          const advanced = [{ torch: !torch } as MediaTrackConstraintSet];
          track?.applyConstraints({ advanced }).then(
            () => setTorch(!torch),
            () => {},
          );
        }
      : null,
  };
}

let canvas: HTMLCanvasElement | undefined;

/** Read the square in the middle, at which the user aims. */
async function look(video: HTMLVideoElement, read: ReadSymbol): Promise<string | null> {
  const { videoWidth, videoHeight } = video;
  const side = Math.min(videoWidth, videoHeight);
  if (side === 0) return null;
  canvas ??= document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const [left, top] = [(videoWidth - side) / 2, (videoHeight - side) / 2];
  canvas
    .getContext('2d', { willReadFrequently: true })
    ?.drawImage(video, left, top, side, side, 0, 0, side, side);
  // Ignore a frame that cannot be read: more will follow.
  return read(canvas).catch(() => null);
}
