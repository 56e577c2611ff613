"""What is read: the shapes of the answers, what their lists can be asked for, and what of them ward staff never see.

Reads bypass the domain: adapters fill these shapes straight from where the data lies. Ids are positive integers, money
and quantities exact decimals, moments aware and in UTC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, NotRequired, TypedDict

from application.entities import AuditAction
from application.paging import ListQuery, Meta
from domain.anomalies import Oddity
from domain.errors import Code
from domain.inbound_message import InboundState
from domain.late_entry import Decision
from domain.outbound_message import OutboundState
from domain.policy import Permission
from domain.product import CodeSystem
from domain.stay import Stay
from domain.unlisted_item import UnlistedState


class AreaView(TypedDict):
    """An area; read by itself it tells the ``code`` by which the hospital's system calls it."""

    id: int
    name: str
    code: NotRequired[str | None]


class CatalogueProduct(NamedTuple):
    """A product as devices keep it."""

    id: int
    name: str
    code: str | None
    unit: str | None
    decimals: int
    asks_lot: bool
    asks_serial: bool
    active: bool
    also_called: list[str]


class CatalogueCode(NamedTuple):
    """A code by which a product is known elsewhere, by its ``key``: that of a GTIN has 14 digits."""

    product_id: int
    system: str
    key: str
    units: Decimal
    label: str | None


class CatalogueKitLine(NamedTuple):
    """A line of a kit."""

    product_id: int
    quantity: Decimal
    optional: bool


class CatalogueKit(NamedTuple):
    """A kit of the hospital's, with its lines in their order."""

    id: int
    name: str
    area_id: int | None
    lines: list[CatalogueKitLine]


class CatalogueArea(NamedTuple):
    """An area as devices keep it."""

    id: int
    name: str


class CatalogueView(TypedDict):
    """What devices keep to go on without network: the same for everybody, without prices and categories.

    Each list is by id. Names are not said again with every thing: the order of the fields says what is what.
    """

    products: list[CatalogueProduct]
    codes: list[CatalogueCode]
    kits: list[CatalogueKit]
    areas: list[CatalogueArea]


class VersionedCatalogueView(CatalogueView):
    """The catalogue with its version, which is its ETag."""

    version: int


class CategoryView(TypedDict):
    """A category; without its code for those who see no prices."""

    id: int
    code: NotRequired[str]
    name: str


class ProductView(TypedDict):
    """A product; without price and category code for those who see no prices.

    Quantities of it have so many ``decimals`` at most; ``asks_lot`` and ``asks_serial``: what is asked for when it is
    recorded. ``also_called`` are other names by which it is found.
    """

    id: int
    name: str
    price: NotRequired[Decimal]
    category_id: int
    category: CategoryView
    code: str | None
    gtin: str | None
    unit: str | None
    active: bool
    decimals: int
    asks_lot: bool
    asks_serial: bool
    also_called: list[str]


class ProductCodeView(TypedDict):
    """A code by which a product is known elsewhere; a pack with it holds so many ``units`` of the product."""

    id: int
    product_id: int
    system: CodeSystem
    code: str
    units: Decimal
    label: str | None


class ProductCodesView(TypedDict):
    """The codes of a product, by system."""

    items: list[ProductCodeView]


class TypedNameView(TypedDict):
    """A text that people typed in vain before they chose the product, how many times, and when last."""

    id: int
    text: str
    times: int
    last_at: datetime


class TypedNamesView(TypedDict):
    """The proposals for a product's other names, the most frequent first."""

    items: list[TypedNameView]


class PriceChangeView(TypedDict):
    """From when on a product costs what; ``by`` is who set it, with a file where it was ``imported``."""

    at: datetime
    by: str | None
    imported: bool
    previous_price: NotRequired[Decimal | None]
    price: NotRequired[Decimal]


class PriceHistoryView(TypedDict):
    """The prices of a product, the latest first."""

    items: list[PriceChangeView]


class UnknownCodeView(TypedDict):
    """A code that somebody scanned and no product has."""

    system: str
    code: str
    times: int
    last_at: datetime


class UnknownCodesView(TypedDict):
    """The codes that no product has, the latest scanned first."""

    items: list[UnknownCodeView]


class ReadingView(TypedDict):
    """What a symbol holds; ``separator_lost``: lot, expiry and serial number are to be confirmed.

    ``incomplete``: some of it cannot be read, and what is missing may stand there. ``bare``: the characters alone say
    that it is a symbol, as those of another number may; it is to be confirmed before it is recorded.
    """

    gtin: str | None
    lot: str | None
    expiry: date | None
    serial: str | None
    count: int | None
    separator_lost: bool
    expiry_unreadable: bool
    incomplete: bool
    bare: bool


