"""Apply an ADT message to patients and sheets.

Everything happens in one unit of work, and by the same rules as the use cases.
"""

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from application.inbound.admission_message import AdmissionMessage
from application.inbound.merge_by_message import merge_patients
from application.inbound.message_context import (
    EXCHANGES,
    MERGES,
    PATIENTS,
    VISITS,
    ApplyResult,
    MessageContext,
)
from application.inbound.patient_of_message import register_patient
from application.inbound.visit import apply_to_visit
from application.inbound.work import UnitOfWork
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor
from domain.interop.inbound_message import InboundMessage, InboundState

# The questions that hold a message until an administrator retries it, in the order in which they are checked.
_QUESTIONS = (
    Code.CHARACTER_SET_CONTRADICTED,
    Code.CONTROL_ID_REUSED,
    Code.MOMENT_UNREADABLE,
    Code.PATIENT_UNCLEAR,
    Code.SHEET_UNCLEAR,
)
# Clocks differ by some minutes: a moment that is farther in the future is noted.
_CLOCK_TOLERANCE = timedelta(minutes=15)


def apply_message(
    work: UnitOfWork, actor: Actor, kept: InboundMessage, message: AdmissionMessage, at: datetime, zone: tzinfo,
    *, settled: frozenset[Code] = frozenset(),
) -> None:  # fmt: skip
    """Apply a message and store the result.

    ``settled`` are the questions that were answered.
    """
    doubt = kept.reason
    if doubt and doubt.code is Code.CHARACTER_SET_CONTRADICTED and doubt.code not in settled:
        raise Refused(doubt)
    twins = work.inbound_messages.find_many("called", [(kept.source, kept.control_id)])
    others = [twin for twin in twins if twin.id != kept.id and twin.state is not InboundState.REFUSED]
    if Code.CONTROL_ID_REUSED not in settled and others:
        raise Refused(Reason(Code.CONTROL_ID_REUSED, params={"id": kept.control_id}))
    result = _apply(
        MessageContext(
            work=work,
            actor=actor,
            message=message.not_after(kept.received_at, zone),
            message_id=kept.id,
            now=at,
            zone=zone,
            answered_patient_id=kept.answered_patient_id,
            answered_room_id=kept.answered_room_id,
            opens_sheet=kept.opens_sheet,
            settled=settled,
        )
    )
    if result.reason is None:
        result = result._replace(reason=_note_on_moments(message, kept.received_at))
    kept.state, kept.reason, kept.waiting = result.state, result.reason, result.waiting
    kept.sheet_id, kept.patient_id = result.sheet_id, result.patient_id
    work.inbound_messages.save(kept)


def _apply(context: MessageContext) -> ApplyResult:
    kind = context.message.kind
    if kind in EXCHANGES and context.message.exchanged_with is not None:
        return _exchange_beds(context, context.message.exchanged_with)
    if kind not in VISITS | PATIENTS | MERGES:
        return ApplyResult(InboundState.IGNORED, Reason(Code.UNSUPPORTED_EVENT, params={"kind": kind}))
    if kind in VISITS:
        return apply_to_visit(context)
    if kind in PATIENTS:
        return register_patient(context)
    return merge_patients(context)


def _exchange_beds(context: MessageContext, other: AdmissionMessage) -> ApplyResult:
    """Move both patients; if one of them cannot be moved, neither is."""
    moved = [
        apply_to_visit(replace(context, message=replace(message, kind="A02", exchanged_with=None)))
        for message in (context.message, other)
    ]
    note = next((one.reason for one in moved if one.reason is not None), None)
    applied = any(one.state is InboundState.APPLIED for one in moved)
    return moved[0]._replace(state=InboundState.APPLIED if applied else moved[0].state, reason=note)


def _note_on_moments(message: AdmissionMessage, received_at: datetime) -> Reason | None:
    """Return a note on a moment that was left out, or that is in the future."""
    for left_out in message.unreadable_moments:
        return Reason(Code.MOMENT_LEFT_OUT, params={"place": left_out.place, "value": left_out.value})
    if message.event_at > received_at + _CLOCK_TOLERANCE:
        return Reason(Code.MOMENT_IN_FUTURE, params={"place": "EVN", "value": f"{message.event_at:%Y-%m-%d %H:%M}"})
    return None


def settled_by_retrying(reason: Reason | None) -> frozenset[Code]:
    """Return the questions that retrying a held message answers."""
    if reason is not None and reason.code in _QUESTIONS:
        return frozenset(_QUESTIONS[: _QUESTIONS.index(reason.code) + 1])
    # All other errors are found after these questions were checked.
    return frozenset(_QUESTIONS[:3])
