"""An ADT message in the application's own terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from domain.common.day import day_of
from domain.interop.external_record import Value


class UnreadableMoment(NamedTuple):
    """A field with an invalid date or time.

    ``name`` is our name of the field, ``place`` its place in HL7.
    """

    name: str
    place: str
    value: str


class Authority(NamedTuple):
    """The assigning authority of a record number, if the message names it.

    ``names`` are all names of the same authority. ``hospital`` is the hospital's own authority, if this is another one.
    """

    names: tuple[str, ...] = ()
    hospital: str | None = None


NOT_NAMED = Authority()


def visit_of_admission(record_number: str, admitted_at: datetime, zone: tzinfo) -> str:
    """Return the visit number of a stay that has none, to the minute."""
    return f"{record_number.upper()}@{admitted_at.astimezone(zone):%Y%m%d%H%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionMessage:
    """A parsed message about an admission. Nothing in it is validated yet.

    ``kind`` is the event, such as A01. ``person`` and ``particulars`` have the fields of the message: a missing field
    was not sent, and None was sent as empty. ``location`` is as received, such as ``1^2^3``. ``recorded_at`` and
    ``sent_at`` order events of the same moment.
    """

    source: str
    control_id: str
    kind: str
    event_at: datetime
    recorded_at: datetime | None = None
    sent_at: datetime | None = None
    record_number: str | None = None
    authority: Authority = NOT_NAMED
    # The record that the message merges into this one, and how many records it would merge.
    prior_number: str | None = None
    prior_authority: Authority = NOT_NAMED
    merges: int = 0
    visit_number: str | None = None
    # Whether the visit number is made of record number and admission.
    is_visit_of_admission: bool = False
    # Whether patients of this class get a sheet.
    class_taken: bool = True
    # Whether the message names a class at all.
    class_sent: bool = False
    # The class, if it is neither one of HL7 nor in the hospital's map.
    unknown_class: str | None = None
    location: str | None = None
    person: Mapping[str, Value] = field(default_factory=dict)
    particulars: Mapping[str, Value] = field(default_factory=dict)
    # What billing gets as it came: see ``application.sheets.admission_data``.
    billing: Mapping[str, Value] = field(default_factory=dict, repr=False)
    admission_date: date | None = None
    admitted_at: datetime | None = None
    discharged_at: datetime | None = None
    unreadable_moments: tuple[UnreadableMoment, ...] = ()
    # The other patient of an exchange of beds (A17).
    exchanged_with: "AdmissionMessage | None" = None

    def not_after(self, received_at: datetime, zone: tzinfo) -> "AdmissionMessage":
        """Return the message without moments in the future.

        They become the moment of receipt: otherwise one wrong clock would make all later messages outdated.
        """
        day = day_of(received_at, zone)
        return replace(
            self,
            event_at=min(self.event_at, received_at),
            recorded_at=self.recorded_at and min(self.recorded_at, received_at),
            sent_at=self.sent_at and min(self.sent_at, received_at),
            admitted_at=self.admitted_at and min(self.admitted_at, received_at),
            discharged_at=self.discharged_at and min(self.discharged_at, received_at),
            admission_date=self.admission_date and min(self.admission_date, day),
            exchanged_with=self.exchanged_with and self.exchanged_with.not_after(received_at, zone),
        )