class MatchView(TypedDict):
    """A product that a code may mean; ``system`` is ``code`` where it is the hospital's own."""

    product: ProductView
    system: str
    units: Decimal
    label: str | None


class RecallInForceView(TypedDict):
    """Why a pack is recalled, and since when."""

    id: int
    reason: str
    since: datetime


class SerialUsedView(TypedDict):
    """On which sheet a serial number stands, and when it was recorded."""

    consumption_sheet_id: int
    at: datetime


class NotedCodeView(TypedDict):
    """A scanned code that no product has, as it was noted; ``system`` is ``code`` where that is not known."""

    system: str
    code: str


class ProductLookupView(TypedDict):
    """What a scan or a code means, and what is known of that pack. ``reading`` is null for what is no symbol's text;
    ``noted`` is the code that was noted, as no product has it. ``read_as``: the scanner seems to type for another
    keyboard layout, and this is the text as it was meant; the matches are those of that, and to be confirmed.
    ``people`` are the patients whose wristband or label the scan may be.
    """

    reading: ReadingView | None
    matches: list[MatchView]
    people: list["ScannedPersonView"]
    recall: RecallInForceView | None
    expired: bool
    serial_used: SerialUsedView | None
    noted: NotedCodeView | None
    read_as: str | None


class UsualProductsView(TypedDict):
    """The products that are likely to be recorded next, the likeliest first; of these the person ``pinned`` some."""

    items: list[ProductView]
    pinned: list[int]


class UsualQuantityView(TypedDict):
    """What is usually recorded of a product, null if that is not known, and above what a quantity is asked about."""

    usual_quantity: Decimal | None
    far_out_above: Decimal


class PersonView(TypedDict):
    """A patient or staff member, by name."""

    id: int
    name: str
    first_surname: str
    second_surname: str | None


class RoomSheetView(TypedDict):
    """An open sheet in a room: who lies there, and since when."""

    id: int
    patient: PersonView
    admission_date: date


class RoomView(TypedDict):
    """A room; ``status`` and ``type`` are 1 available, 2 occupied, 3 cleaning, 4 out of service.

    ``sheets`` are the open ones in it, the longest admitted first: they tell who lies there. ``code`` is how the
    hospital's system calls it.
    """

    id: int
    name: str
    code: str | None
    status: int
    type: int
    area_id: int
    area: AreaView
    sheets: list[RoomSheetView]


class PatientView(TypedDict):
    """A patient; ``active`` is 1 or 0, ``open_sheets`` tells how many of the patient's sheets are open.

    ``merged_into`` is the id of the record that goes on in the place of this one, null but for merged ones.
    """

    id: int
    name: str
    first_surname: str
    second_surname: str | None
    date_of_birth: date | None
    active: int
    record_number: str | None
    open_sheets: int
    merged_into: int | None


class SheetsToMoveView(TypedDict):
    """How many sheets a patient has."""

    open: int
    closed: int


class DifferenceView(TypedDict):
    """What two records of a patient tell otherwise: ``mine`` is the one that is merged, ``theirs`` the other."""

    field: str
    mine: str
    theirs: str


class MergePreviewView(TypedDict):
    """What merging a patient into another one would do: which ``sheets`` would move, which fields of the other one it
    ``fills``, and in what the two differ.
    """

    sheets: SheetsToMoveView
    fills: list[str]
    differs: list[DifferenceView]


class UnmergedPatientView(TypedDict):
    """A patient who is apart again. ``stayed`` are the sheets that were moved on since, and so did not come back."""

    patient: PatientView
    returned: list[int]
    stayed: list[int]


class StaffView(TypedDict):
    """A staff member; ``user_id`` is the user whose profile it is."""

    id: int
    name: str
    first_surname: str
    second_surname: str | None
    telephone_number: str | None
    job_title: str | None
    date_of_birth: date | None
    user_id: int | None


class UserView(TypedDict):
    """A user; ``role`` is "1", "2" or "10"."""

    id: int
    email: str
    role: str
    staff_id: int | None
    profile: StaffView | None


class ManagedRoleView(TypedDict):
    """A role that one may give and take; ``has_profile``: those who have it keep a staff profile."""

    role: str
    has_profile: bool


class OwnAccountView(UserView):
    """The signed-in user, with all that the user may do now, and the roles that the user may give and take."""

    permissions: list[Permission]
    managed_roles: list[ManagedRoleView]
    profile_required: bool


class SessionView(TypedDict):
    """Where somebody is signed in: network address and program, which is named where it is a browser.

    ``current`` is the session of whoever asks. ``used_at`` is kept to some minutes; null is what is not known.
    """

    id: str
    address: str
    client: str
    browser: str | None
    system: str | None
    began_at: datetime | None
    used_at: datetime | None
    current: bool


