import type { ImportState } from './importState';

/*
 * What somebody was about to import when their session ended. It is theirs alone, and lies in the memory of this tab as
 * the file itself does: whoever signs in next from here takes it up again, or it goes.
 */
let interrupted: { userId: number; work: ImportState } | null = null;

export function saveInterruptedImport(userId: number, work: ImportState) {
  interrupted = { userId, work };
}

/** What that person was at; what somebody else was at goes. */
export function resumeImport(userId: number): ImportState | null {
  if (interrupted?.userId !== userId) interrupted = null;
  return interrupted?.work ?? null;
}

export function forgetInterruptedImport() {
  interrupted = null;
}
