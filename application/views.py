"""Views: the shapes of answers, and list queries.

Reads bypass the domain: adapters fill these shapes directly from the stored data. Ids are positive integers. Money and
quantities are exact decimals. Moments are aware and in UTC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NamedTuple, NotRequired, TypedDict

from application.entities import AuditAction
from application.paging import ListQuery, Meta
from application.redaction import Price, Redacted
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
    """An area.

    If it is read alone, it has its ``code`` in the hospital's system.
    """

    id: int
    name: str
    code: NotRequired[Annotated[str | None, Redacted.FIELD]]


class CatalogueProduct(NamedTuple):
    """A product in the catalogue for devices."""

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
    """A product code in the catalogue, with its comparison ``key``.

    The key of a GTIN has 14 digits.
    """

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
    """A kit of the hospital, with its lines in order."""

    id: int
    name: str
    area_id: int | None
    lines: list[CatalogueKitLine]


class CatalogueArea(NamedTuple):
    """An area in the catalogue for devices."""

    id: int
    name: str


class CatalogueView(TypedDict):
    """The catalogue that devices store for work without network.

    It is the same for all users, without prices and categories. Each list is sorted by id. Objects are arrays without
    field names, to save space; the order of the fields is fixed.
    """

    products: list[CatalogueProduct]
    codes: list[CatalogueCode]
    kits: list[CatalogueKit]
    areas: list[CatalogueArea]


class VersionedCatalogueView(CatalogueView):
    """The catalogue with its version, which is its ETag."""

    version: int


class CategoryView(TypedDict):
    """A category, without its code for users who may not see prices."""

    id: int
    code: NotRequired[Annotated[str, Redacted.FIELD]]
    name: str


class ProductView(TypedDict):
    """A product.

    Users who may not see prices get no price and no category code. ``decimals`` is the maximum number of decimals of
    its quantities. ``asks_lot`` and ``asks_serial`` say whether recording asks for them. ``also_called`` are other
    names by which it is found.
    """

    id: int
    name: str
    price: NotRequired[Price]
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
    """A product's code in a code system.

    A pack with the code contains ``units`` of the product.
    """

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
    """A text that users typed in vain before they chose the product."""

    id: int
    text: str
    times: int
    last_at: datetime


class TypedNamesView(TypedDict):
    """The proposals for other names of a product, by frequency."""

    items: list[TypedNameView]


class PriceChangeView(TypedDict):
    """A price of a product since a moment.

    ``by`` is the user who set it. ``imported`` says whether that was by an import.
    """

    at: datetime
    by: str | None
    imported: bool
    previous_price: NotRequired[Price | None]
    price: NotRequired[Price]


class PriceHistoryView(TypedDict):
    """The prices of a product, the latest first."""

    items: list[PriceChangeView]


class UnknownCodeView(TypedDict):
    """A scanned code that no product has."""

    system: str
    code: str
    times: int
    last_at: datetime


class UnknownCodesView(TypedDict):
    """The codes that no product has, the latest scanned first."""

    items: list[UnknownCodeView]


class ReadingView(TypedDict):
    """The content of a symbol.

    ``separator_lost`` means that lot, expiry and serial number have to be confirmed. ``incomplete`` means that a part
    cannot be parsed, which may have the missing data. ``bare`` means that only the characters suggest a symbol, and
    another number may look the same, so it has to be confirmed before it is recorded.
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
    """A product that a code may mean.

    ``system`` is ``code`` for the hospital's own code.
    """

    product: ProductView
    system: str
    units: Decimal
    label: str | None


class RecallInForceView(TypedDict):
    """The reason of a recall, and the time since which it is in force."""

    id: int
    reason: str
    since: datetime


class SerialUsedView(TypedDict):
    """The sheet on which a serial number was recorded, and the time."""

    consumption_sheet_id: int
    at: datetime


class NotedCodeView(TypedDict):
    """A scanned code without a product, as it was stored.

    ``system`` is ``code`` if the system is unknown.
    """

    system: str
    code: str