class SessionsView(TypedDict):
    """The sessions of an account, the latest used first."""

    items: list[SessionView]


class AuditUserView(TypedDict):
    """Who did it; the email stays when the user is deleted."""

    id: int
    email: str


class ApiKeyNameView(TypedDict):
    """Which key it is."""

    id: int
    name: str


class AuditView(TypedDict):
    """An entry of the audit log; ``changes`` holds before and after of each field, ``sheet_id`` whose history it is.

    ``patient_id`` tells whose sheet it is that was opened, changed, looked at or taken out, ``api_key`` with which key
    a program came that did it.
    """

    id: int
    at: datetime
    user: AuditUserView | None
    action: AuditAction
    entity: str
    entity_id: int
    sheet_id: int | None
    patient_id: int | None
    api_key: ApiKeyNameView | None
    changes: dict[str, list[str | int | bool | None]]


class HistoryView(AuditView):
    """An entry with what its ids stand for.

    ``person`` is who did it, ``patient`` on whose sheet, ``subject`` what else it is about (a detail's product, a
    user's email), ``names`` before and after of each id that changed; null for what has no name or is no more.
    """

    person: str | None
    patient: str | None
    subject: str | None
    names: dict[str, list[str | None]]


class ImportView(TypedDict):
    """A file that was brought in: how many of its rows did what, and whether that was undone."""

    id: int
    noun: str
    file_name: str
    at: datetime
    user: AuditUserView
    created: int
    changed: int
    unchanged: int
    refused: int
    undone_at: datetime | None
    undone_by: AuditUserView | None


class SheetRoomView(TypedDict):
    """The room a patient lies in."""

    id: int
    name: str
    area_id: int


class ConsumptionDayView(TypedDict):
    """A day on which something was used: its first moment and how many details it has."""

    created_at: datetime
    details: int


class SheetPatientView(PersonView):
    """The patient of a sheet. Answers kept by earlier versions lack ``record_number`` and ``date_of_birth``."""

    record_number: NotRequired[str | None]
    date_of_birth: NotRequired[date | None]


class PlaceView(TypedDict):
    """A room, by name."""

    id: int
    name: str


class ScannedSheetView(TypedDict):
    """An open sheet of a patient who was scanned."""

    id: int
    room: PlaceView
    admission_date: date


class ScannedPersonView(PersonView):
    """A patient who was scanned, with the open ``sheets``, the latest admission first. ``sheet_id`` is the sheet whose
    visit number or label was scanned, open or closed; null where the number is the patient's.
    """

    record_number: str | None
    date_of_birth: date | None
    sheet_id: int | None
    sheets: list[ScannedSheetView]


# ``from`` is a word of Python's.
StayView = TypedDict("StayView", {"room": PlaceView, "from": datetime, "until": datetime | None})
StayView.__doc__ = "From when until when a patient lay in a room; without ``until`` the patient still does."


def stay_views(stays: Sequence[Stay], names: Mapping[int, str]) -> list[StayView]:
    """Stays, with the names of their rooms."""
    return [
        StayView({"room": PlaceView(id=one.room_id, name=names[one.room_id]), "from": one.since, "until": one.until})
        for one in stays
    ]


class ChargingView(TypedDict):
    """What became of telling whoever bills, which the worst message says; ``at``: when the last of all was sent."""

    state: OutboundState
    at: datetime | None


class SheetView(TypedDict):
    """A consumption sheet. ``deleted_at`` is the moment of closing; ``version`` is what its ETag says.

    ``stays`` tell where the patient lay since admission, ``charging`` what became of telling whoever bills, of a sheet
    that is read alone; null where there was nothing to tell.
    """

    id: int
    diagnosis: str
    doctor: str
    patient_id: int
    patient: SheetPatientView
    room_id: int
    room: SheetRoomView
    admission_date: date
    total: NotRequired[Decimal]
    closed: bool
    deleted_at: datetime | None
    consumptions: list[ConsumptionDayView]
    stays: NotRequired[list[StayView]]
    # How many entries arrived late and wait for somebody to decide. Answers that a version before kept lack it.
    late_entries: NotRequired[int]
    # How many unlisted items are open. Answers that a version before kept lack it.
    unlisted_items: NotRequired[int]
    charging: NotRequired[ChargingView | None]
    # What the hospital's system calls the stay, and that it discharged the patient or took the admission back.
    visit_number: NotRequired[str | None]
    discharge_proposed_at: NotRequired[datetime | None]
    admission_cancelled_at: NotRequired[datetime | None]
    version: int


