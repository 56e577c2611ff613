"""Stores of entities, including the audit log and imports."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol

from application.common.stores import Store
from application.sheets.issued_documents import Frozen, FrozenDocument, NewDocument
from application.sheets.summary_views import SheetDocument
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.product import Category, Product
from domain.catalogue.usual_products import UsualNumbers
from domain.people.staff import Staff
from domain.scanning.lot import PackHistory
from domain.sheets.anomalies import RecentDuplicate
from domain.sheets.detail import Detail, DetailReturn
from domain.sheets.missed_charges import ProductPair
from domain.sheets.month_change import MonthChange
from domain.sheets.notice import Notice
from domain.sheets.sheet import AreaSheet, Sheet
from domain.sheets.stay import Transfer


class Sheets(Store[Sheet], Protocol):
    def page_of(self, area_id: int, month: date) -> AreaSheet | None:
        """Return the last page of an area's month; ``month`` is its first day."""

    def add_page(self, page: AreaSheet) -> bool:
        """Store a new page and set its ``id``.

        Return False if another one was stored for the same area, month and part.
        """

    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """Return the sheet of a detail, locked until this unit of work ends."""

    def remove(self, sheet: Sheet) -> None:
        """Delete the sheet with its details and transfers."""


class Transfers(Protocol):
    """Transfers during stays."""

    def add(self, transfer: Transfer) -> None:
        """Store a new transfer and set its ``id``."""

    def first(self, sheet_id: int) -> Transfer | None:
        """Return the first transfer of a sheet."""

    def last(self, sheet_id: int) -> Transfer | None:
        """Return the last transfer of a sheet."""

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """Return the transfers of a sheet, the first one first."""

    def remove(self, transfer: Transfer) -> None:
        """Delete the transfer."""


class Closing(NamedTuple):
    """A frozen sheet: the ``document`` with total and number of lines.

    ``turn`` is the number of the closing on its sheet. ``user_id`` is None if it is unknown who closed the sheet.
    ``digest`` is the SHA-256 of the secret ``salt`` and the document. Both are None until the backfill, for closings
    that an earlier version stored.
    """

    sheet_id: int
    turn: int
    closed_at: datetime
    user_id: int | None
    total: Decimal
    lines: int
    document: SheetDocument
    salt: str | None = None
    digest: str | None = None


class Closings(Protocol):
    """The closings of sheets."""

    def add(self, closing: Closing) -> Closing:
        """Store a closing. Return it with the digest of its document and salt."""

    def without_digest(self, *, after: tuple[int, int], most: int) -> list[tuple[int, int]]:
        """Return sheet ids and numbers of closings without a digest, in order."""

    def add_digest(self, sheet_id: int, turn: int, salt: str) -> None:
        """Store the digest of a closing's document, unless it has one."""

    def closing_count(self, sheet_id: int) -> int:
        """Return the number of the last closing, or 0."""

    def closing_counts(self, sheet_ids: Collection[int]) -> dict[int, int]:
        """Return the number of the last closing of those that have one."""

    def missing(self, *, after: int, most: int) -> list[int]:
        """Return closed sheets after an id whose closing is not stored, by id."""


class Documents(Protocol[Frozen]):
    """Issued documents of one kind."""

    def add(self, new: NewDocument[Frozen]) -> FrozenDocument[Frozen] | None:
        """Freeze and store a document with its digest.

        Return None if the turn of what it is about was stored before.
        """


class ReferredIds(NamedTuple):
    """The ids that a detail refers to, and the pack's lot and serial.

    An id is 0 or None if the detail does not have it.
    """

    product_id: int
    staff_id: int | None
    area_id: int | None
    kit_id: int | None
    lot_key: str | None = None
    serial_key: str | None = None


class SheetSince(NamedTuple):
    """A sheet, and the time since which duplicates are searched."""

    sheet_id: int
    at: datetime


class References(NamedTuple):
    """The entities that a detail refers to; None for missing ones."""

    product: Product | None
    category: Category | None
    staff: Staff | None
    area: Area | None
    # The kit without its lines.
    kit: Kit | None = None
    # The latest detail with the same product on the sheet.
    earlier: RecentDuplicate | None = None
    pack: PackHistory = PackHistory()
    # The usual quantity of the product (``domain.sheets.anomalies``).
    usual: Decimal | None = None