class ProductLookupView(TypedDict):
    """The products and patients that a scan may mean, and pack data.

    ``reading`` is null if the text is not a symbol. ``noted`` is the code that was stored as unknown. ``read_as`` is
    the text for another keyboard layout, if the scanner seems to use one; in that case the matches belong to it and
    have to be confirmed. ``people`` are the patients whose wristband or label may have been scanned.
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
    """The products that are likely to be recorded next, the most likely first.

    ``pinned`` are the ids of those that the user pinned.
    """

    items: list[ProductView]
    pinned: list[int]


class UsualQuantityView(TypedDict):
    """The usual quantity of a product, null if unknown.

    A quantity above ``far_out_above`` causes a question.
    """

    usual_quantity: Decimal | None
    far_out_above: Decimal


class PersonView(TypedDict):
    """A patient or staff member, by name."""

    id: int
    name: str
    first_surname: str
    second_surname: str | None


class RoomSheetView(TypedDict):
    """An open sheet in a room: the patient, and since when."""

    id: int
    patient: PersonView
    admission_date: date


class RoomView(TypedDict):
    """A room; ``status`` and ``type`` use the same numbers.

    They are 1 available, 2 occupied, 3 cleaning, 4 out of service. ``sheets`` are the open sheets in it, the longest
    admitted first. ``code`` is its code in the hospital's system.
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
    """A patient; ``active`` is 1 or 0.

    ``open_sheets`` is the number of the patient's open sheets. ``merged_into`` is the id of the record that replaces
    this one, or null.
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
    """The number of a patient's sheets."""

    open: int
    closed: int


class DifferenceView(TypedDict):
    """A field that differs between two records of a patient.

    ``mine`` is the value of the record that is merged, ``theirs`` that of the other.
    """

    field: str
    mine: str
    theirs: str


class MergePreviewView(TypedDict):
    """A preview of merging a patient into another record.

    ``sheets`` would move, ``fills`` are the fields of the other record that would be filled, and ``differs`` are the
    fields with different values.
    """

    sheets: SheetsToMoveView
    fills: list[str]
    differs: list[DifferenceView]


class UnmergedPatientView(TypedDict):
    """A patient whose merge was undone.

    ``stayed`` are the sheets that were reassigned since, and therefore did not come back.
    """

    patient: PatientView
    returned: list[int]
    stayed: list[int]


class StaffView(TypedDict):
    """A staff member; ``user_id`` is the user with this profile."""

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
    """A role that the user may grant and withdraw.

    ``has_profile`` says whether users with it have a staff profile.
    """

    role: str
    has_profile: bool


class OwnAccountView(UserView):
    """The signed-in user, with permissions and managed roles."""

    permissions: list[Permission]
    managed_roles: list[ManagedRoleView]
    profile_required: bool


class SessionView(TypedDict):
    """A session: network address and program, with its name for a browser.

    ``current`` marks the session of the request. ``used_at`` is accurate to a few minutes. Unknown values are null.
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
    """The user of an entry. The email stays when the user is deleted."""

    id: int
    email: str


class ApiKeyNameView(TypedDict):
    """An API key, by name."""

    id: int
    name: str


class AuditView(TypedDict):
    """An entry of the audit log.

    ``changes`` has each changed field with its value before and after. ``sheet_id`` is the sheet whose history has the
    entry. ``patient_id`` is the patient of a sheet that was opened, changed, read or exported. ``api_key`` is the key
    of the program that made the change.
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
    changes: Annotated[dict[str, list[str | int | bool | None]], Redacted.CHANGES]


class HistoryView(AuditView):
    """An audit entry with names for its ids.

    ``person`` is the user's name, ``patient`` the name of the sheet's patient, and ``subject`` what else it is about,
    such as a detail's product or a user's email. ``names`` has the names of each changed id, before and after. Objects
    without a name, and deleted ones, have null.
    """

    person: str | None
    patient: str | None
    subject: str | None
    names: dict[str, list[str | None]]


class ImportView(TypedDict):
    """An import, with the counts of rows by result."""

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
    """The room of a patient."""

    id: int
    name: str
    area_id: int


class ConsumptionDayView(TypedDict):
    """A day with consumption: its first moment and number of details."""

    created_at: datetime
    details: int