class UnlistedItemView(TypedDict):
    """Something that was used and is not in the catalogue. It has no price and is in no total.

    ``by`` is who noted it, ``room_id`` where the patient lay then, ``detail_id`` the detail that it became. While it is
    open, ``decided_at``, ``decided_by``, ``reason`` and ``detail_id`` are null.
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
    room_id: int
    state: UnlistedState
    decided_at: datetime | None
    decided_by: str | None
    reason: str | None
    detail_id: int | None


class UnlistedItemsView(TypedDict):
    """The open unlisted items of a sheet, in the order of their use."""

    items: list[UnlistedItemView]


class UnlistedSheetView(TypedDict):
    """A sheet with the number of its open unlisted items; ``since`` is when the first of them was noted."""

    consumption_sheet_id: int
    closed: bool
    patient: PersonView
    items: int
    since: datetime


class LateItemView(TypedDict):
    """What a late entry holds: a product, by name where there is such a one, and how much of it was used."""

    product_id: int
    product: str | None
    quantity: Decimal
    lot: str | None
    expiry: date | None
    serial: str | None


class ErrorView(TypedDict):
    """One reason why recording something now would be refused, as the 422 would say it.

    ``message`` is added where it is answered. ``acknowledgeable`` is there where it is true: it is a question, which
    the person who records answers. What else is there depends on the ``code``.
    """

    field: str | None
    code: Code
    message: NotRequired[str]
    acknowledgeable: NotRequired[bool]


class LateEntryView(TypedDict):
    """What arrived after its sheet was closed, or too late for whoever used it.

    ``by`` is who used it, ``decision`` what became of it: null until somebody decides. In the list of a sheet an
    undecided entry has ``errors`` if recording it now would be asked about or refused.
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
    errors: NotRequired[list[ErrorView]]


class LateEntriesView(TypedDict):
    """The late entries of a sheet, those first that nobody has decided on."""

    items: list[LateEntryView]


class LateSheetView(TypedDict):
    """A sheet with so many entries on which nobody has decided; ``since`` is when the first of them arrived."""

    consumption_sheet_id: int
    closed: bool
    patient: PersonView
    entries: int
    since: datetime


class DischargeView(TypedDict):
    """An open sheet whose patient the hospital's system discharged at that moment."""

    consumption_sheet_id: int
    patient: PersonView
    room: str
    at: datetime


class MessageFieldView(TypedDict):
    """What stands at a place of a message, such as PV1-3."""

    place: str
    value: str


class InboundMessageView(TypedDict):
    """A message that came in, and what became of it.

    ``code`` and ``params`` say why it is held or was ignored, or what of it could not be done, ``why`` in words.
    ``fields`` are what it said, of a message that is read alone: empty once its text is not kept any more.
    """

    id: int
    source: str
    control_id: str
    kind: str
    event_at: datetime
    received_at: datetime
    state: InboundState
    code: str | None
    field: str | None
    params: dict[str, str | int]
    why: NotRequired[str | None]
    visit_number: str | None
    record_number: str | None
    location: str | None
    consumption_sheet_id: int | None
    patient_id: int | None
    tries: int
    decided_by: str | None
    decided_at: datetime | None
    note: str | None
    fields: NotRequired[list[MessageFieldView]]


class InboundMessagesView(TypedDict):
    """Some messages; ``next`` is sent as ``after`` for more, null where there are none. ``held`` is how many wait."""

    items: list[InboundMessageView]
    next: int | None
    held: int


class DetailProductView(TypedDict):
    """The product of a detail, with its price of today. Answers that a version before kept lack ``code``."""

    id: int
    code: NotRequired[str | None]
    name: str
    price: NotRequired[Decimal]
    category: CategoryView


class WarningView(TypedDict):
    """Something worth a second look about what was recorded all the same.

    ``message`` is put in words where it is answered. What else it tells depends on its ``code``: ``expiry`` of one
    that is near; a detail that may be a repeated one tells the earlier one, who recorded it, when and how many
    ``minutes`` before; one that is far out tells its quantity and the usual one or, to people who see prices, its
    total. Of several details ``field`` names the one that it is about, such as ``items.3``.
    """

    code: Code
    message: NotRequired[str]
    field: NotRequired[str]
    detail_id: NotRequired[int]
    by: NotRequired[str]
    quantity: NotRequired[Decimal]
    at: NotRequired[datetime]
    minutes: NotRequired[int]
    expiry: NotRequired[date]
    usual_quantity: NotRequired[Decimal]
    total: NotRequired[Decimal]


class KitNameView(TypedDict):
    """A kit, by name."""

    id: int
    name: str


class UserNameView(TypedDict):
    """A user by name: the staff member's, or else the email."""

    id: int
    name: str


