"""What a message of the hospital's system says of an admission, in our words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

from domain.external_record import Value


class UnreadableMoment(NamedTuple):
    """A field that should hold a moment or a day and holds something else: ``name`` is ours, ``place`` HL7's."""

    name: str
    place: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionMessage:
    """One message, as it was read; nothing in it is judged yet.

    ``kind`` is the event, such as A01. ``person`` and ``particulars`` hold what the message has: a field that is not
    among them was not sent, one that is None was sent as empty. ``location`` is as it came, ``1^2^3``.
    ``recorded_at`` and ``sent_at`` order what happened at the same moment.
    """

    source: str
    control_id: str
    kind: str
    event_at: datetime
    recorded_at: datetime | None = None
    sent_at: datetime | None = None
    record_number: str | None = None
    # The record that is merged into that one, and how many the message would merge.
    prior_number: str | None = None
    merges: int = 0
    visit_number: str | None = None
    # Whether patients of this class get a sheet.
    class_taken: bool = True
    location: str | None = None
    person: Mapping[str, Value] = field(default_factory=dict)
    particulars: Mapping[str, Value] = field(default_factory=dict)
    admission_date: date | None = None
    discharged_at: datetime | None = None
    unreadable_moments: tuple[UnreadableMoment, ...] = ()
