"""Views and list queries of consumption sheets and what waits on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, NotRequired, TypedDict

from application.catalogue.views import AreaView
from application.common.paging import InvalidQuery, ListQuery, Meta
from application.common.redaction import Price, Redacted
from application.people.scanned_views import PlaceView
from application.people.views import PersonView
from domain.common.errors import Code
from domain.hospital.use_reason import UseReason
from domain.interop.outbound_message import OutboundState
from domain.sheets.late_entry import Decision
from domain.sheets.stay import Stay
from domain.sheets.unlisted_item import UnlistedState


class SheetRoomView(TypedDict):
    """The room of a patient."""

    id: int
    name: str
    area_id: int


class ConsumptionDayView(TypedDict):
    """A day with consumption.

    ``created_at`` is its first moment, and ``last_recorded_at`` when the last of its details was recorded.
    """

    created_at: datetime
    details: int
    # Answers that an earlier version stored lack it.
    last_recorded_at: NotRequired[datetime]


class SheetPatientView(PersonView):
    """The patient of a sheet.

    Answers that were stored by earlier versions lack ``record_number`` and ``date_of_birth``. ``unidentified`` is
    present, and true, for an unidentified patient.
    """

    record_number: NotRequired[str | None]
    date_of_birth: NotRequired[date | None]
    unidentified: NotRequired[bool]


# ``from`` is a keyword in Python.
StayView = TypedDict("StayView", {"room": PlaceView, "from": datetime, "until": datetime | None})
StayView.__doc__ = "From when until when a patient lay in a room; without ``until`` the patient still does."


def stay_views(stays: Sequence[Stay], names: Mapping[int, str]) -> list[StayView]:
    """Convert stays to views, with the names of their rooms."""
    return [
        StayView({"room": PlaceView(id=one.room_id, name=names[one.room_id]), "from": one.since, "until": one.until})
        for one in stays
    ]


class ChargingView(TypedDict):
    """The delivery state of a sheet's charges.

    It is the state of the worst message. ``at`` is the time when the last of all was sent.
    """

    state: OutboundState
    at: datetime | None


class SheetView(TypedDict):
    """A consumption sheet.

    ``deleted_at`` is the time of closing, and ``version`` the ETag. ``stays`` are the patient's rooms since admission.
    ``charging`` is the delivery state of its charges, null if there are none. Both are only set if the sheet is read
    alone.
    """

    id: int
    diagnosis: str
    doctor: str
    patient_id: int
    patient: SheetPatientView
    room_id: int
    room: SheetRoomView
    admission_date: date
    total: NotRequired[Price]
    closed: bool
    deleted_at: datetime | None
    consumptions: list[ConsumptionDayView]
    stays: NotRequired[list[StayView]]
    # The number of undecided late entries. Answers that an earlier version stored lack it.
    late_entries: NotRequired[int]
    # The number of open unlisted items. Answers that an earlier version stored lack it.
    unlisted_items: NotRequired[int]
    charging: NotRequired[ChargingView | None]
    # Until when the caller may undo the closing. Only set for the user who closed it, if the sheet is read alone.
    undo_closing_until: NotRequired[datetime]
    # The hospital system's number of the stay, and its proposals: a discharge, or a cancelled admission.
    visit_number: NotRequired[str | None]
    discharge_proposed_at: NotRequired[datetime | None]
    admission_cancelled_at: NotRequired[datetime | None]
    version: int


class UnlistedItemView(TypedDict):
    """A used supply that is not in the catalogue.

    It has no price and is in no total. ``by`` is its author, ``room_id`` the patient's room at the time, and
    ``detail_id`` the detail that it became. While it is open, ``decided_at``, ``decided_by``, ``reason`` and
    ``detail_id`` are null.
    """

    id: int
    consumption_sheet_id: int
    description: str
    quantity: Decimal
    occurred_at: datetime
    created_at: datetime
    user_id: int
    by: str | None
    staff_id: int | None
    staff: str | None
    area_id: int | None
    area: str | None
    room_id: int | None
    # Of an item on the page of an area.
    use_reason: NotRequired[UseReason | None]
    state: UnlistedState
    decided_at: datetime | None
    decided_by: str | None
    reason: str | None
    detail_id: int | None


class UnlistedItemsView(TypedDict):
    """The open unlisted items of a sheet, by time of use."""

    items: list[UnlistedItemView]


class UnlistedSheetView(TypedDict):
    """A sheet with the number of its open unlisted items.

    ``since`` is the time when the first of them was noted. The page of an ``area`` has no patient and no room.
    """

    consumption_sheet_id: int
    closed: bool
    patient: PersonView | None
    room: str | None
    area: NotRequired[AreaView]
    items: int
    since: datetime


class LateItemView(TypedDict):
    """A line of a late entry; ``product`` is the name, if it exists."""

    product_id: int
    product: str | None
    quantity: Decimal
    lot: str | None
    expiry: date | None
    serial: str | None


class ErrorView(TypedDict):
    """An error or question that recording now would cause.

    It is the same as in a 422 answer. The adapter adds ``message``, from values that the answer does not repeat.
    ``acknowledgeable`` is only present if it is true: it is a question that the user may override. ``lot.recalled``
    names its recall.
    """

    field: str | None
    code: Code
    message: NotRequired[str]
    acknowledgeable: NotRequired[bool]
    recall_id: NotRequired[int]


class LateEntryView(TypedDict):
    """An entry that arrived after its sheet was closed, or too late.

    ``by`` is its author. ``decision`` is null until a supervisor decides. In the list of a sheet, an undecided entry
    has ``errors`` if recording it now would cause errors or questions.
    """

    id: int
    consumption_sheet_id: int
    items: list[LateItemView]
    kit_id: int | None
    occurred_at: datetime
    arrived_at: datetime
    user_id: int
    by: str | None
    decision: Decision | None
    decided_at: datetime | None
    decided_by: str | None
    reason: str | None
    errors: NotRequired[Annotated[list[ErrorView], Redacted.BY_NAME]]


class LateEntriesView(TypedDict):
    """The late entries of a sheet, undecided ones first."""

    items: list[LateEntryView]


class LateSheetView(TypedDict):
    """A sheet with the number of its undecided late entries.

    ``since`` is the time when the first of them arrived. The page of an ``area`` has no patient and no room.
    """

    consumption_sheet_id: int
    closed: bool
    patient: PersonView | None
    room: str | None
    area: NotRequired[AreaView]
    entries: int
    since: datetime


class DischargeView(TypedDict):
    """An open sheet whose patient was discharged by the hospital's system."""

    consumption_sheet_id: int
    patient: PersonView
    room: str
    at: datetime


class SheetVersionView(TypedDict):
    """The version of a sheet."""

    version: int


class SheetPage(TypedDict):
    """A page of sheets.

    In a search, ``exact`` is the id of the unambiguous match, and ``nearest`` are sheets with similar names.
    """

    items: list[SheetView]
    exact: NotRequired[int]
    nearest: NotRequired[list[SheetView]]
    meta: Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetQuery(ListQuery):
    """A query for sheets.

    ``since`` and ``until`` are days: of admission for open sheets, of closing for closed ones. Open and ``closed``
    sheets are two lists. With None all sheets are listed by id, with their stays. ``without_visit`` selects open sheets
    without a visit number.
    """

    closed: bool | None = False
    patient_id: int | None = None
    room_id: int | None = None
    area_id: int | None = None
    since: date | None = None
    until: date | None = None
    without_visit: bool = False

    def __post_init__(self) -> None:
        """Raise ``InvalidQuery`` for closed sheets without a visit."""
        if self.without_visit and self.closed is not False:
            raise InvalidQuery("without_visit")


SHEET_SORTS = frozenset({"id", "admission_date", "patient", "room", "doctor", "deleted_at", "total"})