class VoidedView(TypedDict):
    """When a detail was taken back, by whom and why."""

    at: datetime
    by: UserNameView
    reason: str | None


class DetailView(TypedDict):
    """A consumption detail. ``version`` is what its ETag says.

    ``created_at`` is the moment of recording, ``occurred_at`` that of use where it is another one, ``day`` the
    hospital's day of use; ``room_id`` is where the patient lay; ``acknowledged`` are the codes of what whoever recorded
    it was asked about and went past. ``quantity`` is what is left of it, ``returned`` what came back. ``voided`` tells
    of one that was taken back; its total counts nowhere. ``corrected_from`` is the quantity before it was corrected.
    ``warnings`` are told once, when it is recorded. Answers that a version before kept lack what is not required.
    """

    id: int
    consumption_sheet_id: int
    product_id: int
    product: DetailProductView
    staff_id: int | None
    staff: PersonView | None
    user_id: int
    area_id: int | None
    area: AreaView | None
    quantity: Decimal
    unit_price: NotRequired[Decimal]
    total: NotRequired[Decimal]
    created_at: datetime
    occurred_at: NotRequired[datetime | None]
    day: NotRequired[date]
    room_id: NotRequired[int | None]
    acknowledged: NotRequired[list[Code]]
    gtin: NotRequired[str | None]
    lot: NotRequired[str | None]
    expiry: NotRequired[date | None]
    serial: NotRequired[str | None]
    kit_id: NotRequired[int | None]
    kit: NotRequired[KitNameView | None]
    returned: NotRequired[Decimal]
    corrected_from: NotRequired[Decimal | None]
    voided: NotRequired[VoidedView]
    warnings: NotRequired[list[WarningView]]
    version: int


class RepeatableLineView(TypedDict):
    """An active product, how much of it was recorded, and in how many lines."""

    product: ProductView
    quantity: Decimal
    times: int


class RepeatableView(TypedDict):
    """What may be used once more: what was recorded on that ``day``, null for all ``days`` that have lines."""

    day: date | None
    days: list[date]
    items: list[RepeatableLineView]


class DetailsView(TypedDict):
    """Details of one sheet that something was done to at once."""

    items: list[DetailView]


class SheetSumView(TypedDict):
    """What a sheet comes to now; ``version`` is what its ETag says."""

    id: int
    version: int
    total: NotRequired[Decimal]


# What was moved, and what became of both sheets. A class cannot have a field that is called from.
MovedDetailsView = TypedDict("MovedDetailsView", {"moved": list[DetailView], "from": SheetSumView, "to": SheetSumView})


class RecordedDetailsView(TypedDict):
    """Details that were recorded at once, in the order in which they were sent; ``warnings`` tell their places."""

    items: list[DetailView]
    warnings: NotRequired[list[WarningView]]


class ExportedDetailView(DetailView):
    """A consumption detail as other systems take it over: with the patient who consumed it, and where."""

    room: PlaceView | None
    patient_id: int
    patient: SheetPatientView


class KitProductView(TypedDict):
    """A product in a kit. It tells no price: what is recorded takes the price of that moment."""

    id: int
    code: str | None
    name: str
    unit: str | None
    active: bool


class KitLineView(TypedDict):
    """A line of a kit; an ``optional`` one is offered and mostly not used."""

    product_id: int
    product: KitProductView
    quantity: Decimal
    optional: bool


class KitView(TypedDict):
    """A kit with its lines. ``user_id`` is whose ``own`` it is; null for the hospital's. ``version``: as its ETag."""

    id: int
    name: str
    area_id: int | None
    area: AreaView | None
    own: bool
    user_id: int | None
    lines: list[KitLineView]
    version: int


class DayTallyView(TypedDict):
    """What one of the hospital's days comes to."""

    day: date
    lines: int
    total: NotRequired[Decimal]


class CategoryTallyView(TypedDict):
    """What one category comes to."""

    category: CategoryView
    lines: int
    total: NotRequired[Decimal]


class SummaryLineView(TypedDict):
    """A line that someone may want to mend."""

    id: int
    product_id: int
    product_name: str
    quantity: Decimal
    created_at: datetime


class SheetVersionView(TypedDict):
    """At which version a sheet is."""

    version: int


class SheetSummaryView(TypedDict):
    """What a sheet comes to, and what stands on it without quantity or without price. ``version`` is the sheet's."""

    consumption_sheet_id: int
    lines: int
    total: NotRequired[Decimal]
    days: list[DayTallyView]
    categories: list[CategoryTallyView]
    without_quantity: list[SummaryLineView]
    without_price: NotRequired[list[SummaryLineView]]
    # The open ones, which are in no total.
    unlisted_items: list[UnlistedItemView]
    version: int


