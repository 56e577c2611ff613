"""The consumption report, in memory."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from adapters.memory.data import MemoryData
from application.paging import page_of
from application.views.reports import (
    ConsumptionBy,
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionRowView,
    ConsumptionSumsView,
    PeriodView,
)
from domain.money import QUANTITY_STEP, ZERO
from domain.sheet import Detail
from domain.text import fold, fold_product, full_name, sort_name


class MemoryConsumption:
    """Adds up consumption."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def report(self, query: ConsumptionQuery) -> ConsumptionPage:
        """Return one page of the report, with the totals of all rows."""
        rows = list(self.rows(query))
        last = query.first + query.limit
        following = query.next_offset() if last < len(rows) else None
        page = page_of(rows[query.first : last], query, len(rows), following=following)
        return ConsumptionPage(
            by=query.by,
            period=PeriodView({"from": query.since or date.min, "to": query.until or date.max}),
            sums=_sums(self._details(query)),
            items=page["items"],
            meta=page["meta"],
        )

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Iterate over all rows, ignoring paging."""
        groups: dict[Any, list[Detail]] = defaultdict(list)
        for detail in self._details(query):
            groups[self._of(detail, query.by)].append(detail)
        rows = [(of, self._row(of, query.by, _sums(those))) for of, those in groups.items()]
        assert query.sort is not None, "the use case gives the order"
        field = query.sort.field

        def order(group: tuple[Any, ConsumptionRowView]) -> tuple[Any, Any]:
            of, row = group
            tie = of or 0
            if field in ("key", "name"):
                return (self._sorted_as(of, query.by) if field == "name" else tie), tie
            value: Any = row[field]  # type: ignore[literal-required]
            return value, tie

        rows.sort(key=order, reverse=query.sort.descending)
        return iter([row for _, row in rows])

    def _details(self, query: ConsumptionQuery) -> list[Detail]:
        counted = self._returns() if query.returns else self._data.counted
        return [
            detail
            for detail in counted
            if (query.since or date.min) <= detail.day <= (query.until or date.max)
            and query.area_id in (None, detail.area_id)
            and query.product_id in (None, detail.product_id)
        ]

    def _returns(self) -> Iterator[Detail]:
        """Yield each return as a detail of the day of its return."""
        counted = {detail.id: detail for detail in self._data.counted}
        for one in self._data.detail_returns:
            if one.detail_id in counted:
                yield replace(counted[one.detail_id], day=one.day, quantity=one.quantity, total=one.total)

    def _of(self, detail: Detail, by: ConsumptionBy) -> Any:
        match by:
            case ConsumptionBy.DAY:
                return detail.day
            case ConsumptionBy.MONTH:
                return detail.day.replace(day=1)
            case ConsumptionBy.AREA:
                return detail.area_id
            case ConsumptionBy.ROOM:
                return detail.room_id
            case ConsumptionBy.CATEGORY:
                return self._data.products[detail.product_id].category_id
            case ConsumptionBy.PRODUCT:
                return detail.product_id
            case ConsumptionBy.STAFF:
                return detail.staff_id
            case ConsumptionBy.PATIENT:
                return self._data.sheets[detail.sheet_id].patient_id

    def _group_entity(self, of: int | None, by: ConsumptionBy) -> Any:
        data: dict[ConsumptionBy, dict[int, Any]] = {
            ConsumptionBy.AREA: self._data.areas,
            ConsumptionBy.ROOM: self._data.rooms,
            ConsumptionBy.CATEGORY: self._data.categories,
            ConsumptionBy.PRODUCT: self._data.products,
            ConsumptionBy.STAFF: self._data.staff,
            ConsumptionBy.PATIENT: self._data.patients,
        }
        return data[by].get(of or 0)

    def _row(self, of: Any, by: ConsumptionBy, sums: ConsumptionSumsView) -> ConsumptionRowView:
        row = ConsumptionRowView(
            key=str(of or ""),
            id=of,
            name=None,
            details=sums["details"],
            quantity=sums["quantity"],
            total=sums["total"],
        )
        if by in (ConsumptionBy.DAY, ConsumptionBy.MONTH):
            row["key"] = row["name"] = of.isoformat() if by is ConsumptionBy.DAY else of.isoformat()[:7]
            row["id"] = None
            return row
        thing = self._group_entity(of, by)
        row["name"] = thing and thing.name
        if by is ConsumptionBy.CATEGORY:
            row["category_code"] = thing.code
        if by is ConsumptionBy.PRODUCT:
            row["code"], row["unit"] = thing.code, thing.unit
        if by in (ConsumptionBy.STAFF, ConsumptionBy.PATIENT) and thing:
            row["name"] = full_name(thing.name, thing.first_surname, thing.second_surname)
        if by is ConsumptionBy.PATIENT:
            row["record_number"] = thing.record_number
        return row

    def _sorted_as(self, of: Any, by: ConsumptionBy) -> Any:
        if by in (ConsumptionBy.DAY, ConsumptionBy.MONTH):
            return of
        thing = self._group_entity(of, by)
        if by in (ConsumptionBy.STAFF, ConsumptionBy.PATIENT) and thing:
            return sort_name(thing.name, thing.first_surname, thing.second_surname)
        folded = fold_product if by is ConsumptionBy.PRODUCT else fold
        return folded(thing.name) if thing else ""


def _sums(details: list[Detail]) -> ConsumptionSumsView:
    return ConsumptionSumsView(
        details=len(details),
        quantity=sum((detail.quantity for detail in details), 0 * QUANTITY_STEP),
        total=sum((detail.total for detail in details), ZERO),
    )
