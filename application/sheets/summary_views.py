"""Views of whole sheets: summaries, printed sheets, closings."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, NotRequired, TypedDict

from application.catalogue.views import CategoryView
from application.common.redaction import Price, Redacted
from application.sheets.detail_views import DetailView
from application.sheets.views import SheetView, UnlistedItemView


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
    """A line to check before the closing."""

    id: int
    product_id: int
    product_name: str
    product_code: str | None
    quantity: Decimal
    created_at: datetime


class IncompleteImplantView(SummaryLineView):
    """An implant without lot or serial number.

    ``implant_reason`` is why; without it, closing asks about the line.
    """

    lot: str | None
    serial: str | None
    implant_reason: str | None


class SheetSummaryView(TypedDict):
    """The totals of a sheet, and its lines to check before closing.

    ``days`` are the hospital days from the admission to today, or to the discharge, also those without lines
    (``domain.sheets.summary.days_without_lines``). ``recordable_from`` is the first time of use that the caller may
    record, null for any. ``version`` is the version of the sheet.
    """

    consumption_sheet_id: int
    lines: int
    total: NotRequired[Price]
    days: list[DayTallyView]
    recordable_from: datetime | None
    categories: list[CategoryTallyView]
    without_quantity: list[SummaryLineView]
    without_price: NotRequired[Annotated[list[SummaryLineView], Redacted.FIELD]]
    far_out: list[SummaryLineView]
    incomplete_implants: list[IncompleteImplantView]
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
    number of undecided late entries. ``turn`` is the number of the closing, and ``proof`` the text in its symbol, which
    tells later whether the paper equals the stored closing. Both are None for an open sheet.
    """

    late_entries: int
    reopened: bool
    printed_by: str
    printed_at: datetime
    turn: int | None
    proof: str | None


class PaperMonthView(TypedDict):
    """A closed month of an area or of the hospital, by its number."""

    id: int
    month: str
    area: str | None
    total: NotRequired[Price]


class PaperCheckView(TypedDict):
    """A paper compared with what is stored.

    ``same`` means that the paper was printed from what is stored, and that this has not changed since. ``kind`` is
    closing, document for an account, or month. ``turn`` is the version of the closing, account or month, and
    ``closed_at`` the time at which it was frozen. What is stored is the ``closing`` of ``sheet_id``, or the ``month``.
    """

    kind: str
    sheet_id: int | None
    turn: int
    closed_at: datetime
    same: bool
    closing: WholeSheetView | None
    month: PaperMonthView | None


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
