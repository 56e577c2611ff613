"""Decisions about held messages: retry, dismiss, assign a room or patient.

Afterwards, messages that waited for the decision are tried again (``ReprocessHeldMessages``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.inbound.receive_message import ReprocessHeldMessages
from application.inbound.record_numbers import patient_by_record_number, set_record_number
from application.inbound.views import DecidedMessagesView
from application.inbound.work import Begin, UnitOfWork
from application.sheets.several_details import validate_selection
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.sheets.sheet import PatientSheet

# Retrying this many takes seconds.
MAX_MESSAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryMessagesDraft(Draft):
    """The messages to retry."""

    ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissMessageDraft(Draft):
    """The reason for dismissing a message; ``ids`` select several messages."""

    ids: tuple[int, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomAnswerDraft(Draft):
    """The room for the location in a message."""

    room_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientAnswerDraft(Draft):
    """The patient of a message."""

    patient_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetAnswerDraft(Draft):
    """The sheet of a message's visit."""

    consumption_sheet_id: int | None = None


# A message that is held for these reasons may open its sheet, if a user decides so.
OPENABLE = frozenset(
    {
        Code.VISIT_UNKNOWN,
        Code.VISIT_MISSING,
        Code.LOCATION_MISSING,
        Code.LOCATION_UNKNOWN,
        Code.PATIENT_CLASS_UNKNOWN,
    }
)


@dataclass(frozen=True, slots=True)
class RetryInboundMessage:
    """Retry a message as it is.

    If its control id was used twice, it counts as another message.
    """

    begin_read_only: Begin
    reprocess_held_messages: ReprocessHeldMessages

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int) -> InboundMessage:
        with self.begin_read_only() as work:
            kept = work.inbound_messages.get(message_id)
        if kept is None:
            raise NotFound
        kept.ensure_held()
        if kept.body is None:
            raise Refused(Reason(Code.MESSAGE_GONE))
        self.reprocess_held_messages.reprocess(message_id, retried_by=actor)
        with self.begin_read_only() as work:
            return work.inbound_messages.get(message_id) or kept

    @permitted(Permission.RESOLVE_MESSAGES)
    def several(self, actor: Actor, draft: RetryMessagesDraft) -> DecidedMessagesView:
        """Retry several messages, and those that may have waited for them.

        The oldest event is first, so that an admission precedes what follows from it. Each message has its own unit of
        work.
        """
        checks = Validator(draft.parse_errors)
        ids = validate_selection(checks, draft.ids, "ids", most=MAX_MESSAGES)
        checks.raise_if_invalid()
        with self.begin_read_only() as work:
            selected = _find_all(work, ids)
        retried = []
        for one in sorted(selected, key=lambda one: (one.event_at, one.id)):
            try:
                retried.append(self(actor, one.id))
            except Refused:
                # It was decided before.
                continue
        for one in retried:
            if one.state is not InboundState.HELD:
                self.reprocess_held_messages(one)
        with self.begin_read_only() as work:
            after = work.inbound_messages.find_many("id", [one.id for one in retried])
        held = sum(one.state is InboundState.HELD for one in after)
        return DecidedMessagesView(done=len(retried) - held, held=held, decided=len(ids) - len(retried))


@dataclass(frozen=True, slots=True)
class DismissInboundMessage:
    """Decide, with a reason, that a message has no effect."""

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int, draft: DismissMessageDraft) -> InboundMessage:
        checks = Validator(draft.parse_errors)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            kept = _lock_held(work, message_id)
            before = replace(kept)
            kept.dismiss(actor, now, reason)
            work.inbound_messages.save(kept)
            work.audit_log.append(entry(actor, now, AuditAction.INBOUND_MESSAGE_DISMISSED, before=before, after=kept))
        return kept

    @permitted(Permission.RESOLVE_MESSAGES)
    def several(self, actor: Actor, draft: DismissMessageDraft) -> DecidedMessagesView:
        """Dismiss several messages, each in its own unit of work."""
        checks = Validator(draft.parse_errors)
        checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        ids = validate_selection(checks, draft.ids, "ids", most=MAX_MESSAGES)
        checks.raise_if_invalid()
        with self.begin() as work:
            _find_all(work, ids)
        dismissed = 0
        for message_id in ids:
            try:
                self(actor, message_id, draft)
            except Refused:
                # It was decided before.
                continue
            dismissed += 1
        return DecidedMessagesView(done=dismissed, held=0, decided=len(ids) - dismissed)


