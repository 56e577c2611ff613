"""Hold what is needed to apply a message, and the result."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import NamedTuple

from application.inbound.admission_message import AdmissionMessage
from application.inbound.work import UnitOfWork
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor
from domain.interop.external_record import RoomEventKind, event_sort_key
from domain.interop.inbound_message import InboundState

ADMITTING = frozenset({"A01", "A04"})
# The patient's class changed, from or to that of an outpatient.
CHANGING_CLASS = frozenset({"A06", "A07"})
OPENING = ADMITTING | CHANGING_CLASS
CORRECTING = OPENING | {"A08"}
MOVING = {"A02": RoomEventKind.MOVED, "A12": RoomEventKind.MOVED_BACK}
# Two patients exchange their beds.
EXCHANGES = frozenset({"A17"})
VISITS = CORRECTING | MOVING.keys() | {"A03", "A11", "A13"}
PATIENTS = frozenset({"A28", "A31"})
MERGES = frozenset({"A18", "A34", "A40", "A47"})

# With these reasons a message opens no sheet, and a later one with the bed may open it instead.
OF_CLASS = frozenset({Code.UNSUPPORTED_PATIENT_CLASS, Code.PATIENT_CLASS_UNKNOWN})

# Without these moments a message of these kinds cannot be applied. Other invalid moments are ignored.
_NEEDED_MOMENTS = {
    "event_at": VISITS | PATIENTS | MERGES,
    "admitted_at": ADMITTING,
    "discharged_at": frozenset({"A03"}),
}


def leaves_sheet_unopened(code: Code, kind: str) -> bool:
    """Return whether another message may open the sheet of this one."""
    return code in OF_CLASS or (code is Code.LOCATION_MISSING and kind in OPENING)


class ApplyResult(NamedTuple):
    """The result of applying a message.

    ``waiting`` means that the message is tried again when the missing data arrives.
    """

    state: InboundState
    reason: Reason | None = None
    waiting: bool = False
    sheet_id: int | None = None
    patient_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageContext:
    """One message, applied in ``work`` as ``actor``."""

    work: UnitOfWork
    actor: Actor
    message: AdmissionMessage
    message_id: int
    now: datetime
    zone: tzinfo
    # What a user decided: the patient, the room, and that the message opens its sheet.
    answered_patient_id: int | None = None
    answered_room_id: int | None = None
    opens_sheet: bool = False
    # The questions that a retry answered.
    settled: frozenset[Code] = frozenset()

    def require_readable_moments(self) -> None:
        """Raise ``Refused`` (message.moment_unreadable) for a required moment."""
        for one in self.message.unreadable_moments:
            if self.message.kind in _NEEDED_MOMENTS.get(one.name, ()):
                self.ask(Code.MOMENT_UNREADABLE, place=one.place, value=one.value)

    def ask(self, code: Code, **params: object) -> None:
        """Raise ``Refused`` unless that question was answered."""
        if code not in self.settled:
            raise Refused(Reason(code, params=params))

    @property
    def order(self) -> str:
        """Return the key that sorts events of messages by time."""
        return event_sort_key(
            self.message.event_at,
            recorded_at=self.message.recorded_at,
            sent_at=self.message.sent_at,
            sequence=self.message_id,
        )

    @property
    def notes(self) -> dict[str, str]:
        """Notes for every audit entry of the message."""
        return {"message_id": str(self.message_id)}