class SheetPatientView(PersonView):
    """The patient of a sheet.

    Answers that were stored by earlier versions lack ``record_number`` and ``date_of_birth``.
    """

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
    """A patient who was scanned, with the open sheets.

    ``sheets`` are sorted by admission, the latest first. ``sheet_id`` is the sheet whose visit number or label was
    scanned, open or closed. It is null if the number is the patient's.
    """

    record_number: str | None
    date_of_birth: date | None
    sheet_id: int | None
    sheets: list[ScannedSheetView]


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
    room_id: int
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

    ``since`` is the time when the first of them was noted.
    """

    consumption_sheet_id: int
    closed: bool
    patient: PersonView
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

    It is the same as in a 422 answer. ``message`` is added by the adapter. ``acknowledgeable`` is only present if it is
    true: it is a question that the user may override. Further fields depend on the ``code``.
    """

    field: str | None
    code: Code
    message: NotRequired[str]
    acknowledgeable: NotRequired[bool]


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

    ``since`` is the time when the first of them arrived.
    """

    consumption_sheet_id: int
    closed: bool
    patient: PersonView
    entries: int
    since: datetime


class DischargeView(TypedDict):
    """An open sheet whose patient was discharged by the hospital's system."""

    consumption_sheet_id: int
    patient: PersonView
    room: str
    at: datetime


class MessageFieldView(TypedDict):
    """A field of a message with its place, such as PV1-3."""

    place: str
    value: str


class InboundMessageView(TypedDict):
    """An inbound message and its state.

    ``code`` and ``params`` are the reason why it is held or was ignored, or which part could not be applied; ``why`` is
    the same in words. ``fields`` is only set if the message is read alone. It is empty once the text has been purged.
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
    """A page of messages.

    ``next`` is the ``after`` parameter of the next page, or null. ``held`` is the number of held messages.
    """

    items: list[InboundMessageView]
    next: int | None
    held: int


class DetailProductView(TypedDict):
    """The product of a detail, with its current price.

    Answers that an earlier version stored lack ``code``.
    """

    id: int
    code: NotRequired[str | None]
    name: str
    price: NotRequired[Price]
    category: CategoryView


class WarningView(TypedDict):
    """A possible mistake in a detail that was recorded anyway.

    ``message`` is added by the adapter. Further fields depend on the ``code``. A near ``expiry`` has the date. A
    possible duplicate has the earlier detail, its author, its time, and the ``minutes`` in between. A far-out line has
    its quantity and the usual one, or its total for users who see prices. If several details were recorded, ``field``
    is the position of the one concerned, such as ``items.3``.
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
    total: NotRequired[Price]


class KitNameView(TypedDict):
    """A kit, by name."""

    id: int
    name: str


class UserNameView(TypedDict):
    """A user: the staff member's name, or else the email."""

    id: int
    name: str


class VoidedView(TypedDict):
    """The time, user and reason of voiding a detail."""

    at: datetime
    by: UserNameView
    reason: str | None


