"""Views of reports and of the home page."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NotRequired, TypedDict, get_type_hints

from application.common.paging import ListQuery, Meta
from application.common.redaction import Price, Redacted
from application.sheets.used_for import UsedFor
from domain.ward.shift import Shifts


class ConsumptionBy(StrEnum):
    """What a report groups the consumption of a period by."""

    DAY = "day"
    MONTH = "month"
    SHIFT = "shift"
    AREA = "area"
    ROOM = "room"
    CATEGORY = "category"
    PRODUCT = "product"
    STAFF = "staff"
    PATIENT = "patient"
    USE_REASON = "use_reason"


class PartSumsView(TypedDict):
    """Sums of consumption: number of details, quantity and total."""

    details: int
    quantity: Decimal
    total: NotRequired[Price]


class PartsView(TypedDict):
    """The three parts of sums, which add up to them.

    Details that were thrown away are only in ``wasted``, both of patients and of areas.
    """

    treatment: PartSumsView
    area: PartSumsView
    wasted: PartSumsView


class ConsumptionSumsView(PartSumsView):
    """Sums of consumption. ``value`` is price times quantity, charged or not.

    Reports of patients have no ``value``.
    """

    value: NotRequired[Price]


# The sums that reports of patients lack.
EXTRA_SUMS = tuple(name for name in get_type_hints(ConsumptionSumsView) if name not in get_type_hints(PartSumsView))


class DividedSumsView(ConsumptionSumsView):
    """Sums with their parts, if the report has all that was used."""

    parts: NotRequired[PartsView]


class Compare(StrEnum):
    """What a report is compared with."""

    PREVIOUS = "previous"


class PeriodSumsView(ConsumptionSumsView):
    """Sums of a period, with its number of patient-days."""

    patient_days: int


class ConsumptionTotalsView(PeriodSumsView):
    """Sums of a report, and those of the period before, if it is compared."""

    previous: NotRequired[PeriodSumsView]
    parts: NotRequired[PartsView]


class ConsumptionRowView(DividedSumsView):
    """The consumption of one day, month, shift, area and so on.

    ``key`` is the day, the month (YYYY-MM), the number of the shift, the reason of use or the id as text. Days, months,
    shifts and reasons have no ``id``. ``key``, ``id`` and ``name`` are empty on the row of details without an area,
    room, staff member or reason.
    ``category_code`` is only set for categories and users who see prices, ``code`` and ``unit`` for products,
    ``record_number`` for patients. ``previous`` is the consumption in the period before, if the report is compared: of
    the day or month at the same place in it, and otherwise of the same thing.
    """

    key: str
    id: int | None
    name: str | None
    category_code: NotRequired[Annotated[str, Redacted.FIELD]]
    code: NotRequired[str | None]
    unit: NotRequired[str | None]
    record_number: NotRequired[str | None]
    previous: NotRequired[ConsumptionSumsView]


# ``from`` is a keyword in Python.
PeriodView = TypedDict("PeriodView", {"from": date, "to": date})
PeriodView.__doc__ = "A period; both days count."


class ConsumptionPage(TypedDict):
    """A page of a consumption report. ``sums`` are those of all rows.

    ``previous_period`` is the period before, if the report is compared with it.
    """

    by: ConsumptionBy
    period: PeriodView
    previous_period: NotRequired[PeriodView]
    sums: ConsumptionTotalsView
    items: list[ConsumptionRowView]
    meta: Meta


class ConsumptionReportView(TypedDict):
    """A consumption report for printing, with all rows.

    ``area`` is the filter, if there is one. ``returns`` means that the report is about returned supplies.
    """

    by: ConsumptionBy
    returns: bool
    used_for: UsedFor
    period: PeriodView
    previous_period: NotRequired[PeriodView]
    area: str | None
    sums: ConsumptionTotalsView
    items: list[ConsumptionRowView]
    printed_by: str
    printed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumptionQuery(ListQuery):
    """A query for a consumption report.

    It adds up the consumption from ``since`` to ``until``, grouped ``by`` a property. ``returns`` selects the returns
    on those days instead, whenever the supplies were used. ``used_for`` selects for whom. ``compare`` adds the period
    before. The use case sets ``previous`` and ``shifts``.
    """

    by: ConsumptionBy = ConsumptionBy.DAY
    since: date | None = None
    until: date | None = None
    area_id: int | None = None
    product_id: int | None = None
    returns: bool = False
    used_for: UsedFor = UsedFor.PATIENTS
    compare: Compare | None = None
    previous: tuple[date, date] | None = None
    shifts: Shifts | None = None

    @property
    def period(self) -> tuple[date, date]:
        """Return the first and the last day, which the use case has set."""
        assert self.since is not None
        assert self.until is not None
        return self.since, self.until


CONSUMPTION_SORTS = frozenset({"key", "name", "details", "quantity", "total"})
