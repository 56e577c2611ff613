"""Views: read-only queries in the shape of the answers."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from application.audit.audit_log import Changes
from application.entities import EntityKind
from application.paging import ListQuery, Page
from application.ports.identity import ActiveKey, ActiveSession, Session
from application.views.audit import AuditQuery, AuditView, ImportView
from application.views.catalogue import (
    AreaView,
    CatalogueView,
    CategoryView,
    KitQuery,
    KitView,
    ProductNameView,
    ProductQuery,
    ProductView,
    RecallInForceView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomView,
    SerialUsedView,
    UnknownCodeView,
)
from application.views.details import DetailQuery, DetailView, ExportedDetailView, RepeatableLineView
from application.views.messages import OutboundMessageQuery, OutboundMessageView
from application.views.people import PatientQuery, PatientView, StaffQuery, StaffView
from application.views.reports import (
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionRowView,
    RecalledUseView,
    SheetAtWorkView,
    TodayView,
)
from application.views.sheets import (
    DischargeView,
    LateSheetView,
    ScannedPersonView,
    SheetQuery,
    SheetView,
    UnlistedSheetView,
)
from application.views.summaries import SheetDocument, SummaryLineView
from application.views.users import ExpiringKeyView, ServiceAccountView, UserQuery, UserView
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.summary import DayCategorySubtotal
from domain.unlisted_item import UnlistedItem

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery, contravariant=True)
DetailT = TypeVar("DetailT", bound=DetailView)


class View(Protocol[Item, Query]):
    """Reads one kind of object as it is answered."""

    def page(self, query: Query) -> Page[Item]: ...

    def one(self, id: int) -> Item | None: ...


class DetailsReader(View[DetailT, DetailQuery], Protocol[DetailT]):
    def by_ids(self, ids: Collection[int]) -> list[DetailT]:
        """Return the details with these ids, by id. Voided ones are included."""


class ProductsReader(View[ProductView, ProductQuery], Protocol):
    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Return products with similar names, the best match first.

        Only products that match the filters are searched.
        """


class NamedReader(View[Item, Query], Protocol[Item, Query]):
    """Reads patients, or sheets by their patients."""

    def names(self, query: Query) -> Iterable[tuple[int, str]]:
        """Return the folded names of all items that match the filters, by id.

        For sheets, only open ones are included, and the room follows the name.
        """


class KnownCode(NamedTuple):
    """A product that a code may mean, with the code's system and units."""

    product: ProductView
    system: str
    units: Decimal
    label: str | None


class Packs(Protocol):
    """Products by their codes, and the history of packs."""

    def known(
        self, *, gtin: str | None, hibc: Collection[str], code: str | None, any_code: str | None
    ) -> list[KnownCode]:
        """Return the products with one of these codes.

        ``gtin`` has 14 digits. ``code`` is the hospital's code, ``any_code`` one of any system.
        """

    def recall(self, product_id: int, lot_key: str | None) -> RecallInForceView | None:
        """Return the recall in force that covers the pack."""

    def serial_used(self, product_id: int, serial: str | None) -> SerialUsedView | None:
        """Return where that serial number of the product was used."""

    def unknown(self, *, most: int) -> list[UnknownCodeView]:
        """Return scanned codes without a product, the latest first.

        A patient's number is never among them.
        """


class NumberOwner(NamedTuple):
    """The owner of a number: a patient, or a sheet of that patient."""

    patient_id: int
    sheet_id: int | None


class PatientNumbers(Protocol):
    """Finds patients by scanned numbers and labels.

    For a merged patient the surviving one is returned.
    """

    def owners_of(self, number: str) -> list[NumberOwner]:
        """Return the owners of a record, former or visit number.

        Case is ignored.
        """

    def having_code(self, code: str) -> list[NumberOwner]:
        """Return the owners of a record number written without separators.

        See ``domain.patient.number_code``.
        """

    def of_sheet(self, sheet_id: int) -> list[NumberOwner]:
        """Return the patient of a sheet."""

    def people(self, owners: Collection[NumberOwner]) -> list[ScannedPersonView]:
        """Return these patients, each once, by id."""


class PriceChange(NamedTuple):
    """A price of a product since a moment, and the user who set it.

    ``before`` is None for the first price.
    """

    at: datetime
    user_id: int | None
    imported: bool
    before: Decimal | None
    after: Decimal


class IncompleteLine(NamedTuple):
    """A line without quantity or without price.

    The latter costs nothing because its product had no price.
    """

    view: SummaryLineView
    without_quantity: bool
    without_price: bool