class DetailView(TypedDict):
    """A consumption detail. ``version`` is its ETag.

    * ``created_at`` is the time of recording, ``occurred_at`` the time of use, if that is another one, and ``day`` the
      hospital's day of use.
    * ``room_id`` is the patient's room at the time of recording.
    * ``acknowledged`` are the codes of the questions that the author overrode.
    * ``quantity`` is the quantity that was kept, ``returned`` the one that came back.
    * ``voided`` is only set if the detail was voided. Its total counts nowhere.
    * ``corrected_from`` is the quantity before a correction.
    * ``warnings`` are only returned when the detail is recorded.

    Answers that an earlier version stored lack the fields that are not required.
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
    unit_price: NotRequired[Price]
    total: NotRequired[Price]
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
    warnings: NotRequired[Annotated[list[WarningView], Redacted.PRICED_ITEMS]]
    version: int


class RepeatableLineView(TypedDict):
    """An active product, its recorded quantity, and the number of lines."""

    product: ProductView
    quantity: Decimal
    times: int


class RepeatableView(TypedDict):
    """The products recorded on a day, to be used again.

    ``day`` is null for all ``days`` with lines.
    """

    day: date | None
    days: list[date]
    items: list[RepeatableLineView]


class DetailsView(TypedDict):
    """Details of one sheet that were changed together."""

    items: list[DetailView]


class SheetSumView(TypedDict):
    """The current total of a sheet; ``version`` is its ETag."""

    id: int
    version: int
    total: NotRequired[Price]


# The moved details, and both sheets after the move. A class cannot have a field with the name from.
MovedDetailsView = TypedDict("MovedDetailsView", {"moved": list[DetailView], "from": SheetSumView, "to": SheetSumView})


class RecordedDetailsView(TypedDict):
    """Details that were recorded together, in the order of the request.

    ``warnings`` refer to them by position.
    """

    items: list[DetailView]
    warnings: NotRequired[Annotated[list[WarningView], Redacted.PRICED_ITEMS]]


class ExportedDetailView(DetailView):
    """A consumption detail for exports, with patient and room."""

    room: PlaceView | None
    patient_id: int
    patient: SheetPatientView


class KitProductView(TypedDict):
    """A product in a kit.

    It has no price, because a recorded line gets the price at that time.
    """

    id: int
    code: str | None
    name: str
    unit: str | None
    active: bool


class KitLineView(TypedDict):
    """A line of a kit. An ``optional`` product is usually not used."""

    product_id: int
    product: KitProductView
    quantity: Decimal
    optional: bool


class KitView(TypedDict):
    """A kit with its lines. ``version`` is its ETag.

    ``user_id`` is the owner of an ``own`` kit. It is null for the hospital's kits.
    """

    id: int
    name: str
    area_id: int | None
    area: AreaView | None
    own: bool
    user_id: int | None
    lines: list[KitLineView]
    version: int


class DayTallyView(TypedDict):
    """The totals of one hospital day."""

    day: date
    lines: int
    total: NotRequired[Price]


class CategoryTallyView(TypedDict):
    """The totals of one category."""

    category: CategoryView
    lines: int
    total: NotRequired[Price]


class SummaryLineView(TypedDict):
    """An incomplete line, to be corrected before the closing."""

    id: int
    product_id: int
    product_name: str
    quantity: Decimal
    created_at: datetime


class SheetVersionView(TypedDict):
    """The version of a sheet."""

    version: int


class SheetSummaryView(TypedDict):
    """The totals of a sheet, and its lines without quantity or price.

    ``version`` is the version of the sheet.
    """

    consumption_sheet_id: int
    lines: int
    total: NotRequired[Price]
    days: list[DayTallyView]
    categories: list[CategoryTallyView]
    without_quantity: list[SummaryLineView]
    without_price: NotRequired[Annotated[list[SummaryLineView], Redacted.FIELD]]
    # The open items, which are in no total.
    unlisted_items: list[UnlistedItemView]
    version: int


class PrintedCategoryView(TypedDict):
    """The lines of one category on one day, with their total."""

    category: CategoryView
    lines: int
    total: NotRequired[Price]
    details: list[DetailView]


class PrintedDayView(TypedDict):
    """The lines of one hospital day, with their total."""

    day: date
    lines: int
    total: NotRequired[Price]
    categories: list[PrintedCategoryView]


class WholeSheetView(TypedDict):
    """A sheet with all its lines.

    ``total`` is the sum of these lines. ``voided`` is the number of voided lines, which count nowhere.
    """

    sheet: SheetView
    record_number: str | None
    date_of_birth: date | None
    area: str | None
    lines: int
    voided: int
    total: NotRequired[Price]
    days: list[PrintedDayView]
    # The items that were open at that time. They are in no total.
    unlisted_items: list[UnlistedItemView]


class PrintedSheetView(WholeSheetView):
    """A sheet for printing.

    ``reopened`` means that it was closed before, so that there may be an outdated printout. ``late_entries`` is the
    number of undecided late entries.
    """

    late_entries: int
    reopened: bool
    printed_by: str
    printed_at: datetime


class SheetDocument(TypedDict):
    """The content of a sheet when it was closed, stored permanently.

    ``format`` is the version of its format. It has prices, so it must be passed through ``redact_for``.
    """

    format: int
    sheet: SheetView
    record_number: str | None
    date_of_birth: date | None
    area: str | None
    lines: int
    total: Price
    days: list[PrintedDayView]
    # Documents from before this field was introduced lack it.
    voided: NotRequired[int]
    unlisted_items: NotRequired[list[UnlistedItemView]]


class OutboundMessageView(TypedDict):
    """A message to billing, without its text.

    ``charges`` is its number of charges and credits. ``problem`` is the error of the last attempt. ``decided_by`` is
    the administrator who marked it as sent, for a ``reason``.
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
    """A message with its text, which has prices.

    Only users who may see prices get it.
    """

    body: Annotated[str, Redacted.FIELD]