class PrintedCategoryView(TypedDict):
    """The lines of one category on one day, and what they come to."""

    category: CategoryView
    lines: int
    total: NotRequired[Decimal]
    details: list[DetailView]


class PrintedDayView(TypedDict):
    """The lines of one of the hospital's days, and what they come to."""

    day: date
    lines: int
    total: NotRequired[Decimal]
    categories: list[PrintedCategoryView]


class WholeSheetView(TypedDict):
    """A sheet with all that stands on it; ``total`` is that of the lines which stand here, ``voided`` how many were
    taken back and count nowhere.
    """

    sheet: SheetView
    record_number: str | None
    date_of_birth: date | None
    area: str | None
    lines: int
    voided: int
    total: NotRequired[Decimal]
    days: list[PrintedDayView]
    # Those that were open then, which are in no total.
    unlisted_items: list[UnlistedItemView]


class PrintedSheetView(WholeSheetView):
    """A sheet as it is handed over.

    ``reopened`` tells that it was closed before, so that another paper of it may be about; ``late_entries`` how many
    entries arrived after its closing and wait until somebody decides.
    """

    late_entries: int
    reopened: bool
    printed_by: str
    printed_at: datetime


class SheetDocument(TypedDict):
    """All that stood on a sheet when it was closed. It is kept for good: ``format`` tells in which form.

    It holds prices: whoever sees none gets it through ``as_seen_by``.
    """

    format: int
    sheet: SheetView
    record_number: str | None
    date_of_birth: date | None
    area: str | None
    lines: int
    total: Decimal
    days: list[PrintedDayView]
    # Absent in what was frozen before it was told.
    voided: NotRequired[int]
    unlisted_items: NotRequired[list[UnlistedItemView]]


class OutboundMessageView(TypedDict):
    """A message for whoever bills, without what it says. ``charges`` is how many charges and credits it holds.

    ``problem`` is why the last try came to nothing, ``decided_by`` who said with a ``reason`` that it counts as sent.
    """

    id: int
    control_id: str
    consumption_sheet_id: int
    charges: int
    state: OutboundState
    tries: int
    problem: str | None
    created_at: datetime
    next_try_at: datetime | None
    sent_at: datetime | None
    decided_by: str | None
    reason: str | None


class WholeOutboundMessageView(OutboundMessageView):
    """A message with what it says, prices and all: for those alone who see them."""

    body: str


class ClosingView(TypedDict):
    """A closing of a sheet, the ``turn``-th; ``by`` is null where nobody knows any more who closed it."""

    turn: int
    closed_at: datetime
    by: str | None
    total: NotRequired[Decimal]
    lines: int


class ClosingsView(TypedDict):
    """The closings of a sheet, the first one first."""

    items: list[ClosingView]


class ConsumptionBy(StrEnum):
    """By what a report adds up the consumption of a period."""

    DAY = "day"
    MONTH = "month"
    AREA = "area"
    ROOM = "room"
    CATEGORY = "category"
    PRODUCT = "product"
    STAFF = "staff"
    PATIENT = "patient"


class ConsumptionSumsView(TypedDict):
    """What was consumed: how many details, their quantities and their totals added up."""

    details: int
    quantity: Decimal
    total: NotRequired[Decimal]


class ConsumptionRowView(ConsumptionSumsView):
    """The consumption of one day, month, area and so on.

    ``key`` is the day, the month (YYYY-MM) or the id as text. ``key``, ``id`` and ``name`` are empty on the row of what
    has no area, room or staff; days and months have no id. ``category_code`` is told of categories to those who see
    prices, ``code`` and ``unit`` of products, ``record_number`` of patients.
    """

    key: str
    id: int | None
    name: str | None
    category_code: NotRequired[str]
    code: NotRequired[str | None]
    unit: NotRequired[str | None]
    record_number: NotRequired[str | None]


# ``from`` is a word of Python's.
PeriodView = TypedDict("PeriodView", {"from": date, "to": date})
PeriodView.__doc__ = "A period; both days count."


class ProductPage(TypedDict):
    """A page of products. A search that finds nothing tells which names are ``nearest`` to what was searched for."""

    items: list[ProductView]
    nearest: NotRequired[list[ProductView]]
    meta: Meta


class SheetPage(TypedDict):
    """A page of sheets. Where something is searched for, ``exact`` is the id of the one sheet that the text names
    without doubt; what it names merely nearly is ``nearest``.
    """

    items: list[SheetView]
    exact: NotRequired[int]
    nearest: NotRequired[list[SheetView]]
    meta: Meta


