import type { InboundMessageView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** Codes of problems that are solved by naming the message's room. */
const OF_ROOM = new Set(['location.unknown', 'location.missing']);

/** Codes of problems that are solved by opening a sheet with the message. */
const OF_NEW_SHEET = new Set([...OF_ROOM, 'visit.unknown', 'visit.missing', 'message.class_unknown']);

/** Codes of problems that are solved by naming the sheet of the message's visit. */
const OF_SHEET = new Set([...OF_ROOM, 'visit.unknown', 'message.sheet_unclear']);

/** Codes of problems that are solved by naming the message's patient. */
const OF_PATIENT = new Set([
  'visit.of_another',
  'record_number.missing',
  'required',
  'patient.inactive',
  'message.patient_unclear',
  'message.person_differs',
  'record_number.of_another_authority',
]);

/**
 * Return what a person must name before a message can be applied.
 *
 * It is null if only retry or dismissal is possible.
 */
export function missingReference({ code }: Pick<InboundMessageView, 'code'>): 'room' | 'patient' | null {
  if (code && OF_ROOM.has(code)) return 'room';
  return code && OF_PATIENT.has(code) ? 'patient' : null;
}

/** Return whether a sheet can be opened with the message. */
export const mayOpenSheet = ({ code }: Pick<InboundMessageView, 'code'>) =>
  code !== null && OF_NEW_SHEET.has(code);

/** Return whether the message's visit can be that of a sheet without one. */
export const mayNameSheet = ({ code, visit_number }: Pick<InboundMessageView, 'code' | 'visit_number'>) =>
  code !== null && OF_SHEET.has(code) && visit_number !== null;

/**
 * Return the ids of patients that a message may be about.
 *
 * They have the same names, and no record number.
 */
export const candidatesOf = ({ code, params }: Pick<InboundMessageView, 'code' | 'params'>) =>
  code === 'message.patient_unclear' ? String(params.patients).split(', ').map(Number) : [];

/** Names of the events that have an effect here. */
export const kindWords: Record<string, MessageId> = {
  A01: 'messages.kind.admission',
  A02: 'messages.kind.transfer',
  A03: 'messages.kind.discharge',
  A04: 'messages.kind.admission',
  A06: 'messages.kind.classChanged',
  A07: 'messages.kind.classChanged',
  A08: 'messages.kind.correction',
  A11: 'messages.kind.admissionCancelled',
  A12: 'messages.kind.transferCancelled',
  A13: 'messages.kind.dischargeCancelled',
  A17: 'messages.kind.bedsExchanged',
  A18: 'messages.kind.merge',
  A28: 'messages.kind.person',
  A31: 'messages.kind.person',
  A34: 'messages.kind.merge',
  A40: 'messages.kind.merge',
  A47: 'messages.kind.recordChanged',
};

/** Short names of the reasons for which messages are held. */
export const reasonWords: Record<string, MessageId> = {
  'visit.missing': 'messages.reason.visitMissing',
  'visit.unknown': 'messages.reason.visitUnknown',
  'visit.of_another': 'messages.reason.visitOfAnother',
  'location.missing': 'messages.reason.locationMissing',
  'location.unknown': 'messages.reason.locationUnknown',
  'record_number.missing': 'messages.reason.recordMissing',
  required: 'messages.reason.required',
  'text.too_long': 'messages.reason.textTooLong',
  'text.unwritable': 'messages.reason.textUnwritable',
  'text.direction': 'messages.reason.textUnwritable',
  'date.in_future': 'messages.reason.dateInFuture',
  taken: 'messages.reason.recordTaken',
  'patient.inactive': 'messages.reason.patientInactive',
  'patient.merged': 'messages.reason.patientMerged',
  'merge.of_unknown': 'messages.reason.mergeOfUnknown',
  'merge.of_several': 'messages.reason.mergeOfSeveral',
  'discharge.undone': 'messages.reason.dischargeUndone',
  'control_id.reused': 'messages.reason.controlIdReused',
  'message.moment_unreadable': 'messages.reason.momentUnreadable',
  'message.patient_unclear': 'messages.reason.patientUnclear',
  'message.sheet_unclear': 'messages.reason.sheetUnclear',
  'message.class_unknown': 'messages.reason.classUnknown',
  'message.person_differs': 'messages.reason.personDiffers',
  'record_number.of_another_authority': 'messages.reason.otherAuthority',
  'message.surnames_unclear': 'messages.reason.surnamesUnclear',
  'message.failed': 'messages.reason.failed',
  'message.character_set_contradicted': 'messages.reason.characterSet',
  'merge.unclear': 'messages.reason.mergeUnclear',
};