class Summaries(Protocol):
    """Totals of sheets."""

    def portions(self, sheet_id: int) -> tuple[int, list[DayCategorySubtotal]] | None:
        """Return the version of a sheet and its subtotals per day and category.

        None if the sheet does not exist.
        """

    def days(self, sheet_id: int) -> list[date]:
        """Return the days of use on a sheet, the oldest first."""

    def products(self, sheet_id: int, day: date | None) -> list[RepeatableLineView]:
        """Return the quantity used of each active product, the first used first.

        Without a ``day`` all days count. Products whose quantity adds up to zero are left out.
        """

    def incomplete_lines(self, sheet_id: int) -> list[IncompleteLine]:
        """Return the lines without quantity or price, the oldest first."""


# How many of the latest details, and of the latest sheets of a room, of an area and details of a sheet, are considered
# for usual products.
LATEST_OF_PERSON = 60
LATEST_OF_ROOM = 3
LATEST_OF_AREA = 40
LATEST_OF_SHEET = 25


class UsualProducts(Protocol):
    """The products that are recorded most often.

    Queries only read the latest details, so their cost does not grow with the data.
    """

    def area_of(self, sheet_id: int) -> int | None:
        """Return the area of the sheet's room, or None if there is no sheet."""

    def pinned(self, user_id: int, *, most: int) -> list[ProductView]:
        """Return the active products that the user pinned, in that order."""

    def of_person(self, user_id: int, *, most: int) -> list[ProductView]:
        """Return the active products that the user recorded, the latest first.

        Only the last ``LATEST_OF_PERSON`` details count.
        """

    def of_area(self, area_id: int, *, most: int) -> list[ProductView]:
        """Return the active products that are most frequent in the area.

        The last ``LATEST_OF_SHEET`` details of each of the ``LATEST_OF_AREA`` newest sheets count, and of each room
        only the ``LATEST_OF_ROOM`` newest sheets. If two are equally frequent, the one that was recorded last comes
        first.
        """

    def quantities(self, product_id: int, *, most: int) -> list[Decimal]:
        """Return the quantities of the product's latest details.

        The latest comes first.
        """


class ClosingSummary(NamedTuple):
    """A closing without its document."""

    turn: int
    closed_at: datetime
    user_id: int | None
    total: Decimal
    lines: int


class ClosingRecord(NamedTuple):
    """A closing with its document.

    ``patient_id`` is the current patient of the sheet, which a merge may have changed since. ``replaced_at`` is the
    time when its sheet was closed again, or None for the last closing.
    """

    sheet_id: int
    patient_id: int
    turn: int
    closed_at: datetime
    replaced_at: datetime | None
    reopened: bool
    document: SheetDocument


class ClosingsReader(Protocol):
    """Reads closings."""

    def of_sheet(self, sheet_id: int) -> list[ClosingSummary]:
        """Return the closings of a sheet, the first one first."""

    def document(self, sheet_id: int, turn: int | None) -> SheetDocument | None:
        """Return the document of a closing.

        Without a ``turn`` it is the one in force. An open sheet has none.
        """

    def after(
        self,
        sheet_id: int,
        turn: int,
        *,
        most: int,
        patient_id: int | None = None,
        sheet_ids: Collection[int] | None = None,
    ) -> list[ClosingRecord]:
        """Return the closings after a sheet id and number, in that order.

        They are those of one patient's sheets, of these sheets, or of all.
        """


class Tracked(NamedTuple):
    """The changes that change how an entity is reported to other systems.

    They are those of its own ``fields`` (all if there are none), and those of the fields of ``related`` entities that
    its report repeats, such as the name of a product.
    """

    kind: EntityKind
    fields: tuple[str, ...] = ()
    related: tuple[tuple[EntityKind, tuple[str, ...]], ...] = ()


class Deletion(NamedTuple):
    """The deletion of an entity: when, and what it was."""

    at: datetime
    changes: Changes