class PatientPage(TypedDict):
    """A page of patients, with ``exact`` and ``nearest`` as a page of sheets has them."""

    items: list[PatientView]
    exact: NotRequired[int]
    nearest: NotRequired[list[PatientView]]
    meta: Meta


class ConsumptionPage(TypedDict):
    """A page of the consumption of a period. ``sums`` are those of all rows, whatever page of them is shown."""

    by: ConsumptionBy
    period: PeriodView
    sums: ConsumptionSumsView
    items: list[ConsumptionRowView]
    meta: Meta


class ConsumptionReportView(TypedDict):
    """The consumption of a period as it is handed over, with all its rows. ``area`` is the one that it is about,
    ``returns`` tells that it is about what came back.
    """

    by: ConsumptionBy
    returns: bool
    period: PeriodView
    area: str | None
    sums: ConsumptionSumsView
    items: list[ConsumptionRowView]
    printed_by: str
    printed_at: datetime


class RecallView(TypedDict):
    """A lot of a product, or without one all of it, that is not to be used any more, until it is closed."""

    id: int
    product_id: int
    product: "ProductNameView"
    lot: str | None
    reason: str
    opened_at: datetime
    opened_by: int
    closed: bool
    closed_at: datetime | None


class ApiKeyView(TypedDict):
    """A key of a service account, without its secret; ``prefix`` is how people recognize it."""

    id: int
    name: str
    prefix: str
    scopes: list[Permission]
    networks: list[str]
    created_at: datetime
    created_by: AuditUserView
    expires_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None


class ServiceAccountView(TypedDict):
    """The account of a program, with its keys, the latest first."""

    id: int
    name: str
    keys: list[ApiKeyView]


class ServiceAccountsView(TypedDict):
    """All service accounts by name; ``scopes`` is the most that a key may be allowed."""

    items: list[ServiceAccountView]
    scopes: list[Permission]


class MadeKeyView(TypedDict):
    """A key that was made just now. The ``secret`` is told this once."""

    key: ApiKeyView
    secret: str


class ExpiringKeyView(TypedDict):
    """A key that works no more soon, or since lately."""

    id: int
    name: str
    service_account: str
    expires_at: datetime


class SheetAtWorkView(TypedDict):
    """An open sheet as whoever works on it sees it in a list."""

    id: int
    patient: PersonView
    room: SheetRoomView
    admission_date: date
    days_open: int
    details: int
    last_recorded_at: datetime | None


class ProductNameView(TypedDict):
    """A product, by name."""

    id: int
    name: str
    unit: str | None


class UnusualView(TypedDict):
    """Something worth a second look: a sheet, a detail of today on a sheet, or a product.

    ``days`` is how long a sheet has been open or without a new detail; ``usual_quantity`` is the product's usual one,
    null if that is not known.
    """

    kind: Oddity
    sheet: SheetAtWorkView | None
    days: int | None
    detail_id: int | None
    product: ProductNameView | None
    quantity: Decimal | None
    usual_quantity: Decimal | None


class TodayView(TypedDict):
    """What was recorded today, and for how many patients."""

    details: int
    patients: int
    total: NotRequired[Decimal]


class RecalledUseView(TypedDict):
    """What was used although it was recalled, and nobody has seen yet; ``by`` is who recorded it."""

    detail_id: int
    consumption_sheet_id: int
    closed: bool
    patient: PersonView
    room: str
    product: ProductNameView
    lot: str | None
    quantity: Decimal
    at: datetime
    by: str


