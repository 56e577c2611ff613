"""Apply an ADT message to patients and sheets.

Everything happens in one unit of work, and by the same rules as the use cases.
"""

from datetime import datetime, tzinfo

from application.inbound_messages.admission_message import AdmissionMessage
from application.inbound_messages.merge_by_message import merge_patients
from application.inbound_messages.message_context import MERGES, PATIENTS, VISITS, ApplyResult, MessageContext
from application.inbound_messages.patient_of_message import register_patient
from application.inbound_messages.visit import apply_to_visit
from application.ports.unit_of_work import UnitOfWork
from domain.errors import Code, Reason, Refused
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.policy import Actor

# The questions that hold a message until an administrator retries it, in the order in which they are checked.
_QUESTIONS = (Code.CONTROL_ID_REUSED, Code.MOMENT_UNREADABLE, Code.PATIENT_UNCLEAR, Code.SHEET_UNCLEAR)


def apply_message(
    work: UnitOfWork, actor: Actor, kept: InboundMessage, message: AdmissionMessage, at: datetime, zone: tzinfo,
    *, settled: frozenset[Code] = frozenset(),
) -> None:  # fmt: skip
    """Apply a message and store the result.

    ``settled`` are the questions that were answered.
    """
    twins = work.inbound_messages.find_many("called", [(kept.source, kept.control_id)])
    if Code.CONTROL_ID_REUSED not in settled and any(twin.id != kept.id for twin in twins):
        raise Refused(Reason(Code.CONTROL_ID_REUSED, params={"id": kept.control_id}))
    result = _apply(
        MessageContext(
            work=work,
            actor=actor,
            message=message,
            message_id=kept.id,
            now=at,
            zone=zone,
            answered_patient_id=kept.answered_patient_id,
            settled=settled,
        )
    )
    kept.state, kept.reason, kept.waiting = result.state, result.reason, result.waiting
    kept.sheet_id, kept.patient_id = result.sheet_id, result.patient_id
    work.inbound_messages.save(kept)


def _apply(context: MessageContext) -> ApplyResult:
    kind = context.message.kind
    if kind not in VISITS | PATIENTS | MERGES:
        return ApplyResult(InboundState.IGNORED, Reason(Code.UNSUPPORTED_EVENT, params={"kind": kind}))
    if kind in VISITS:
        result = apply_to_visit(context)
    elif kind in PATIENTS:
        result = register_patient(context)
    else:
        result = merge_patients(context)
    if context.message.unreadable_moments and result.reason is None:
        left_out = context.message.unreadable_moments[0]
        note = Reason(Code.MOMENT_LEFT_OUT, params={"place": left_out.place, "value": left_out.value})
        result = result._replace(reason=note)
    return result


def settled_by_retrying(reason: Reason | None) -> frozenset[Code]:
    """Return the questions that retrying a held message answers."""
    if reason is not None and reason.code in _QUESTIONS:
        return frozenset(_QUESTIONS[: _QUESTIONS.index(reason.code) + 1])
    # All other errors are found after these questions were checked.
    return frozenset(_QUESTIONS[:2])
