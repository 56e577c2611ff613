"""Closed months, as they are stored and as they are shown."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, NamedTuple, TypedDict

from application.common.redaction import Price, Redacted
from domain.sheets.month_change import MonthChangeKind


class FiguresView(TypedDict):
    """Sums of lines.

    ``value`` is price times quantity, also of lines that are not charged.
    """

    lines: int
    quantity: Decimal
    returned: Decimal
    total: Price
    value: Price


class MonthRow(FiguresView):
    """Figures of a product in an area, with the names that it had.

    ``part`` is that of reports.
    """

    area_id: int | None
    area: str | None
    product_id: int
    product: str
    code: str | None
    unit: str | None
    category_id: int
    category: str
    unbilled: Annotated[str | None, Redacted.FIELD]
    use_reason: str | None
    part: str


class MonthDay(FiguresView):
    """Figures of a day in an area."""

    area_id: int | None
    day: date


class SheetSums(TypedDict):
    """Sheets with patients' lines of the month, and the total of those lines."""

    sheets: int
    total: Price


class MonthAccounts(TypedDict):
    """Patients' lines on closed and open sheets, and what was charged."""

    closed: SheetSums
    open: SheetSums
    charged: Price
    charged_open: Price


class MonthFigures(TypedDict):
    """Everything that a closing freezes.

    ``change_ids`` are the changes that it contains.
    """

    rows: list[MonthRow]
    days: list[MonthDay]
    accounts: MonthAccounts
    change_ids: list[int]
    changes_total: Price


class ChangeSums(NamedTuple):
    """Number and total of changes."""

    changes: int
    total: Price


class MonthPartsView(TypedDict):
    """Figures of the three parts of all use."""

    treatment: FiguresView
    area: FiguresView
    wasted: FiguresView


class NamedFiguresView(FiguresView):
    """Figures of an area, a category or a product, with the name that it had."""

    id: int | None
    name: str | None
    code: str | None
    unit: str | None


class DayFiguresView(FiguresView):
    """Figures of a day."""

    day: date


class FrozenMonth(TypedDict):
    """What is shown of a month as it was closed.

    Without an area it is the hospital's.
    """

    format: int
    month: date
    area_id: int | None
    area: str | None
    by: str
    sums: MonthPartsView
    products: list[NamedFiguresView]
    areas: list[NamedFiguresView]
    categories: list[NamedFiguresView]
    by_day: list[DayFiguresView]
    accounts: MonthAccounts
    change_ids: list[int]
    changes_total: Price


class MonthDocument(FrozenMonth):
    """A month as it was closed: what is shown, and the figures that it sums."""

    rows: list[MonthRow]
    days: list[MonthDay]


class MonthAccountsView(MonthAccounts):
    """What is charged, and what is not. Charges are null where none are sent."""

    charged: Price | None  # type: ignore[misc]
    charged_open: Price | None  # type: ignore[misc]
    unsent: Price | None


class MonthChangeView(FiguresView):
    """A change of a line in a later month than its use, in signed figures."""

    day: date
    at: datetime
    by: str
    kind: MonthChangeKind
    sheet_id: int
    detail_id: int
    product: str


class MonthChangesView(TypedDict):
    """Changes, the first one first, with their number and total.

    Only files have more than 1,000 ``items``.
    """

    count: int
    total: Price
    items: list[MonthChangeView]


class MonthAreaView(TypedDict):
    """An area, with the name that it had."""

    id: int
    name: str | None


class MonthVersionView(TypedDict):
    """A version of a closed month. Its number is its ``id``."""

    id: int
    turn: int
    at: datetime
    total: Price


class MonthView(TypedDict):
    """A closed month, what changed since, and what it changed of earlier ones.

    ``proof`` is the text in the symbol of its paper. ``versions`` are all closings of this month, the first one first.
    """

    id: int
    versions: list[MonthVersionView]
    proof: str | None
    area: MonthAreaView | None
    month: str
    turn: int
    at: datetime
    by: str
    total: Price
    sums: MonthPartsView
    accounts: MonthAccountsView
    products: list[NamedFiguresView]
    areas: list[NamedFiguresView]
    categories: list[NamedFiguresView]
    days: list[DayFiguresView]
    changes: MonthChangesView
    made_here: MonthChangesView


class MonthSummaryView(TypedDict):
    """A month of a list: its last closing, and the sum of the changes since."""

    month: str
    id: int | None
    turn: int
    at: datetime | None
    by: str | None
    total: Price | None
    changes: int
    changes_total: Price
    may_close: bool


class PrintedMonthView(TypedDict):
    """A closed month for printing, with the changes until then."""

    month: MonthView
    printed_at: datetime


class MonthsView(TypedDict):
    """The latest months, the latest one first."""

    items: list[MonthSummaryView]
