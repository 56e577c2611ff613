import {
  type Icon,
  IconCircleDashed,
  IconCloudUpload,
  IconDoorExit,
  IconHelpCircle,
} from '@tabler/icons-react';
import type { WardSheetView, WardView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** A sheet on the board, with the number of lines that this device has not sent. */
export type BoardSheet = WardSheetView & {
  unsent: number;
  /** Whether this device answers and has not stored its lines: the time of the last one is unknown. */
  lines_missing?: boolean;
};

/** The board, and when it was read if the server does not answer: in whole, or only the sheets on this device. */
export type Board = WardView & { seen_at?: string; is_partial?: boolean };

interface MarkKind {
  icon: Icon;
  label: MessageId;
  /** The number of sheets with this mark, in the summary. */
  summary: MessageId;
  /** The number in the label; 0 if the sheet has no such mark. */
  count: (sheet: BoardSheet) => number;
}

/** What may have to be done about a sheet, the most urgent first. */
export const marks = {
  unsent: {
    icon: IconCloudUpload,
    label: 'ward.unsent',
    summary: 'ward.withUnsent',
    count: ({ unsent }) => unsent,
  },
  discharge: {
    icon: IconDoorExit,
    label: 'ward.discharge',
    summary: 'ward.discharges',
    count: ({ discharge_proposed }) => Number(discharge_proposed),
  },
  unlisted: {
    icon: IconHelpCircle,
    label: 'ward.unlisted',
    summary: 'ward.withUnlisted',
    count: ({ unlisted_items }) => unlisted_items,
  },
  quiet: {
    icon: IconCircleDashed,
    label: 'ward.nothingToday',
    summary: 'ward.quiet',
    count: ({ lines_today }) => Number(lines_today === 0),
  },
} as const satisfies Record<string, MarkKind>;

export type MarkName = keyof typeof marks;
export const MARKS = Object.keys(marks) as MarkName[];

/** A card has room for this many marks. */
const MAX_MARKS = 2;

/** Return the marks of a card. */
export const marksOf = (sheet: BoardSheet) =>
  MARKS.filter((name) => marks[name].count(sheet) > 0).slice(0, MAX_MARKS);
