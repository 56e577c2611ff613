import type { InboundMessageView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** Reasons that go away once somebody has said whom a message is about. */
const OF_PATIENT = new Set([
  'visit.of_another',
  'record_number.missing',
  'required',
  'patient.inactive',
  'message.patient_unclear',
]);

/** What somebody has to say so that a message can be done; nothing where trying again or dismissing is all there is. */
export function missingReference({ code }: Pick<InboundMessageView, 'code'>): 'room' | 'patient' | null {
  if (code === 'location.unknown') return 'room';
  return code && OF_PATIENT.has(code) ? 'patient' : null;
}

/** Whom a message may be about: patients without a record number who have the names that it tells. */
export const candidatesOf = ({ code, params }: Pick<InboundMessageView, 'code' | 'params'>) =>
  code === 'message.patient_unclear' ? String(params.patients).split(', ').map(Number) : [];

/** What the events are called that do something here. */
export const kindWords: Record<string, MessageId> = {
  A01: 'messages.kind.admission',
  A02: 'messages.kind.transfer',
  A03: 'messages.kind.discharge',
  A04: 'messages.kind.admission',
  A08: 'messages.kind.correction',
  A11: 'messages.kind.admissionCancelled',
  A12: 'messages.kind.transferCancelled',
  A13: 'messages.kind.dischargeCancelled',
  A18: 'messages.kind.merge',
  A28: 'messages.kind.person',
  A31: 'messages.kind.person',
  A34: 'messages.kind.merge',
  A40: 'messages.kind.merge',
};
