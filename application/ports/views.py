"""What is read, as it is answered: nothing here changes anything."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from application.paging import ListQuery, Page
from application.ports.identity import ActiveKey, ActiveSession, Session
from application.views import (
    AreaView,
    AuditQuery,
    AuditView,
    CatalogueView,
    CategoryView,
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionRowView,
    DetailQuery,
    DetailView,
    DischargeView,
    ExpiringKeyView,
    ExportedDetailView,
    ImportView,
    KitQuery,
    KitView,
    LateSheetView,
    OutboundMessageQuery,
    OutboundMessageView,
    PatientQuery,
    PatientView,
    ProductNameView,
    ProductQuery,
    ProductView,
    RecalledUseView,
    RecallInForceView,
    RecallQuery,
    RecallView,
    RepeatableLineView,
    RoomQuery,
    RoomView,
    ScannedPersonView,
    SerialUsedView,
    ServiceAccountView,
    SheetAtWorkView,
    SheetDocument,
    SheetQuery,
    SheetView,
    StaffQuery,
    StaffView,
    SummaryLineView,
    TodayView,
    UnknownCodeView,
    UnlistedSheetView,
    UserQuery,
    UserView,
)
from domain.inbound_message import InboundMessage, InboundState
from domain.summary import DayCategorySubtotal
from domain.unlisted_item import UnlistedItem

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery, contravariant=True)
DetailT = TypeVar("DetailT", bound=DetailView)


class View(Protocol[Item, Query]):
    """Reads one kind of thing as it is answered."""

    def page(self, query: Query) -> Page[Item]: ...

    def one(self, id: int) -> Item | None: ...


class DetailsReader(View[DetailT, DetailQuery], Protocol[DetailT]):
    def these(self, ids: Collection[int]) -> list[DetailT]:
        """Those of these ids, whether they were taken back or not, in the order of their ids."""


class ProductsReader(View[ProductView, ProductQuery], Protocol):
    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Of what the filters let through those whose names are most like the text, the likest first."""


class NamedReader(View[Item, Query], Protocol[Item, Query]):
    """Reads patients, or sheets by their patients."""

    def names(self, query: Query) -> Iterable[tuple[int, str]]:
        """The folded names of all that the query's filters let through, by id: of sheets the open ones, and behind each
        name the room.
        """


class KnownCode(NamedTuple):
    """A product that a code may mean, the system, units and label of that code."""

    product: ProductView
    system: str
    units: Decimal
    label: str | None


class Packs(Protocol):
    """What codes mean, and what is known of packs."""

    def known(
        self, *, gtin: str | None, hibc: Collection[str], code: str | None, any_code: str | None
    ) -> list[KnownCode]:
        """The products with that GTIN (of 14 digits), one of these HIBC, the hospital's code or one of any system."""

    def recall(self, product_id: int, lot_key: str | None) -> RecallInForceView | None:
        """The recall in force that concerns such a pack."""

    def serial_used(self, product_id: int, serial: str | None) -> SerialUsedView | None:
        """Where that serial number of the product stands."""

    def unknown(self, *, most: int) -> list[UnknownCodeView]:
        """The codes that were scanned and no product has, the latest first. A patient's number is none."""


class NumberOwner(NamedTuple):
    """Whose number it is: a patient's, or a sheet's of that patient."""

    patient_id: int
    sheet_id: int | None


class PatientNumbers(Protocol):
    """Whose numbers and labels are scanned. A patient who was merged is the one who goes on."""

    def having(self, number: str) -> list[NumberOwner]:
        """Those whose record number, former record number or visit number it is, whatever its case."""

    def having_code(self, code: str) -> list[NumberOwner]:
        """Those whose record number is that without its separators (``domain.patient.number_code``)."""

    def of_sheet(self, sheet_id: int) -> list[NumberOwner]:
        """The patient of that sheet."""

    def people(self, owners: Collection[NumberOwner]) -> list[ScannedPersonView]:
        """These patients, each once, by id."""


class PriceChange(NamedTuple):
    """From when on a product costs what, by the user who set it; without ``before`` it is its first price."""

    at: datetime
    user_id: int | None
    imported: bool
    before: Decimal | None
    after: Decimal


class IncompleteLine(NamedTuple):
    """A line without quantity or without price: one that costs nothing because its product had no price."""

    view: SummaryLineView
    without_quantity: bool
    without_price: bool


class Summaries(Protocol):
    """What sheets come to."""

    def portions(self, sheet_id: int) -> tuple[int, list[DayCategorySubtotal]] | None:
        """The sheet's version, and what was recorded of each category on each day; None where there is no sheet."""

    def days(self, sheet_id: int) -> list[date]:
        """The days on which something was used, the oldest first."""

    def products(self, sheet_id: int, day: date | None) -> list[RepeatableLineView]:
        """What was used of each active product on that day or, without one, on all; what was used first comes first.

        Lines that come to nothing do not count.
        """

    def to_mend(self, sheet_id: int) -> list[IncompleteLine]:
        """The lines without quantity or price, the oldest first."""


