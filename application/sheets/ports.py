"""Read totals, usual products and closings of sheets."""

from collections.abc import Collection, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol, TypeVar

from application.catalogue.views import KitProductView, ProductView
from application.common.views import View
from application.sheets.area_views import AreaPageView, AreaSheetView
from application.sheets.detail_views import DetailQuery, DetailView, RepeatableLineView
from application.sheets.notice_views import NoticeView
from application.sheets.summary_views import IncompleteImplantView, SheetDocument, SummaryLineView
from domain.catalogue.usual_products import UsualNumbers
from domain.sheets.missed_charges import ProductPair
from domain.sheets.summary import DayCategorySubtotal


class IncompleteLine(NamedTuple):
    """A line without quantity or price, or an implant that cannot be traced.

    A line without price costs nothing because its product had no price. An ``implant`` is given if its lot or serial
    number is missing.
    """

    view: SummaryLineView
    without_quantity: bool
    without_price: bool
    implant: IncompleteImplantView | None


class SheetTotals(NamedTuple):
    """The subtotals of a sheet by day and category, with stay and version."""

    version: int
    admission_date: date
    closed_at: datetime | None
    portions: list[DayCategorySubtotal]


class Summaries(Protocol):
    """Totals of sheets."""

    def totals(self, sheet_id: int) -> SheetTotals | None:
        """Return the totals of a sheet; None if it does not exist."""

    def days(self, sheet_id: int) -> list[date]:
        """Return the days of use on a sheet, the oldest first."""

    def products(self, sheet_id: int, day: date | None) -> list[RepeatableLineView]:
        """Return the quantity used of each active product, the first used first.

        Without a ``day`` all days count. Products whose quantity adds up to zero are left out.
        """

    def incomplete_lines(self, sheet_id: int) -> list[IncompleteLine]:
        """Return the incomplete lines, the oldest first."""

    def far_out_lines(self, sheet_id: int, ask_above_total: Decimal | None) -> list[SummaryLineView]:
        """Return the far-out lines, the oldest first.

        ``domain.sheets.anomalies`` defines them.
        """


class AreaSheets(Protocol):
    """The pages of areas."""

    def version(self, sheet_id: int) -> int | None:
        """Return the version of a page; None if it does not exist."""

    def one(self, sheet_id: int) -> AreaSheetView | None:
        """Return a page with its days and their value."""

    def of_area(self, area_id: int, *, before: int | None, most: int) -> list[AreaPageView]:
        """Return the pages of an area, the latest first.

        ``before`` limits them to smaller ids.
        """


# How many of the latest details, and of the latest sheets of a room, of an area and details of a sheet, are considered
# for usual products.
LATEST_OF_PERSON = 60
LATEST_OF_ROOM = 3
LATEST_OF_AREA = 40
LATEST_OF_SHEET = 25
# How many of the latest pages of an area are considered there.
LATEST_PAGES = 2


class SheetPlace(NamedTuple):
    """The area of a sheet: that of the patient's room, or that of the page."""

    area_id: int
    is_page: bool


class UsualProducts(Protocol):
    """The products that are recorded most often.

    Queries only read the latest details, so their cost does not grow with the data.
    """

    def place_of(self, sheet_id: int) -> SheetPlace | None:
        """Return the area of a sheet, or None if there is no sheet."""

    def pinned(self, user_id: int, *, most: int) -> list[ProductView]:
        """Return the active products that the user pinned, in that order."""

    def of_person(self, user_id: int, *, is_page: bool, most: int) -> list[ProductView]:
        """Return the active products that the user recorded, the latest first.

        Only the last ``LATEST_OF_PERSON`` details of patients count, or of areas for a page.
        """

    def of_area(self, place: SheetPlace, *, most: int) -> list[ProductView]:
        """Return the active products that are most frequent in the area.

        The last ``LATEST_OF_SHEET`` details of each of the ``LATEST_OF_AREA`` newest sheets count, and of each room
        only the ``LATEST_OF_ROOM`` newest sheets. For a page, those of the last ``LATEST_PAGES`` pages count. If two
        are equally frequent, the one that was recorded last comes first.
        """

    def active(self, ids: Iterable[int]) -> list[ProductView]:
        """Return the active products among these."""

    def numbers(self, user_id: int, area_id: int) -> UsualNumbers | None:
        """Return the stored numbers of a user in an area."""

    def quantities(self, product_id: int, *, most: int) -> list[Decimal]:
        """Return the quantities of the product's latest details.

        The latest comes first.
        """


class SheetProducts(NamedTuple):
    """The distinct products on a sheet.

    Voided lines and those that were returned completely do not count.
    """

    sheet_id: int
    closed_at: datetime | None
    products: tuple[int, ...]
    is_page: bool = False


class NamedPair(NamedTuple):
    """A learned pair, with its active second product and the first one's name."""

    pair: ProductPair
    product: KitProductView
    because: str


class MissedChargesReader(Protocol):
    """Reads the products that sheets have together."""

    def on_sheet(self, sheet_id: int) -> SheetProducts | None:
        """Return the products on a sheet; None if it does not exist."""

    def pairs(self, because_ids: Collection[int]) -> list[NamedPair]:
        """Return the pairs of these first products; inactive ones are left out."""

    def answers(self, sheet_id: int) -> dict[int, bool]:
        """Return by missing product whether it was used, as users answered."""

    def closed_sheets(self, since: datetime, before: SheetProducts | None, *, most: int) -> list[SheetProducts]:
        """Return sheets that were closed since a moment, the latest first.

        ``before`` is the last one of the previous call.
        """


class ClosingSummary(NamedTuple):
    """A closing without its document."""

    turn: int
    closed_at: datetime
    user_id: int | None
    total: Decimal
    lines: int


class FrozenClosing(NamedTuple):
    """A closing with its digest.

    ``digest`` was stored with the closing, or later by the backfill; ``found_digest`` is that of the document as it is
    stored now. Both are None before the backfill.
    """

    turn: int
    closed_at: datetime
    digest: str | None
    found_digest: str | None
    document: SheetDocument


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

    def closed_by(self, sheet_id: int) -> int | None:
        """Return the user who made the closing in force, if that is known."""

    def document(self, sheet_id: int, turn: int | None) -> SheetDocument | None:
        """Return the document of a closing.

        Without a ``turn`` it is the one in force. An open sheet has none.
        """

    def frozen(self, sheet_id: int, turn: int | None) -> FrozenClosing | None:
        """Return a closing with its digest.

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


DetailT = TypeVar("DetailT", bound=DetailView)


class DetailsReader(View[DetailT, DetailQuery], Protocol[DetailT]):
    def by_ids(self, ids: Collection[int]) -> list[DetailT]:
        """Return the details with these ids, by id. Voided ones are included."""


class UnseenNotices(Protocol):
    """Reads what others changed on a user's lines."""

    def unseen_notices(self, user_id: int, *, most: int) -> list[NoticeView]:
        """Return the user's unseen notices, the latest first."""
