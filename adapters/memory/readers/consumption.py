"""The consumption report, in memory."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, tzinfo
from typing import Any

from adapters.memory.data import MemoryData
from application.ports.readers.reports import ReportPage
from application.views.reports import ConsumptionBy, ConsumptionQuery, ConsumptionRowView, ConsumptionSumsView
from domain.money import QUANTITY_STEP, ZERO
from domain.patient_days import count_patient_days
from domain.sheet import Detail
from domain.stay import build_stays
from domain.text import fold, fold_product, full_name, sort_name


class MemoryConsumption:
    """Adds up consumption."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    def report(self, query: ConsumptionQuery) -> ReportPage:
        """Return one page of the report, with the totals of all rows."""
        rows = list(self.rows(query))
        present, previous = self._details(query), self._previous(query)
        return ReportPage(
            rows[query.first : query.first + query.limit],
            len(rows),
            _sums(present),
            _sums(previous) if query.previous else None,
        )

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Iterate over all rows, ignoring paging."""
        groups: dict[Any, tuple[list[Detail], list[Detail]]] = defaultdict(lambda: ([], []))
        for place, those in enumerate((self._details(query), self._previous(query))):
            for detail in those:
                groups[self._of(detail, query)][place].append(detail)
        rows = []
        for of, (present, previous) in groups.items():
            row = self._row(of, query, _sums(present))
            if query.previous:
                row["previous"] = _sums(previous)
            rows.append((of, row))
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

    def patient_days(self, since: date, until: date, area_id: int | None) -> int:
        """Return the number of patient-days of a period, in the rooms of an area."""
        stays = [
            build_stays(
                admission_date=sheet.admission_date,
                room_id=sheet.room_id,
                closed_at=sheet.closed_at,
                transfers=[one for one in self._data.transfers.values() if one.sheet_id == sheet.id],
                zone=self._zone,
            )
            for sheet in self._data.sheets.values()
        ]
        rooms = None if area_id is None else {one.id for one in self._data.rooms.values() if one.area_id == area_id}
        return count_patient_days(stays, since, until, self._zone, rooms=rooms)

    def _previous(self, query: ConsumptionQuery) -> list[Detail]:
        if query.previous is None:
            return []
        since, until = query.previous
        return self._details(replace(query, since=since, until=until))

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
        """Yield each return as a detail of the time of its return."""
        counted = {detail.id: detail for detail in self._data.counted}
        for one in self._data.detail_returns:
            if one.detail_id in counted:
                yield replace(
                    counted[one.detail_id], day=one.day, occurred_at=one.at, quantity=one.quantity, total=one.total
                )

    def _of(self, detail: Detail, query: ConsumptionQuery) -> Any:
        match query.by:
            case ConsumptionBy.SHIFT:
                assert query.shifts is not None, "the use case gives the shifts"
                return query.shifts.at(detail.occurred_at or detail.created_at).shift.index
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

    def _row(self, of: Any, query: ConsumptionQuery, sums: ConsumptionSumsView) -> ConsumptionRowView:
        by = query.by
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
        if by is ConsumptionBy.SHIFT:
            row["key"], row["id"] = str(of), None
            row["name"] = [one.name for one in query.shifts or ()][of]
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
        if by in (ConsumptionBy.DAY, ConsumptionBy.MONTH, ConsumptionBy.SHIFT):
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