# How far back the usual products go.
LATEST_OF_PERSON = 60
LATEST_OF_ROOM = 3
LATEST_OF_AREA = 40
LATEST_OF_SHEET = 25


class UsualProducts(Protocol):
    """What is recorded again and again.

    However much was ever recorded, each look costs the same: it goes by the latest alone.
    """

    def area_of(self, sheet_id: int) -> int | None:
        """The area in which the sheet's room lies; None where there is no such sheet."""

    def pinned(self, user_id: int, *, most: int) -> list[ProductView]:
        """The active products that this user pinned, the first pinned first."""

    def of_person(self, user_id: int, *, most: int) -> list[ProductView]:
        """The active products of the last ``LATEST_OF_PERSON`` details that this user recorded, the latest first."""

    def of_area(self, area_id: int, *, most: int) -> list[ProductView]:
        """The active products that stand most often among the area's latest details, the most frequent first.

        Those are the last ``LATEST_OF_SHEET`` of each of the ``LATEST_OF_AREA`` newest sheets, of which a room counts
        the ``LATEST_OF_ROOM`` newest. Of equals the one that was recorded last comes first.
        """

    def quantities(self, product_id: int, *, most: int) -> list[Decimal]:
        """The quantities of the product's latest details, the latest first."""


class ClosingSummary(NamedTuple):
    """A closing without its document."""

    turn: int
    closed_at: datetime
    user_id: int | None
    total: Decimal
    lines: int


class ClosingRecord(NamedTuple):
    """What a closing froze; ``replaced_at`` is when its sheet was closed anew, None for the last one."""

    sheet_id: int
    turn: int
    closed_at: datetime
    replaced_at: datetime | None
    reopened: bool
    document: SheetDocument


class ClosingsReader(Protocol):
    """What closings froze."""

    def of_sheet(self, sheet_id: int) -> list[ClosingSummary]:
        """Those of that sheet, the first one first."""

    def document(self, sheet_id: int, turn: int | None) -> SheetDocument | None:
        """What that closing froze; without a ``turn`` the one in force, which an open sheet has none of."""

    def behind(self, sheet_id: int, turn: int, *, most: int, patient_id: int | None) -> list[ClosingRecord]:
        """The closings behind that one by sheet and turn, of one patient's sheets or of all."""


class ConsumptionReports(Protocol):
    """Adds up what was consumed. The query's period and order are given."""

    def report(self, query: ConsumptionQuery) -> ConsumptionPage:
        """The page that was asked for, with the sums of all."""

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """All rows, whatever page was asked for."""


class LongOpenSheet(NamedTuple):
    """When the patient came, and when the last detail was recorded."""

    id: int
    admission_date: date
    last_recorded_at: datetime | None


class DetailOfToday(NamedTuple):
    """A detail of today on an open sheet, and what is usual of its product where that was asked."""

    id: int
    sheet_id: int
    product: ProductNameView
    quantity: Decimal
    usual: Decimal | None


# How far back the overview looks: each of its looks costs the same, however much was ever recorded.
RECORDED_BY_PERSON = 300
OPENED_BY_PERSON = 50
OLDEST_OPEN = 200

LATEST_OF_TODAY = 100