class ClosingView(TypedDict):
    """A closing of a sheet. ``turn`` is its number on the sheet.

    ``by`` is null if it is unknown who closed it.
    """

    turn: int
    closed_at: datetime
    by: str | None
    total: NotRequired[Price]
    lines: int


class ClosingsView(TypedDict):
    """The closings of a sheet, the first one first."""

    items: list[ClosingView]


class ConsumptionBy(StrEnum):
    """What a report groups the consumption of a period by."""

    DAY = "day"
    MONTH = "month"
    AREA = "area"
    ROOM = "room"
    CATEGORY = "category"
    PRODUCT = "product"
    STAFF = "staff"
    PATIENT = "patient"


class ConsumptionSumsView(TypedDict):
    """Sums of consumption: number of details, quantity and total."""

    details: int
    quantity: Decimal
    total: NotRequired[Price]


class ConsumptionRowView(ConsumptionSumsView):
    """The consumption of one day, month, area and so on.

    ``key`` is the day, the month (YYYY-MM) or the id as text. Days and months have no ``id``. ``key``, ``id`` and
    ``name`` are empty on the row of details without an area, room or staff member. ``category_code`` is only set for
    categories and users who see prices, ``code`` and ``unit`` for products, ``record_number`` for patients.
    """

    key: str
    id: int | None
    name: str | None
    category_code: NotRequired[Annotated[str, Redacted.FIELD]]
    code: NotRequired[str | None]
    unit: NotRequired[str | None]
    record_number: NotRequired[str | None]


# ``from`` is a keyword in Python.
PeriodView = TypedDict("PeriodView", {"from": date, "to": date})
PeriodView.__doc__ = "A period; both days count."


class ProductPage(TypedDict):
    """A page of products.

    ``nearest`` are products with similar names, if the search finds none.
    """

    items: list[ProductView]
    nearest: NotRequired[list[ProductView]]
    meta: Meta


class SheetPage(TypedDict):
    """A page of sheets.

    In a search, ``exact`` is the id of the unambiguous match, and ``nearest`` are sheets with similar names.
    """

    items: list[SheetView]
    exact: NotRequired[int]
    nearest: NotRequired[list[SheetView]]
    meta: Meta


class PatientPage(TypedDict):
    """A page of patients; see ``SheetPage`` for ``exact`` and ``nearest``."""

    items: list[PatientView]
    exact: NotRequired[int]
    nearest: NotRequired[list[PatientView]]
    meta: Meta


class ConsumptionPage(TypedDict):
    """A page of a consumption report. ``sums`` are those of all rows."""

    by: ConsumptionBy
    period: PeriodView
    sums: ConsumptionSumsView
    items: list[ConsumptionRowView]
    meta: Meta


class ConsumptionReportView(TypedDict):
    """A consumption report for printing, with all rows.

    ``area`` is the filter, if there is one. ``returns`` means that the report is about returned supplies.
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
    """A recall of a lot, or of a whole product if ``lot`` is null."""

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
    """A key of a service account, without its secret.

    ``prefix`` is the part by which people recognize it.
    """

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
    """A service account with its keys, the latest first."""

    id: int
    name: str
    keys: list[ApiKeyView]


class ServiceAccountsView(TypedDict):
    """All service accounts by name, with the available scopes."""

    items: list[ServiceAccountView]
    scopes: list[Permission]


class MadeKeyView(TypedDict):
    """A new key with its ``secret``, which is only returned once."""

    key: ApiKeyView
    secret: str


class ExpiringKeyView(TypedDict):
    """A key that expires soon or has expired recently."""

    id: int
    name: str
    service_account: str
    expires_at: datetime


class SheetAtWorkView(TypedDict):
    """An open sheet in the overview."""

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
    """An anomaly: a sheet, a detail of today, or a product.

    ``days`` is how long a sheet has been open, or without a new detail. ``usual_quantity`` is null if it is unknown.
    """

    kind: Oddity
    sheet: SheetAtWorkView | None
    days: int | None
    detail_id: int | None
    product: ProductNameView | None
    quantity: Decimal | None
    usual_quantity: Decimal | None


class TodayView(TypedDict):
    """Today's figures: details, patients and total."""

    details: int
    patients: int
    total: NotRequired[Price]