class OverviewView(TypedDict):
    """What a person at work wants first.

    ``mine`` are the open sheets on which this person worked lately, the latest first. ``unusual`` has at most some of
    each kind; those kinds of which there are more are named in ``more_unusual``. ``recalled``, for those who manage
    recalls, are the latest of the ``recalled_total`` that were used although they were recalled. ``unlisted``, for
    those who manage late entries, are the first of the ``unlisted_total`` sheets with open unlisted items.
    ``expiring_keys``, for those who manage service accounts, soon work no more. ``discharges`` are those of the
    hospital's system whose sheets are open; ``held_messages``, for those who read messages, is how many wait for more
    than ten minutes.
    """

    day: date
    open_sheets: int
    today: TodayView
    mine: list[SheetAtWorkView]
    unusual: list[UnusualView]
    more_unusual: list[Oddity]
    late: NotRequired[list[LateSheetView]]
    unlisted: NotRequired[list[UnlistedSheetView]]
    unlisted_total: NotRequired[int]
    recalled: NotRequired[list[RecalledUseView]]
    recalled_total: NotRequired[int]
    expiring_keys: NotRequired[list[ExpiringKeyView]]
    discharges: NotRequired[list[DischargeView]]
    held_messages: NotRequired[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetQuery(ListQuery):
    """Sheets: ``since`` and ``until`` are days, of admission for open sheets, of closing for closed ones.

    Open and ``closed`` ones are two lists; with None all are walked by their ids, and each tells its stays.
    """

    closed: bool | None = False
    patient_id: int | None = None
    room_id: int | None = None
    area_id: int | None = None
    since: date | None = None
    until: date | None = None


class Voided(StrEnum):
    """Which details that were taken back are listed; without it none."""

    INCLUDE = "include"
    ONLY = "only"


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailQuery(ListQuery):
    """Details: ``since`` and ``until`` are days of use; a ``lot`` is looked for without regard to case.

    ``voided``: those that were taken back as well, or they alone. ``gtin_prefix``: those with a GTIN that begins so.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    staff_id: int | None = None
    area_id: int | None = None
    since: date | None = None
    until: date | None = None
    lot: str | None = None
    serial: str | None = None
    patient_id: int | None = None
    gtin_prefix: str | None = None
    voided: Voided | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery(ListQuery):
    """Recalls: ``q`` searches the names of products; ``closed``: those that have ended, or those in force."""

    product_id: int | None = None
    closed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessageQuery(ListQuery):
    """Messages for whoever bills, in one ``state``, of one sheet, or all."""

    state: OutboundState | None = None
    consumption_sheet_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductQuery(ListQuery):
    """Products: ``q`` searches names; an exact code or GTIN comes first."""

    category_id: int | None = None
    active: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomQuery(ListQuery):
    """Rooms, of one area and in one ``status``, or all."""

    area_id: int | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientQuery(ListQuery):
    """Patients: ``q`` searches names and record numbers. Those ``merged`` into others are a list of their own, and with
    None among all. ``unnumbered``: those without a record number, merged ones left out.
    """

    active: bool | None = None
    merged: bool | None = False
    unnumbered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffQuery(ListQuery):
    """Staff; ``unassigned``: those who are no user's profile."""

    unassigned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UserQuery(ListQuery):
    """Users, of these ``roles`` or of all."""

    roles: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KitQuery(ListQuery):
    """Kits: the hospital's and those of ``user_id``; with ``area_id`` of the hospital's only that area's and no area's.

    ``own``: only those of ``user_id``, or only the hospital's. Those that are no longer ``active`` are in no list.
    """

    area_id: int | None = None
    own: bool | None = None
    user_id: int = 0
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditQuery(ListQuery):
    """The audit log: of one thing, of one person, of some days; ``sheet_id`` with all that befell its details.

    ``patient_id``: who looked at that patient or one of the sheets, or changed one of them.
    """

    entity: str | None = None
    entity_id: int | None = None
    user_id: int | None = None
    action: str | None = None
    sheet_id: int | None = None
    patient_id: int | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumptionQuery(ListQuery):
    """What was used from ``since`` to ``until``, added up ``by`` something; of one area or one product, or of all.

    With ``returns`` what came back on those days instead, whenever it was used.
    """

    by: ConsumptionBy = ConsumptionBy.DAY
    since: date | None = None
    until: date | None = None
    area_id: int | None = None
    product_id: int | None = None
    returns: bool = False


# What those who see no prices never see, by name, wherever it stands; and the code of a category.
PRICED_FIELDS = frozenset({"price", "previous_price", "unit_price", "total", "without_price", "category_code"})

# By which fields lists can be ordered. Those that would tell a price by the order alone are for those who see prices.
PRICED_SORTS = frozenset({"total", "unit_price", "price", "category_code"})
SHEET_SORTS = frozenset({"id", "admission_date", "patient", "room", "doctor", "deleted_at", "total"})
DETAIL_SORTS = frozenset({"id", "created_at", "product", "quantity", "unit_price", "total"})
PRODUCT_SORTS = frozenset({"id", "name", "price", "category", "code"})
RECALL_SORTS = frozenset({"id", "product", "opened_at"})
CATEGORY_SORTS = frozenset({"id", "name", "category_code"})
AREA_SORTS = frozenset({"id", "name"})
ROOM_SORTS = frozenset({"id", "name", "area", "status", "type"})
PATIENT_SORTS = frozenset({"id", "name", "first_surname", "date_of_birth", "active", "record_number"})
USER_SORTS = frozenset({"id", "email", "role"})
AUDIT_SORTS = frozenset[str]()
OUTBOUND_MESSAGE_SORTS: frozenset[str] = frozenset()
IMPORT_SORTS = frozenset({"id"})
KIT_SORTS = frozenset({"id", "name"})
STAFF_SORTS = frozenset({"id", "name", "first_surname", "job_title"})
CONSUMPTION_SORTS = frozenset({"key", "name", "details", "quantity", "total"})
