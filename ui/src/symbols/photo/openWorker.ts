import type { Answer } from './worker';

/** Read a picture beside the page's thread. Return a function that stops. */
export function readBeside(picture: Blob, onAnswer: (answer: Answer) => void): () => void {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => onAnswer(data);
  // Not loaded, or out of memory.
  worker.onerror = () => onAnswer({ error: 'noReader' });
  worker.postMessage(picture);
  return () => worker.terminate();
}
