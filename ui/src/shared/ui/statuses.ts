import {
  type Icon,
  IconBan,
  IconBarrierBlock,
  IconBed,
  IconCircleCheck,
  IconCircleDashed,
  IconClipboardList,
  IconClockExclamation,
  IconDoorExit,
  IconLock,
  IconPackageOff,
  IconSpray,
  IconUserQuestion,
} from '@tabler/icons-react';

/** Colours: in force, in use, needs attention, stopped, finished. */
type Tone = 'on' | 'busy' | 'look' | 'stop' | 'over';

/** Colour and icon of each status, wherever it is shown. */
export const statuses = {
  'sheet.open': { tone: 'on', icon: IconClipboardList },
  'sheet.quiet': { tone: 'over', icon: IconCircleDashed },
  'sheet.discharge': { tone: 'look', icon: IconDoorExit },
  'sheet.closed': { tone: 'over', icon: IconLock },
  'room.available': { tone: 'on', icon: IconCircleCheck },
  'room.occupied': { tone: 'busy', icon: IconBed },
  'room.cleaning': { tone: 'look', icon: IconSpray },
  'room.outOfService': { tone: 'stop', icon: IconBarrierBlock },
  'recall.inForce': { tone: 'stop', icon: IconPackageOff },
  'recall.ended': { tone: 'over', icon: IconCircleCheck },
  'patient.unidentified': { tone: 'look', icon: IconUserQuestion },
  'message.held': { tone: 'look', icon: IconClockExclamation },
  'message.applied': { tone: 'on', icon: IconCircleCheck },
  'message.ignored': { tone: 'over', icon: IconBan },
  'message.refused': { tone: 'stop', icon: IconBan },
  'message.dismissed': { tone: 'over', icon: IconBan },
  late: { tone: 'look', icon: IconClockExclamation },
  active: { tone: 'on', icon: IconCircleCheck },
  inactive: { tone: 'over', icon: IconBan },
} as const satisfies Record<string, { tone: Tone; icon: Icon }>;

export type StatusName = keyof typeof statuses;
