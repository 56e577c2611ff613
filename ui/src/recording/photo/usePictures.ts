import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { newIdempotencyKey } from '@/api/idempotencyKey';
import type { Sighting } from '@/symbols/photo/joined';
import { readBeside } from '@/symbols/photo/openWorker';
import type { PictureError } from '@/symbols/photo/worker';

/** A page of codes takes a minute to look up, and is no heap of packs. */
export const MAX_SYMBOLS = 50;

export type Fault = PictureError | 'heic' | 'tooMany';

/** A picture that was taken or chosen. It is only in this tab's memory. */
export interface Picture {
  id: string;
  file: File;
  /** Where the browser shows it from. */
  url: string;
  state: 'waiting' | 'reading' | 'read';
  width: number;
  height: number;
  symbols: Sighting[];
  /** Passes that are done, of all. */
  done: number;
  of: number;
}

/** A picture that cannot be used, and why. */
export interface RefusedPicture {
  name: string;
  fault: Fault;
}

/** Read pictures one after the other. */
export function usePictures() {
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [refused, setRefused] = useState<RefusedPicture[]>([]);
  const stopReading = useRef<(() => void) | null>(null);
  const urls = useRef(new Set<string>());

  const change = (id: string, news: Partial<Picture>) =>
    setPictures((all) => all.map((one) => (one.id === id ? { ...one, ...news } : one)));

  function drop({ id, url }: Picture) {
    URL.revokeObjectURL(url);
    urls.current.delete(url);
    setPictures((all) => all.filter((one) => one.id !== id));
  }

  function end() {
    stopReading.current?.();
    stopReading.current = null;
  }

  function refuse(picture: Picture, fault: Fault) {
    end();
    drop(picture);
    setRefused((all) => [...all, { name: picture.file.name, fault }]);
  }

  const begin = useEffectEvent((picture: Picture) => {
    if (stopReading.current) return;
    stopReading.current = readBeside(picture.file, (answer) => {
      if ('error' in answer) {
        const isUnreadable =
          answer.error === 'notAPicture' && /hei[cf]/i.test(picture.file.type + picture.file.name);
        return refuse(picture, isUnreadable ? 'heic' : answer.error);
      }
      if ('end' in answer) {
        end();
        return change(picture.id, { state: 'read' });
      }
      const { progress, width, height } = answer;
      if (progress.symbols.length > MAX_SYMBOLS) return refuse(picture, 'tooMany');
      change(picture.id, { ...progress, width, height });
    });
    change(picture.id, { state: 'reading' });
  });
  const next = pictures.some(({ state }) => state === 'reading')
    ? undefined
    : pictures.find(({ state }) => state === 'waiting');
  useEffect(() => {
    if (next) begin(next);
  }, [next]);

  const onUnmount = useEffectEvent(() => {
    end();
    for (const url of urls.current) URL.revokeObjectURL(url);
  });
  useEffect(() => () => onUnmount(), []);

  return {
    pictures,
    refused,
    add(files: File[]) {
      setRefused([]);
      const added = files.map((file) => {
        const url = URL.createObjectURL(file);
        urls.current.add(url);
        const read = { width: 0, height: 0, symbols: [], done: 0, of: 0 };
        return { id: newIdempotencyKey(), file, url, state: 'waiting' as const, ...read };
      });
      setPictures((all) => [...all, ...added]);
    },
    /** Stop reading. What was read so far stays. */
    stop() {
      end();
      setPictures((all) => all.map((one) => ({ ...one, state: 'read' })));
    },
    remove(id: string) {
      const picture = pictures.find((one) => one.id === id);
      if (picture?.state === 'reading') end();
      if (picture) drop(picture);
    },
  };
}
