import type { ImportState } from './importState';

/*
 * The import that a user had begun when the session ended.
 *
 * It is kept in the memory of this tab, as the file is. The same user resumes it at the next sign-in; another user's
 * sign-in discards it. `compares` tells a file that is only compared, on another page.
 */
let interrupted: { userId: number; work: ImportState; compares: boolean } | null = null;

export function saveInterruptedImport(userId: number, work: ImportState, compares: boolean) {
  interrupted = { userId, work, compares };
}

/** Return this user's interrupted import of this page; discard another user's. */
export function resumeImport(userId: number, compares: boolean): ImportState | null {
  if (interrupted?.userId !== userId) interrupted = null;
  return interrupted?.compares === compares ? interrupted.work : null;
}

export function forgetInterruptedImport() {
  interrupted = null;
}