class Details(Store[Detail], Protocol):
    def record(self, details: Sequence[Detail], sheet: Sheet, reserved_id: int = 0) -> None:
        """Store new details and their changed sheet, which is locked.

        The details get ids. ``reserved_id`` is that of a single detail, if one was reserved. Raise ``DuplicateEntry``
        if the same request recorded them before.
        """

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """Return all details of a sheet, the oldest first."""

    def add_return(self, returned: DetailReturn) -> None:
        """Store a return of a part of a detail."""

    def find_by_entry_digest(self, digests: Sequence[bytes]) -> list[Detail]:
        """Return details by the digests of their requests, by id.

        Voided details are included.
        """

    def first_day(self, sheet_id: int) -> date | None:
        """Return the first day of use on a sheet."""

    def references(
        self, asked: Sequence[ReferredIds], *, since: SheetSince | None = None, but: int = 0
    ) -> list[References]:
        """Read everything that details refer to, in one query, in their order.

        It includes the history of their packs, the usual quantities of the products, and possible duplicates ``since``
        a time. ``but`` is a detail that may have the same serial number.
        """

    def usual_in_areas(self, product_ids: Collection[int]) -> dict[int, Decimal]:
        """Return the usual quantities of products on the pages of areas.

        Products without one are left out.
        """


class StoredUsualNumbers(Protocol):
    """The numbers of usual products, by user and area."""

    def lock(self, user_id: int, area_id: int) -> UsualNumbers | None:
        """Return the numbers, locked; None without any.

        Others that lock them wait, also for numbers that do not exist yet.
        """

    def save(self, user_id: int, area_id: int, numbers: UsualNumbers) -> None: ...


class RecalledUses(Protocol):
    """Uses of recalled lots that supervisors have to see."""

    def add(self, detail_ids: Sequence[int]) -> None:
        """List these details until they are seen, also if they were before."""

    def acknowledge(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Mark a use as seen. Return False if it was not on the list."""


class Notices(Protocol):
    """What others changed on users' lines, for these users."""

    def add_all(self, notices: Sequence[Notice]) -> None:
        """Store new notices."""

    def mark_seen(self, user_id: int, ids: Sequence[int], at: datetime) -> None:
        """Mark unseen notices of the user as seen. Others are ignored."""

    def purge(self, before: datetime) -> None:
        """Delete the notices from before that moment."""


class MonthChanges(Protocol):
    """Changes of lines in a later month than that of their use."""

    def add_all(self, changes: Iterable[MonthChange]) -> None:
        """Store new changes."""


class MissedChargeAnswer(NamedTuple):
    """Whether a product that is missing on a sheet was used.

    ``because_id`` is the product for which it was asked about.
    """

    sheet_id: int
    product_id: int
    because_id: int
    used: bool


class MissedCharges(Protocol):
    """Learned product pairs, and the answers to questions about them."""

    def replace_pairs(self, pairs: Sequence[ProductPair], *, max_denied: int) -> None:
        """Store the learned pairs, instead of the earlier ones.

        The stored numbers of denials stay. Of the pairs that are no longer learned, those denied most often are kept.
        """

    def pair(self, because_id: int, product_id: int) -> ProductPair | None:
        """Return a pair, also one that is no longer learned."""

    def answer(self, sheet_id: int, product_id: int) -> MissedChargeAnswer | None:
        """Return the answer about a product on a sheet."""

    def count_denial(self, because_id: int, product_id: int, change: int) -> int | None:
        """Change how often a pair was denied.

        Return the number, or None if the pair is gone.
        """

    def save_answer(self, answer: MissedChargeAnswer) -> None:
        """Store an answer, instead of an earlier one about the same product."""

    def purge_answers(self, closed_before: datetime) -> None:
        """Delete the answers on sheets that were closed before a moment."""


class JobLeases(Protocol):
    """Background jobs that one of several processes runs."""

    def claim(self, job: str, at: datetime, until: datetime) -> bool:
        """Claim a job if it is due. Return whether this process runs it.

        The job is due again at ``until``, in case this process is killed.
        """

    def set_due(self, job: str, at: datetime) -> None:
        """Set when a job is due again."""
