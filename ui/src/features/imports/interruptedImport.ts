import type { ImportState } from './importState';

/*
 * The import that a user had begun when the session ended.
 *
 * It is kept in the memory of this tab, as the file is. The same user resumes it at the next sign-in; another user's
 * sign-in discards it.
 */
let interrupted: { userId: number; work: ImportState } | null = null;

export function saveInterruptedImport(userId: number, work: ImportState) {
  interrupted = { userId, work };
}

/** Return this user's interrupted import; discard another user's. */
export function resumeImport(userId: number): ImportState | null {
  if (interrupted?.userId !== userId) interrupted = null;
  return interrupted?.work ?? null;
}

export function forgetInterruptedImport() {
  interrupted = null;
}