class Overview(Protocol):
    """What a person at work wants first."""

    def today(self, day: date) -> TodayView:
        """What was recorded on that day."""

    def open_sheets(self) -> int:
        """How many sheets are open."""

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """The ids of the open sheets that this user opened or recorded on, the latest first.

        Those are among the last ``OPENED_BY_PERSON`` that the user opened and those of the last ``RECORDED_BY_PERSON``
        details.
        """

    def longest_open(self, admitted_by: date) -> list[LongOpenSheet]:
        """The ``OLDEST_OPEN`` open sheets of the oldest admissions up to that day, the oldest first."""

    def zero_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """That day's details with quantity zero, the latest first."""

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[DetailOfToday]:
        """Those of the day's last ``LATEST_OF_TODAY`` details that are far out, the latest first."""

    def without_price(self, *, most: int) -> list[ProductNameView]:
        """Active products without a price, by name."""

    def recalled(self, *, most: int) -> tuple[list[RecalledUseView], int]:
        """What was used although it was recalled and nobody has seen, the latest first, and how many there are."""

    def late(self, *, most: int) -> list[LateSheetView]:
        """The sheets with late entries on which nobody has decided, those first that wait longest."""

    def unlisted(self, *, most: int) -> tuple[list[UnlistedSheetView], int]:
        """The sheets with open unlisted items, those first that wait longest, and how many there are."""

    def discharges(self, *, most: int) -> list[DischargeView]:
        """Open sheets that the hospital's system discharged, those first that wait longest."""

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Those open sheets, by id."""


class MessagesView(Protocol):
    """The messages that came in."""

    def some(self, state: InboundState | None, *, after: int | None, most: int) -> list[InboundMessage]:
        """The latest, or those in that state: what is held the oldest first. ``after``: those behind that one."""

    def held(self, received_before: datetime | None = None) -> int:
        """How many are held, of those that came before that moment."""

    def one(self, id: int) -> InboundMessage | None: ...


class InconsistencyKind(StrEnum):
    """What may be wrong with an account."""

    # The sheet's total is not the sum of what counts.
    TOTAL = "total"
    # A line was recorded after the sheet was closed.
    AFTER_CLOSING = "after_closing"
    # What came back of a line is not what its returns tell.
    RETURNED = "returned"
    # What a closing froze does not come to its total, or the closed sheet to another one.
    CLOSING = "closing"
    # What was charged does not come to the closing that it was charged for; or the sheet is gone, and charges stand.
    CHARGED = "charged"


class Inconsistency(NamedTuple):
    """What does not add up on a sheet: what it should come to, and what it does."""

    kind: InconsistencyKind
    sheet_id: int
    detail_id: int | None
    expected: Decimal | None
    found: Decimal | None


class DoubtfulPack(NamedTuple):
    """A detail whose ``lot`` or ``serial``, as ``field`` tells, is a record number without its first two digits."""

    sheet_id: int
    detail_id: int
    field: str


class Views(Protocol):
    """All that can be read."""

    @property
    def sheets(self) -> NamedReader[SheetView, SheetQuery]: ...
    @property
    def details(self) -> DetailsReader[DetailView]: ...
    @property
    def exported_details(self) -> DetailsReader[ExportedDetailView]: ...
    @property
    def products(self) -> ProductsReader: ...
    @property
    def categories(self) -> View[CategoryView, ListQuery]: ...
    @property
    def areas(self) -> View[AreaView, ListQuery]: ...
    @property
    def recalls(self) -> View[RecallView, RecallQuery]: ...
    @property
    def packs(self) -> Packs: ...
    @property
    def patient_numbers(self) -> PatientNumbers: ...
    @property
    def rooms(self) -> View[RoomView, RoomQuery]: ...
    @property
    def patients(self) -> NamedReader[PatientView, PatientQuery]: ...
    @property
    def staff(self) -> View[StaffView, StaffQuery]: ...
    @property
    def users(self) -> View[UserView, UserQuery]: ...
    @property
    def audit(self) -> View[AuditView, AuditQuery]: ...
    @property
    def imports(self) -> View[ImportView, ListQuery]: ...
    @property
    def kits(self) -> View[KitView, KitQuery]: ...
    @property
    def outbound_messages(self) -> View[OutboundMessageView, OutboundMessageQuery]: ...
    @property
    def consumption(self) -> ConsumptionReports: ...
    @property
    def overview(self) -> Overview: ...

    @property
    def inbound_messages(self) -> MessagesView: ...
    @property
    def closings(self) -> ClosingsReader: ...
    @property
    def usual_products(self) -> UsualProducts: ...
    @property
    def summaries(self) -> Summaries: ...

    def inconsistencies(self) -> Iterator[Inconsistency]:
        """All that does not add up. Whatever is kept is looked at."""

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """The details that count for whose lot or serial number a wristband was probably scanned."""

    def catalogue_version(self) -> int:
        """At which version the catalogue is: it grows with every change of a product, its codes, a kit or an area."""

    def catalogue(self) -> CatalogueView:
        """The catalogue as it is now."""

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """The open unlisted items of that sheet, in the order of their use."""

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """At which version that sheet is."""

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """What the audit log tells of the product's price, the latest first."""

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """What the things with those ids are called, by the field that refers to them.

        The fields are product_id, category_id, staff_id, area_id, room_id, patient_id and kit_id; user_id for the name
        on a user's profile and account_id for the email, even of one who was deleted; sheet_id for the sheet's patient;
        and detail_id for the product of a detail, even of one that was deleted. What is no more has no name.
        """

    def last_changes(self, entity: str, ids: Collection[int]) -> dict[int, datetime]:
        """When each of those things was last changed, as the audit log tells; what was before it is not told."""

    def changed(self, entity: str, since: datetime, until: datetime | None, *, behind: int, most: int) -> list[int]:
        """The ids behind that one of what was changed since then and before ``until``, by id."""

    def patients_numbered(self, number: str) -> dict[int, int]:
        """The patients whose record number that is or was, each with the one who goes on in its place."""

    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Who acts in that session; None once it has ended."""

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """The sessions of that user that have not ended, the oldest first."""

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Who acts by the key with that digest; None where there is none, or it works no more."""

    def service_accounts(self) -> list[ServiceAccountView]:
        """The accounts of programs in use, by name, each with its keys, the latest first."""

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """The keys that were not revoked and expire before that moment, the first to expire first."""


Read = Callable[[], AbstractContextManager[Views]]
"""Opens what can be read, outside any unit of work. May raise ``StoreUnavailable``.

What takes long or goes through everything is read by another one, ``read_for_reports``: it takes nothing away from
those who are at work, and may be a moment behind them.
"""
