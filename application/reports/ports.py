"""Read reports of consumption, and what does not add up."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol

from application.reports.month_views import ChangeSums, MonthFigures
from application.reports.views import ConsumptionQuery, ConsumptionRowView, ConsumptionSumsView, DividedSumsView
from domain.sheets.figures import Figures
from domain.sheets.month_change import MonthChange


class ReportPage(NamedTuple):
    """A page of rows, the number of all rows, and their sums."""

    rows: list[ConsumptionRowView]
    all_rows: int
    sums: DividedSumsView
    previous: ConsumptionSumsView | None


class RecordedProduct(NamedTuple):
    """What was recorded of a product: three parts, less what was ``returned``.

    Together they are the quantity that counts, ``recorded``.
    """

    product_id: int
    name: str
    code: str | None
    unit: str | None
    treatment: Decimal
    area_use: Decimal
    wasted: Decimal
    returned: Decimal
    recorded: Decimal


class ConsumptionReports(Protocol):
    """Adds up consumption. The query must have a period and an order.

    If it has a ``previous`` period, which ends when the other one begins, rows and sums have those of both. Then it is
    not grouped by time. Grouped by shift, it must have ``shifts``.
    """

    def report(self, query: ConsumptionQuery) -> ReportPage:
        """Return the requested page, with the sums of all rows."""

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Return all rows, ignoring page and limit."""

    def recorded_in(self, area_id: int, since: date, until: date) -> Iterator[RecordedProduct]:
        """Return what was recorded in an area, by product."""

    def patient_days(self, since: date, until: date, area_id: int | None) -> int:
        """Return the number of patient-days of a period, in the rooms of an area."""


class MonthFiguresReader(Protocol):
    """Figures of months, and the changes that were made to them later.

    Without an area they are the hospital's.
    """

    def read(self, first: date, last: date, area_id: int | None) -> MonthFigures:
        """Return everything that a closing freezes, as it is at one moment."""

    def changes_of(self, first: date, last: date, area_id: int | None) -> list[MonthChange]:
        """Return the changes of lines that were used in a month."""

    def changes_made_in(self, first: date, last: date, area_id: int | None) -> list[MonthChange]:
        """Return the changes of earlier months that were made in a month."""

    def change_sums(self, first: date, last: date, area_id: int | None) -> Mapping[date, ChangeSums]:
        """Return number and total of the changes of each month, by its first day.

        It is the month of use. Months without changes are left out.
        """


class InconsistencyKind(StrEnum):
    """The kinds of inconsistencies."""

    # The sheet's total is not the sum of the lines that count.
    TOTAL = "total"
    # A line was recorded after the sheet was closed.
    AFTER_CLOSING = "after_closing"
    # A line that is not billed has a total.
    UNBILLED = "unbilled"
    # A line on the page of an area is charged, or lacks its area or reason; or one of a patient is like those.
    AREA_LINE = "area_line"
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


class MonthDifference(NamedTuple):
    """Figures of a closed month that are not the report's, with its changes.

    A server of an earlier version changed lines without noting it, or the database was changed by hand.
    """

    document_id: int
    month: date
    area_id: int | None
    product_id: int
    expected: Figures
    found: Figures


class DoubtfulPack(NamedTuple):
    """A detail whose pack data was probably scanned from a wristband.

    Its ``field``, ``lot`` or ``serial``, is a record number without its first two digits.
    """

    sheet_id: int
    detail_id: int
    field: str
