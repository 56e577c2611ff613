"""Consumption report.

Columns with few distinct values are grouped before the join, so that a name is looked up once per row.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, tzinfo
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    RowMapping,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    extract,
    func,
    literal_column,
    not_,
    or_,
    select,
    true,
    type_coerce,
)

from adapters.sql.catalogue.tables import ROOM_ORDER, areas, categories, products, rooms
from adapters.sql.engine.minute_of_day import minute_of_day
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.people.tables import patients, staff
from adapters.sql.sheets.stays import TRANSFER_MAPPING
from adapters.sql.sheets.tables import (
    IS_OF_PATIENT,
    NOT_VOIDED,
    USED_AT,
    detail_returns,
    details,
    sheet_transfers,
    sheets,
)
from application.common.paging import Sort
from application.reports.ports import ReportPage
from application.reports.views import ConsumptionBy, ConsumptionQuery, ConsumptionRowView, ConsumptionSumsView
from domain.common.day import start_of
from domain.common.money import QUANTITY_STEP, ZERO
from domain.common.text import full_name
from domain.sheets.patient_days import count_patient_days
from domain.sheets.stay import Transfer, build_stays
from domain.ward.shift import Shifts

_COUNTED = ("details", "previous_details")
_AMOUNTS = ("quantity", "total")
_ADDED = (*_AMOUNTS, *(f"previous_{name}" for name in _AMOUNTS))


def _added_up(parts: FromClause, prefix: str = "") -> list[ColumnElement[Any]]:
    """Return the sums of the parts, those of a period before included."""
    counted = [func.sum(parts.c[name]).label(prefix + name) for name in _COUNTED if name in parts.c]
    return [*counted, *(sum_exactly(parts.c[name]).label(prefix + name) for name in _ADDED if name in parts.c)]


def _parts(parts: Subquery) -> list[ColumnElement[Any]]:
    return [parts.c[name] for name in (*_COUNTED, *_ADDED) if name in parts.c]


def _by_day(parts: Subquery) -> Select[Any]:
    return select(parts.c.of.label("tie"), parts.c.of.label("sort_key"), parts.c.of.label("sort_name"), *_parts(parts))


def _by_month(parts: Subquery) -> Select[Any]:
    month = (extract("year", parts.c.of) * literal_column("100") + extract("month", parts.c.of)).label("tie")
    return select(month, month.label("sort_key"), month.label("sort_name"), *_added_up(parts)).group_by(month)


def _named(id: ColumnElement[Any], name: ColumnElement[Any]) -> tuple[ColumnElement[Any], ...]:
    """Return id and sort columns; rows without an area or staff come first."""
    return (
        id,
        func.coalesce(id, literal_column("0")).label("tie"),
        func.coalesce(id, literal_column("0")).label("sort_key"),
        func.coalesce(name, literal_column("''")).label("sort_name"),
    )


def _by_area(parts: Subquery) -> Select[Any]:
    found = select(*_named(areas.c.id, areas.c.name_folded), areas.c.name, *_parts(parts))
    return found.select_from(parts.outerjoin(areas, areas.c.id == parts.c.of))


def _by_room(parts: Subquery) -> Select[Any]:
    found = select(*_named(rooms.c.id, ROOM_ORDER), rooms.c.name, *_parts(parts))
    return found.select_from(parts.outerjoin(rooms, rooms.c.id == parts.c.of))


def _by_category(parts: Subquery) -> Select[Any]:
    named = (*_named(categories.c.id, categories.c.name_folded), categories.c.name, categories.c.code)
    bind_to = parts.join(products, products.c.id == parts.c.of).join(categories)
    return select(*named, *_added_up(parts)).select_from(bind_to).group_by(categories.c.id)


def _by_product(parts: Subquery) -> Select[Any]:
    named = (*_named(products.c.id, products.c.name_folded), products.c.name, products.c.code, products.c.unit)
    return select(*named, *_parts(parts)).select_from(parts.join(products, products.c.id == parts.c.of))


def _by_staff(parts: Subquery) -> Select[Any]:
    named = (*_named(staff.c.id, staff.c.sort_folded), staff.c.name, staff.c.first_surname, staff.c.second_surname)
    return select(*named, *_parts(parts)).select_from(parts.outerjoin(staff, staff.c.id == parts.c.of))


def _by_patient(parts: Subquery) -> Select[Any]:
    named = (
        *_named(patients.c.id, patients.c.sort_folded),
        patients.c.name,
        patients.c.first_surname,
        patients.c.second_surname,
        patients.c.record_number,
    )
    bind_to = parts.join(sheets, sheets.c.id == parts.c.of).join(patients)
    return select(*named, *_added_up(parts)).select_from(bind_to).group_by(patients.c.id)


# By hand: these columns are sums, under names that depend on the report.
def _row(row: Row[Any], key: str, id: int | None, name: str | None) -> ConsumptionRowView:
    view = ConsumptionRowView(
        key=key, id=id, name=name, details=int(row.details), quantity=row.quantity, total=row.total
    )
    if "previous_details" in row._fields:
        view["previous"] = ConsumptionSumsView(
            details=int(row.previous_details), quantity=row.previous_quantity, total=row.previous_total
        )
    return view


def _day(row: Row[Any]) -> ConsumptionRowView:
    day = row.tie.isoformat()
    return _row(row, day, None, day)


def _month(row: Row[Any]) -> ConsumptionRowView:
    year, number = divmod(int(row.tie), 100)
    month = f"{year:04}-{number:02}"
    return _row(row, month, None, month)


def _thing(row: Row[Any]) -> ConsumptionRowView:
    return _row(row, "" if row.id is None else str(row.id), row.id, row.name)


def _category(row: Row[Any]) -> ConsumptionRowView:
    view = _thing(row)
    view["category_code"] = row.code
    return view


def _product(row: Row[Any]) -> ConsumptionRowView:
    view = _thing(row)
    view["code"], view["unit"] = row.code, row.unit
    return view


def _person(row: Row[Any]) -> ConsumptionRowView:
    view = _thing(row)
    view["name"] = full_name(row.name, row.first_surname, row.second_surname) or None
    return view


def _patient(row: Row[Any]) -> ConsumptionRowView:
    view = _person(row)
    view["record_number"] = row.record_number
    return view


@dataclass(frozen=True, eq=False)
class _Kind:
    """A kind of report: ``part`` is the grouped column of details."""

    part: ColumnElement[Any]
    rows: Callable[[Subquery], Select[Any]]
    to_view: Callable[[Row[Any]], ConsumptionRowView]


_KINDS = {
    ConsumptionBy.DAY: _Kind(details.c.day, _by_day, _day),
    ConsumptionBy.MONTH: _Kind(details.c.day, _by_month, _month),
    ConsumptionBy.AREA: _Kind(details.c.area_id, _by_area, _thing),
    ConsumptionBy.ROOM: _Kind(details.c.room_id, _by_room, _thing),
    ConsumptionBy.CATEGORY: _Kind(details.c.product_id, _by_category, _category),
    ConsumptionBy.PRODUCT: _Kind(details.c.product_id, _by_product, _product),
    ConsumptionBy.STAFF: _Kind(details.c.staff_id, _by_staff, _person),
    ConsumptionBy.PATIENT: _Kind(details.c.sheet_id, _by_patient, _patient),
}
_IN_TIME = frozenset({ConsumptionBy.DAY, ConsumptionBy.MONTH})


@dataclass(frozen=True, slots=True)
class Shape:
    """What the statement of a report depends on, besides bound values.

    ``of`` are the filters. ``shifts`` are only set for a report by shift.
    """

    by: ConsumptionBy
    of: tuple[str, ...] = ()
    returns: bool = False
    compared: bool = False
    shifts: Shifts | None = None

    @property
    def part(self) -> ColumnElement[Any]:
        """Return the grouped column or expression."""
        if self.shifts is not None:
            return _index_of_shift(detail_returns.c.at if self.returns else USED_AT, self.shifts)
        if self.by in _IN_TIME:
            return (detail_returns if self.returns else details).c.day
        return _KINDS[self.by].part

    @property
    def to_view(self) -> Callable[[Row[Any]], ConsumptionRowView]:
        """Return the function that converts a row."""
        if self.shifts is None:
            return _KINDS[self.by].to_view
        names = [one.name for one in self.shifts]
        return lambda row: _row(row, str(row.tie), None, names[row.tie])

    def rows(self, parts: Subquery) -> Select[Any]:
        """Return the rows of the grouped parts, with their names."""
        return _by_day(parts) if self.shifts is not None else _KINDS[self.by].rows(parts)


def _index_of_shift(moment: ColumnElement[Any], shifts: Shifts) -> ColumnElement[int]:
    minute = minute_of_day(moment, shifts.zone)
    # The last shift of a day goes on until the first one of the next day.
    last: ColumnElement[int] = literal_column(str(len(shifts.starts) - 1))
    whens = []
    for index, start in enumerate(shifts.starts):
        until: ColumnElement[int] = literal_column(str(start.hour * 60 + start.minute))
        whens.append((minute < until, literal_column(str(index - 1)) if index else last))
    return case(*whens, else_=last)


@lru_cache(maxsize=256)
def groups_of(shape: Shape) -> Select[Any]:
    """Return the grouped rows: details, or returns by the day of the return."""
    added = detail_returns if shape.returns else details
    is_previous = added.c.day < bindparam("since")

    def portion(condition: ColumnElement[bool], prefix: str) -> list[ColumnElement[Any]]:
        none: ColumnElement[Any] = literal_column("0")
        return [
            func.sum(case((condition, literal_column("1")), else_=none)).label(f"{prefix}details"),
            *(
                sum_exactly(case((condition, added.c[name]), else_=type_coerce(none, added.c[name].type))).label(
                    f"{prefix}{name}"
                )
                for name in _AMOUNTS
            ),
        ]

    if shape.compared:
        sums = [*portion(not_(is_previous), ""), *portion(is_previous, "previous_")]
    else:
        sums = [func.count().label("details"), *(sum_exactly(added.c[name]).label(name) for name in _AMOUNTS)]
    first: ColumnElement[date] = bindparam("previous_since" if shape.compared else "since")
    parts = select(shape.part.label("of"), *sums).where(added.c.day.between(first, bindparam("until")), NOT_VOIDED)
    if shape.returns:
        parts = parts.join_from(detail_returns, details)
    for name in shape.of:
        parts = parts.where(details.c[name] == bindparam(name))
    return shape.rows(parts.group_by(shape.part).subquery("parts"))


def _order(columns: Any, sort: Sort) -> tuple[ColumnElement[Any], ...]:
    column = columns[f"sort_{sort.field}" if sort.field in ("key", "name") else sort.field]
    return (column.desc(), columns.tie.desc()) if sort.descending else (column, columns.tie)


@lru_cache(maxsize=256)
def _page(shape: Shape, sort: Sort) -> Select[Any]:
    """Return a page with the sums of all groups beside each row.

    An empty page has one row with the sums only.
    """
    groups = groups_of(shape).cte("groups")
    all_of_it = select(func.count().label("all_rows"), *_added_up(groups, "all_")).cte("all_of_it")
    page = (
        select(groups)
        .order_by(*_order(groups.c, sort))
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery("page")
    )
    return select(all_of_it, page).select_from(all_of_it.outerjoin(page, true())).order_by(*_order(page.c, sort))


@lru_cache(maxsize=256)
def _all(shape: Shape, sort: Sort) -> Select[Any]:
    groups = groups_of(shape).subquery("groups")
    return select(groups).order_by(*_order(groups.c, sort))


# Sheets with patients in a period.
_OCCUPYING = and_(
    IS_OF_PATIENT,
    sheets.c.admission_date <= bindparam("until"),
    or_(sheets.c.closed_at.is_(None), sheets.c.closed_at >= bindparam("begins", type_=sheets.c.closed_at.type)),
)
_SHEETS = select(sheets.c.id, sheets.c.admission_date, sheets.c.room_id, sheets.c.closed_at).where(_OCCUPYING)
_TRANSFERS = select(sheet_transfers).join(sheets).where(_OCCUPYING).order_by(sheet_transfers.c.id)
_ROOMS = select(rooms.c.id).where(rooms.c.area_id == bindparam("area_id"))


class SqlConsumption:
    """Consumption reports."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self._connection = connection
        self._zone = zone

    def report(self, query: ConsumptionQuery) -> ReportPage:
        """Return a page and the sums of all groups, by one statement."""
        params = _params(query) | {"limit": query.limit, "offset": query.first}
        shape = _shape(query)
        found = self._connection.execute(_page(shape, _sort(query)), params).all()
        rows = [shape.to_view(row) for row in found if row.details is not None]
        sums = found[0]._mapping
        return ReportPage(
            rows, sums["all_rows"], _sums(sums, "all_"), _sums(sums, "all_previous_") if shape.compared else None
        )

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Yield all rows, without paging."""
        shape = _shape(query)
        for row in self._connection.execute(_all(shape, _sort(query)), _params(query)):
            yield shape.to_view(row)

    def patient_days(self, since: date, until: date, area_id: int | None) -> int:
        """Return the number of patient-days of a period, in the rooms of an area."""
        period = {"until": until, "begins": start_of(since, self._zone)}
        of_area, transfers = None, defaultdict[int, list[Transfer]](list)
        if area_id is not None:
            of_area = set(self._connection.execute(_ROOMS, {"area_id": area_id}).scalars())
            for row in self._connection.execute(_TRANSFERS, period):
                transfers[row.sheet_id].append(TRANSFER_MAPPING.to_entity(row))
        stays = (
            build_stays(
                admission_date=row.admission_date,
                room_id=row.room_id,
                closed_at=row.closed_at,
                transfers=transfers[row.id],
                zone=self._zone,
            )
            for row in self._connection.execute(_SHEETS, period)
        )
        return count_patient_days(stays, since, until, self._zone, rooms=of_area)


def _sums(row: RowMapping, prefix: str) -> ConsumptionSumsView:
    return ConsumptionSumsView(
        details=int(row[f"{prefix}details"] or 0),
        quantity=row[f"{prefix}quantity"] or 0 * QUANTITY_STEP,
        total=row[f"{prefix}total"] or ZERO,
    )


# Optional filters of a report.
_ALONE = ("area_id", "product_id")


def _shape(query: ConsumptionQuery) -> Shape:
    return Shape(
        by=query.by,
        of=tuple(name for name in _ALONE if getattr(query, name) is not None),
        returns=query.returns,
        compared=query.previous is not None,
        shifts=query.shifts if query.by is ConsumptionBy.SHIFT else None,
    )


def _params(query: ConsumptionQuery) -> dict[str, Any]:
    params: dict[str, Any] = {"since": query.since, "until": query.until}
    if query.previous is not None:
        params["previous_since"] = query.previous[0]
    return params | {name: getattr(query, name) for name in _shape(query).of}


def _sort(query: ConsumptionQuery) -> Sort:
    assert query.sort is not None, "the use case gives the order"
    return query.sort
