"""Compare days or months with those of the period before."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import cast

from application.common.paging import Sort
from application.reports.views import (
    EXTRA_SUMS,
    ConsumptionBy,
    ConsumptionRowView,
    ConsumptionSumsView,
    DividedSumsView,
    PartSumsView,
    PartsView,
)
from application.sheets.used_for import Part, UsedFor
from domain.common.money import QUANTITY_STEP, ZERO


def compare_over_time(
    by: ConsumptionBy,
    present: Iterable[ConsumptionRowView],
    previous: Iterable[ConsumptionRowView],
    *,
    period: tuple[date, date],
    previous_since: date,
    used_for: UsedFor,
    sort: Sort,
) -> list[ConsumptionRowView]:
    """Return the sorted rows of both periods.

    The first day is compared with the first day, the second with the second and so on. If the period before is longer,
    its last days have no row.
    """
    key_of, place_of = _PLACES[by]
    since, until = period
    last = place_of(key_of(until, 0), since)
    before = {place_of(row["key"], previous_since): row for row in previous}
    rows = {place_of(row["key"], since): row for row in present}
    for place in before:
        if place <= last and place not in rows:
            key = key_of(since, place)
            rows[place] = cast("ConsumptionRowView", {"key": key, "id": None, "name": key, **add_up((), used_for)})
    for place, row in rows.items():
        row["previous"] = add_up_before([before[place]] if place in before else (), used_for)

    def order(row: ConsumptionRowView) -> tuple[object, str]:
        field = "key" if sort.field == "name" else sort.field
        return row[field], row["key"]  # type: ignore[literal-required]

    return sorted(rows.values(), key=order, reverse=sort.descending)


def add_up(rows: Iterable[DividedSumsView], used_for: UsedFor) -> DividedSumsView:
    """Return the sums of rows, with their parts if all use is reported."""
    rows = list(rows)
    sums = cast("DividedSumsView", add_up_before(rows, used_for))
    if used_for is UsedFor.ALL:
        sums["parts"] = cast("PartsView", {part.value: _add(row["parts"][part.value] for row in rows) for part in Part})
    return sums


def add_up_before(rows: Iterable[ConsumptionSumsView], used_for: UsedFor) -> ConsumptionSumsView:
    """Return the sums of rows of the period before, which has no parts."""
    rows = list(rows)
    names = () if used_for is UsedFor.PATIENTS else EXTRA_SUMS
    extra = {name: sum((row[name] for row in rows), ZERO) for name in names}  # type: ignore[literal-required]
    return cast("ConsumptionSumsView", {**_add(rows), **extra})


def _add(rows: Iterable[PartSumsView]) -> PartSumsView:
    sums = PartSumsView(details=0, quantity=0 * QUANTITY_STEP, total=ZERO)
    for row in rows:
        sums["details"] += row["details"]
        sums["quantity"] += row["quantity"]
        sums["total"] += row["total"]
    return sums


def _day(since: date, place: int) -> str:
    return (since + timedelta(days=place)).isoformat()


def _place_of_day(key: str, since: date) -> int:
    return (date.fromisoformat(key) - since).days


def _month(since: date, place: int) -> str:
    year, month = divmod(since.year * 12 + since.month - 1 + place, 12)
    return f"{year:04}-{month + 1:02}"


def _place_of_month(key: str, since: date) -> int:
    year, month = map(int, key.split("-"))
    return (year - since.year) * 12 + month - since.month


_PLACES: dict[ConsumptionBy, tuple[Callable[[date, int], str], Callable[[str, date], int]]] = {
    ConsumptionBy.DAY: (_day, _place_of_day),
    ConsumptionBy.MONTH: (_month, _place_of_month),
}