class ConsumptionReports(Protocol):
    """Adds up consumption. The query must have a period and an order."""

    def report(self, query: ConsumptionQuery) -> ConsumptionPage:
        """Return the requested page, with the sums of all rows."""

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Return all rows, ignoring page and limit."""


class LongOpenSheet(NamedTuple):
    """An open sheet with its admission and the time of the last detail."""

    id: int
    admission_date: date
    last_recorded_at: datetime | None


class DetailOfToday(NamedTuple):
    """A detail of today on an open sheet.

    ``usual`` is the usual quantity of the product, if the query includes it.
    """

    id: int
    sheet_id: int
    product: ProductNameView
    quantity: Decimal
    usual: Decimal | None


# How far back the overview looks. Its queries only read the latest data, so their cost does not grow with the data.
RECORDED_BY_PERSON = 300
OPENED_BY_PERSON = 50
OLDEST_OPEN = 200

LATEST_OF_TODAY = 100


class Overview(Protocol):
    """Reads the data of the home page."""

    def today(self, day: date) -> TodayView:
        """Return the figures of a day."""

    def open_sheets(self) -> int:
        """Return the number of open sheets."""

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """Return the open sheets on which the user works, the latest first.

        They are those among the last ``OPENED_BY_PERSON`` sheets that the user opened, and those of the last
        ``RECORDED_BY_PERSON`` details.
        """

    def oldest_open(self, admitted_by: date) -> list[LongOpenSheet]:
        """Return the ``OLDEST_OPEN`` open sheets with the oldest admissions.

        Admissions after ``admitted_by`` are left out. The oldest comes first.
        """

    def zero_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """Return the day's details with quantity zero, the latest first."""

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[DetailOfToday]:
        """Return the day's far-out details, the latest first.

        Only the last ``LATEST_OF_TODAY`` details of the day are checked.
        """

    def without_price(self, *, most: int) -> list[ProductNameView]:
        """Return active products without a price, by name."""

    def recalled(self, *, most: int) -> tuple[list[RecalledUseView], int]:
        """Return unacknowledged uses of recalled lots, and their number.

        The latest comes first.
        """

    def late(self, *, most: int) -> list[LateSheetView]:
        """Return the sheets with undecided late entries, the longest wait first."""

    def unlisted(self, *, most: int) -> tuple[list[UnlistedSheetView], int]:
        """Return the sheets with open unlisted items, and their number.

        The longest wait comes first.
        """

    def discharges(self, *, most: int) -> list[DischargeView]:
        """Return open sheets of discharged patients, the longest wait first."""

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return these open sheets, by id."""


class MessagesView(Protocol):
    """Reads inbound messages."""

    def page(self, state: InboundState | None, *, after: int | None, most: int) -> list[InboundMessage]:
        """Return the latest messages, or those in one state.

        Held messages are sorted oldest first. ``after`` is the id of the last message of the previous page.
        """

    def held(self, received_before: datetime | None = None) -> int:
        """Return the number of held messages received before that moment."""

    def one(self, id: int) -> InboundMessage | None: ...


class InconsistencyKind(StrEnum):
    """The kinds of inconsistencies."""

    # The sheet's total is not the sum of the lines that count.
    TOTAL = "total"
    # A line was recorded after the sheet was closed.
    AFTER_CLOSING = "after_closing"
    # The returned quantity of a line is not the sum of its returns.
    RETURNED = "returned"
    # The lines in a closing do not add up to its total, or the closed sheet has another total.
    CLOSING = "closing"
    # The charges do not add up to the closing that caused them, or the sheet was deleted and charges remain.
    CHARGED = "charged"


class Inconsistency(NamedTuple):
    """A value on a sheet that does not add up."""

    kind: InconsistencyKind
    sheet_id: int
    detail_id: int | None
    expected: Decimal | None
    found: Decimal | None


class DoubtfulPack(NamedTuple):
    """A detail whose pack data was probably scanned from a wristband.

    Its ``field``, ``lot`` or ``serial``, is a record number without its first two digits.
    """

    sheet_id: int
    detail_id: int
    field: str


class Views(Protocol):
    """Everything that can be read."""

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
        """Find all inconsistencies by checking all stored data."""

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Find valid details whose lot or serial is probably from a wristband."""

    def catalogue_version(self) -> int:
        """Return the version of the catalogue.

        It grows with every change to a product, its codes, a kit or an area.
        """

    def catalogue(self) -> CatalogueView:
        """Return the current catalogue."""

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """Return the open unlisted items of a sheet, by time of use."""

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """Return the version of a sheet."""

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """Return the price changes in the audit log, the latest first."""

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """Return the names of entities, by the field that refers to them.

        The fields are product_id, category_id, staff_id, area_id, room_id, patient_id and kit_id. user_id gives the
        name on a user's profile. account_id gives the email, even of a deleted user. sheet_id gives the sheet's
        patient. detail_id gives the product of a detail, even of a deleted one. Other deleted entities have no name.
        """

    def last_changes(self, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return the last change of each entity, from the audit log.

        Changes from before the audit log are unknown.
        """

    def changed(
        self, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """Return ids of entities that changed in a period, in order.

        They are greater than ``behind``. Deleted entities are included.
        """

    def deletions(self, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted, by id."""

    def patients_numbered(self, number: str) -> dict[int, int]:
        """Return the patients with that current or former record number.

        Each is mapped to the surviving patient.
        """

    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Return the user of a session, or None if it has ended."""

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """Return a user's active sessions, the oldest first."""

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the program of an API key by digest, or None.

        None if there is no such key, or it is revoked or expired.
        """

    def service_accounts(self) -> list[ServiceAccountView]:
        """Return the active service accounts with their keys.

        The accounts are sorted by name, the keys by age, the latest first.
        """

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """Return unrevoked keys that expire before that moment, the soonest first."""


Read = Callable[[], AbstractContextManager[Views]]
"""Opens the views, outside any unit of work.

May raise ``StoreUnavailable``. Long reads use another one, ``read_for_reports``: it takes no resources from users at
work, and may lag behind.
"""