class RecalledUseView(TypedDict):
    """An unacknowledged use of a recalled lot; ``by`` is the author."""

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
    """The overview, the content of the home page.

    * ``mine`` are the open sheets on which the user worked lately, the latest first.
    * ``unusual`` has a limited number of each kind. Kinds with more are in ``more_unusual``.
    * ``late`` and ``unlisted`` are for users who manage late entries. ``unlisted`` are the first of the
      ``unlisted_total`` sheets with open unlisted items.
    * ``recalled`` is for users who manage recalls: the latest of the ``recalled_total`` uses of recalled lots.
    * ``expiring_keys`` is for users who manage service accounts.
    * ``discharges`` are open sheets whose patients were discharged by the hospital's system.
    * ``held_messages`` is for users who read messages: the number that is held for more than ten minutes.
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
    """A query for sheets.

    ``since`` and ``until`` are days: of admission for open sheets, of closing for closed ones. Open and ``closed``
    sheets are two lists. With None all sheets are listed by id, with their stays.
    """

    closed: bool | None = False
    patient_id: int | None = None
    room_id: int | None = None
    area_id: int | None = None
    since: date | None = None
    until: date | None = None


class Voided(StrEnum):
    """Which voided details are listed. Without it none are."""

    INCLUDE = "include"
    ONLY = "only"


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailQuery(ListQuery):
    """A query for details.

    ``since`` and ``until`` are days of use. ``lot`` ignores case. ``voided`` includes voided details, or selects only
    them. ``gtin_prefix`` selects details whose GTIN begins with it.
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
    """A query for recalls.

    ``q`` searches the names of products. ``closed`` selects closed recalls, or those in force.
    """

    product_id: int | None = None
    closed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessageQuery(ListQuery):
    """A query for messages to billing."""

    state: OutboundState | None = None
    consumption_sheet_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductQuery(ListQuery):
    """A query for products.

    ``q`` searches names. An exact code or GTIN comes first.
    """

    category_id: int | None = None
    active: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomQuery(ListQuery):
    """A query for rooms."""

    area_id: int | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientQuery(ListQuery):
    """A query for patients.

    ``q`` searches names and record numbers. ``merged`` patients are a separate list; None includes both. ``unnumbered``
    selects patients without a record number, except merged ones.
    """

    active: bool | None = None
    merged: bool | None = False
    unnumbered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffQuery(ListQuery):
    """A query for staff.

    ``unassigned`` selects staff members without a user.
    """

    unassigned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UserQuery(ListQuery):
    """A query for users. Without ``roles`` all are listed."""

    roles: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KitQuery(ListQuery):
    """A query for kits of the hospital and of ``user_id``.

    ``area_id`` selects the hospital's kits of that area and of no area. ``own`` selects only those of ``user_id``, or
    only the hospital's. Inactive kits are in no list.
    """

    area_id: int | None = None
    own: bool | None = None
    user_id: int = 0
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditQuery(ListQuery):
    """A query for audit entries.

    ``sheet_id`` includes the entries of the sheet's details. ``patient_id`` selects entries of users who looked at the
    patient, or read or changed one of the patient's sheets.
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
    """A query for a consumption report.

    It adds up the consumption from ``since`` to ``until``, grouped ``by`` a property. ``returns`` selects the returns
    on those days instead, whenever the supplies were used.
    """

    by: ConsumptionBy = ConsumptionBy.DAY
    since: date | None = None
    until: date | None = None
    area_id: int | None = None
    product_id: int | None = None
    returns: bool = False


# The sort fields of lists. Those whose order would reveal a price are only for users who see prices.
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
