import type { Message } from '@/api/problem';

export const LOT_RECALLED = 'lot.recalled';
export const IMPLANT_INCOMPLETE = 'implant.incomplete';

/** A question of the server or of the page about a line. */
export type Question = Pick<Message, 'code' | 'text'>;

/** The answers to questions that need more than a yes. */
export interface Reasons {
  recall_reason?: string;
  implant_reason?: string;
}

/** Return whether one of the questions is about a recall or an implant, so that recording needs a reason. */
export const needsReason = (questions: Pick<Question, 'code'>[]) =>
  questions.some(({ code }) => code === LOT_RECALLED || code === IMPLANT_INCOMPLETE);