@dataclass(frozen=True, slots=True)
class AssignMessageRoom:
    """Assign a room to the location in a message.

    The mapping is stored and applies to all messages of that source.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int, draft: RoomAnswerDraft) -> InboundMessage:
        with self.begin() as work:
            kept = _lock_held(work, message_id)
            checks = Validator(draft.parse_errors)
            room_id = checks.required_id("room_id", draft.room_id)
            if room_id and work.rooms.get(room_id) is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "room_id")
            checks.raise_if_invalid()
            if kept.location is None:
                kept.answered_room_id = room_id
                work.inbound_messages.save(kept)
            else:
                work.room_mappings.set_room(kept.source, kept.location, room_id)
            audit_entry = entry(
                actor, self.clock(), AuditAction.INBOUND_MESSAGE_ANSWERED, before=kept, after=kept, room_id=str(room_id)
            )
            work.audit_log.append(audit_entry)
        return kept


@dataclass(frozen=True, slots=True)
class AssignMessagePatient:
    """Assign a patient to a message.

    If the message's record number is unused, it finds that patient from now on.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int, draft: PatientAnswerDraft) -> InboundMessage:
        now = self.clock()
        with self.begin() as work:
            kept = _lock_held(work, message_id)
            checks = Validator(draft.parse_errors)
            patient_id = checks.required_id("patient_id", draft.patient_id)
            patient = work.patients.lock(patient_id) if patient_id else None
            if patient_id and patient is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "patient_id")
            checks.raise_if_invalid()
            assert patient is not None, "refused above"
            patient.ensure_not_merged("patient_id")
            if kept.record_number is not None and patient_by_record_number(work, kept.record_number) is None:
                set_record_number(work, actor, patient, kept.record_number, now)
            before = replace(kept)
            kept.answered_patient_id = patient_id
            work.inbound_messages.save(kept)
            work.audit_log.append(entry(actor, now, AuditAction.INBOUND_MESSAGE_ANSWERED, before=before, after=kept))
        return kept


@dataclass(frozen=True, slots=True)
class OpenSheetWithMessage:
    """Decide that a held message opens its sheet, although it is no admission.

    ``room_id`` is the room of the patient; without one, it is that of the message's location.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int, draft: RoomAnswerDraft) -> InboundMessage:
        checks = Validator(draft.parse_errors)
        with self.begin() as work:
            kept = _lock_held(work, message_id)
            if kept.reason is None or kept.reason.code not in OPENABLE:
                raise Refused(Reason(Code.MESSAGE_OPENS_NO_SHEET))
            if draft.room_id is not None and work.rooms.get(draft.room_id) is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "room_id")
            elif draft.room_id is None and kept.location is None:
                checks.required_id("room_id", None)
            checks.raise_if_invalid()
            before = replace(kept)
            kept.opens_sheet, kept.answered_room_id = True, draft.room_id
            work.inbound_messages.save(kept)
            audit_entry = entry(actor, self.clock(), AuditAction.INBOUND_MESSAGE_ANSWERED, before=before, after=kept)
            work.audit_log.append(audit_entry)
        return kept


@dataclass(frozen=True, slots=True)
class AssignMessageSheet:
    """Assign the visit number of a held message to a manually opened sheet.

    From then on the messages of that visit change this sheet, and billing gets the number.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int, draft: SheetAnswerDraft) -> InboundMessage:
        now = self.clock()
        checks = Validator(draft.parse_errors)
        with self.begin() as work:
            kept = _lock_held(work, message_id)
            sheet_id = checks.required_id("consumption_sheet_id", draft.consumption_sheet_id)
            sheet = work.sheets.lock(sheet_id) if sheet_id else None
            if sheet_id and not isinstance(sheet, PatientSheet):
                checks.add_error(Code.REFERENCE_UNKNOWN, "consumption_sheet_id")
            checks.raise_if_invalid()
            assert isinstance(sheet, PatientSheet), "refused above"
            if kept.visit_number is None:
                raise Refused(Reason(Code.VISIT_MISSING))
            if sheet.closed or sheet.visit_number is not None:
                raise Refused(Reason(Code.SHEET_HAS_VISIT, "consumption_sheet_id", params={"sheet": sheet.id}))
            patient_id = kept.record_number and patient_by_record_number(work, kept.record_number)
            if patient_id and patient_id != sheet.patient_id:
                raise Refused(
                    Reason(
                        Code.VISIT_OF_ANOTHER,
                        "consumption_sheet_id",
                        params={"number": kept.record_number or "", "patient": sheet.patient_id},
                    )
                )
            before = replace(sheet)
            sheet.visit_number = kept.visit_number
            sheet.touch()
            work.sheets.save(sheet)
            audit_entry = entry(
                actor, now, AuditAction.SHEET_UPDATED, before=before, after=sheet, message_id=str(message_id)
            )
            work.audit_log.append(audit_entry)
            answered = entry(actor, now, AuditAction.INBOUND_MESSAGE_ANSWERED, before=kept, after=kept)
            work.audit_log.append(answered)
        return kept


def _find_all(work: UnitOfWork, ids: Sequence[int]) -> list[InboundMessage]:
    """Return the messages. Raise ``Refused`` if one of them does not exist."""
    found = work.inbound_messages.find_many("id", ids)
    if len(found) < len(ids):
        raise Refused(Reason(Code.REFERENCE_UNKNOWN, "ids"))
    return found


def _lock_held(work: UnitOfWork, message_id: int) -> InboundMessage:
    """Return the message, locked. Raise ``NotFound`` or ``Refused``.

    It has to be held.
    """
    kept = work.inbound_messages.lock(message_id)
    if kept is None:
        raise NotFound
    kept.ensure_held()
    return kept
