import { deviceStorage } from '@/state/storage';

/** Signals by sound and vibration, in addition to the screen. */
export type Signal = 'taken' | 'asked' | 'refused' | 'otherPatient';

const KEY = 'sounds';

/** Whether this device gives signals. Users turn them off in the account menu. */
export const sounds = {
  areOn: () => deviceStorage.getItem(KEY) !== 'off',
  turn: (on: boolean) => (on ? deviceStorage.removeItem(KEY) : deviceStorage.setItem(KEY, 'off')),
};

/** Tones as pairs of hertz and seconds, and the vibration in milliseconds. */
const SIGNALS: Record<Signal, { tones: [hertz: number, seconds: number][]; vibration: number[] }> = {
  taken: { tones: [[1320, 0.07]], vibration: [40] },
  asked: {
    tones: [
      [880, 0.09],
      [880, 0.09],
    ],
    vibration: [60, 60, 60],
  },
  refused: { tones: [[220, 0.25]], vibration: [250] },
  otherPatient: {
    tones: [
      [660, 0.1],
      [880, 0.1],
      [1100, 0.16],
    ],
    vibration: [40, 40, 40, 40, 120],
  },
};
const PAUSE_S = 0.05;
const VOLUME = 0.12;

let context: AudioContext | null = null;

/** Play a sound and vibrate. The screen shows the meaning, too. */
export function giveSignal(signal: Signal) {
  if (!sounds.areOn()) return;
  const { tones, vibration } = SIGNALS[signal];
  // Before that, the browser refuses it and complains in the console.
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(vibration);
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // Browsers suspend audio until the user has interacted with the page.
  if (context.state === 'suspended') context.resume().catch(() => {});
  let at = context.currentTime;
  for (const [hertz, seconds] of tones) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(VOLUME, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + seconds);
    at += seconds + PAUSE_S;
  }
}
