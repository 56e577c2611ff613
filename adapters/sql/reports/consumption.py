"""Consumption report.

Columns with few distinct values are grouped before the join, so that a name is looked up once per row.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, tzinfo
from functools import lru_cache
from typing import Any, cast

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
from adapters.sql.engine.columns import QUANTITY
from adapters.sql.engine.minute_of_day import minute_of_day
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.people.tables import patients, staff
from adapters.sql.sheets.stays import TRANSFER_MAPPING
from adapters.sql.sheets.tables import (
    IS_FOR_PATIENT,
    IS_NOT_TREATMENT,
    IS_OF_AREA,
    IS_WASTED,
    NOT_VOIDED,
    PART,
    USED_AT,
    detail_returns,
    details,
    sheet_transfers,
    sheets,
    value_of,
)
from application.common.paging import Sort
from application.reports.ports import RecordedProduct, ReportPage
from application.reports.views import (
    EXTRA_SUMS,
    ConsumptionBy,
    ConsumptionQuery,
    ConsumptionRowView,
    ConsumptionSumsView,
    DividedSumsView,
    PartSumsView,
    PartsView,
)
from application.sheets.used_for import Part, UsedFor
from domain.common.day import start_of
from domain.common.money import QUANTITY_STEP, ZERO
from domain.common.text import full_name
from domain.sheets.patient_days import count_patient_days
from domain.sheets.stay import Transfer, build_stays
from domain.ward.shift import Shifts

_AMOUNTS = ("quantity", "total")
_PREFIXES = ("", "previous_", *(f"{part}_" for part in Part))
_COUNTED = tuple(f"{prefix}details" for prefix in _PREFIXES)
_ADDED = tuple(f"{prefix}{name}" for prefix in _PREFIXES for name in (*_AMOUNTS, *EXTRA_SUMS))


def _added_up(parts: FromClause, prefix: str = "") -> list[ColumnElement[Any]]:
    """Return the sums of the parts, whatever period they are of."""
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


def _by_reason(parts: Subquery) -> Select[Any]:
    reason = func.coalesce(parts.c.of, literal_column("''"))
    return select(reason.label("tie"), reason.label("sort_key"), reason.label("sort_name"), *_parts(parts))


# By hand: these columns are sums, under names that depend on the report.
def _row(row: Row[Any], key: str, id: int | None, name: str | None) -> ConsumptionRowView:
    sums = row._mapping
    view = cast("ConsumptionRowView", {"key": key, "id": id, "name": name, **_divided(sums)})
    if "previous_details" in sums:
        view["previous"] = _sums(sums, "previous_")
    return view


def _day(row: Row[Any]) -> ConsumptionRowView:
    day = row.tie.isoformat()
    return _row(row, day, None, day)


def _month(row: Row[Any]) -> ConsumptionRowView:
    year, number = divmod(int(row.tie), 100)
    month = f"{year:04}-{number:02}"
    return _row(row, month, None, month)


def _reason(row: Row[Any]) -> ConsumptionRowView:
    return _row(row, row.tie, None, row.tie or None)


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
    ConsumptionBy.USE_REASON: _Kind(details.c.use_reason, _by_reason, _reason),
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
    used_for: UsedFor = UsedFor.PATIENTS
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
    amounts: dict[str, ColumnElement[Any]] = {name: added.c[name] for name in _AMOUNTS}
    if shape.used_for is not UsedFor.PATIENTS:
        amounts["value"] = value_of(added.c.quantity)

    def portion(condition: ColumnElement[bool], prefix: str) -> list[ColumnElement[Any]]:
        none: ColumnElement[Any] = literal_column("0")
        return [
            func.sum(case((condition, literal_column("1")), else_=none)).label(f"{prefix}details"),
            *(
                sum_exactly(case((condition, amount), else_=type_coerce(none, amount.type))).label(f"{prefix}{name}")
                for name, amount in amounts.items()
            ),
        ]

    if shape.compared:
        sums = [*portion(not_(is_previous), ""), *portion(is_previous, "previous_")]
    else:
        sums = [func.count().label("details"), *(sum_exactly(amount).label(name) for name, amount in amounts.items())]
    first: ColumnElement[date] = bindparam("previous_since" if shape.compared else "since")
    counts = [added.c.day.between(first, bindparam("until")), NOT_VOIDED, *_USED_FOR[shape.used_for]]
    counts += [details.c[name] == bindparam(name) for name in shape.of]

    def grouped(*columns: ColumnElement[Any]) -> Select[Any]:
        parts = select(shape.part.label("of"), *columns).where(*counts).group_by(shape.part)
        return parts.join_from(detail_returns, details) if shape.returns else parts

    if shape.used_for is not UsedFor.ALL:
        return shape.rows(grouped(*sums).subquery("parts"))
    is_present = not_(is_previous) if shape.compared else true()
    of_parts = [
        column
        for part in _RARE_PARTS
        for column in portion(and_(literal_column(f"'{part}'") == PART, is_present), f"{part}_")
        if not column.name.endswith(EXTRA_SUMS)
    ]
    # The parts are added up from the few lines that are no treatment: to divide all lines takes several times as long.
    rare = grouped(*of_parts).where(IS_NOT_TREATMENT).subquery("rare")
    return shape.rows(_divide(grouped(*sums).subquery("everything"), rare, shape).subquery("parts"))


_USED_FOR: dict[UsedFor, tuple[ColumnElement[bool], ...]] = {
    UsedFor.PATIENTS: (IS_FOR_PATIENT,),
    UsedFor.AREA: (IS_OF_AREA,),
    UsedFor.WASTED: (IS_WASTED,),
    UsedFor.ALL: (),
}


_RARE_PARTS = (Part.AREA, Part.WASTED)


def _divide(everything: Subquery, rare: Subquery, shape: Shape) -> Select[Any]:
    """Return the sums of all lines and of the parts: the rest is treatment."""
    sums = [everything.c.of, *_parts(everything)]
    for name in ("details", *_AMOUNTS):
        rest: ColumnElement[Any] = everything.c[name]
        kind = rest.type
        for part in _RARE_PARTS:
            of_part = type_coerce(func.coalesce(rare.c[f"{part}_{name}"], literal_column("0")), kind)
            sums.append(of_part.label(f"{part}_{name}"))
            rest = rest - of_part
        sums.append(type_coerce(rest, kind).label(f"{Part.TREATMENT}_{name}"))
    # Days are never null. Without a value for null, PostgreSQL would compare each group with each.
    none: ColumnElement[Any] = literal_column("''" if shape.by is ConsumptionBy.USE_REASON else "0")
    keys = [one.c.of if shape.by in _IN_TIME else func.coalesce(one.c.of, none) for one in (everything, rare)]
    return select(*sums).join_from(everything, rare, keys[0] == keys[1], isouter=True)


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


_NOTHING: ColumnElement[Any] = literal_column("0", QUANTITY)
_AS_RECORDED = type_coerce(details.c.quantity + details.c.returned, QUANTITY)
_RECORDED = (
    select(
        products.c.id.label("product_id"),
        *(products.c.name, products.c.code, products.c.unit),
        *(
            sum_exactly(case((literal_column(f"'{part}'") == PART, _AS_RECORDED), else_=_NOTHING)).label(name)
            for part, name in ((Part.TREATMENT, "treatment"), (Part.AREA, "area_use"), (Part.WASTED, "wasted"))
        ),
        sum_exactly(details.c.returned).label("returned"),
        sum_exactly(details.c.quantity).label("recorded"),
    )
    .join_from(details, products)
    .where(
        details.c.area_id == bindparam("area_id"),
        details.c.day.between(bindparam("since"), bindparam("until")),
        NOT_VOIDED,
    )
    .group_by(products.c.id)
    .order_by(products.c.id)
)

# Sheets with patients in a period.
_OCCUPYING = and_(
    sheets.c.patient_id.is_not(None),
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
            rows, sums["all_rows"], _divided(sums, "all_"), _sums(sums, "all_previous_") if shape.compared else None
        )

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Yield all rows, without paging."""
        shape = _shape(query)
        for row in self._connection.execute(_all(shape, _sort(query)), _params(query)):
            yield shape.to_view(row)

    def recorded_in(self, area_id: int, since: date, until: date) -> Iterator[RecordedProduct]:
        """Yield what was recorded in an area, by product."""
        params = {"area_id": area_id, "since": since, "until": until}
        for row in self._connection.execute(_RECORDED, params):
            yield RecordedProduct(**row._mapping)

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
    extra = {name: row[prefix + name] or ZERO for name in EXTRA_SUMS if prefix + name in row}
    return cast("ConsumptionSumsView", {**_part_sums(row, prefix), **extra})


def _divided(row: RowMapping, prefix: str = "") -> DividedSumsView:
    sums = cast("DividedSumsView", _sums(row, prefix))
    if f"{prefix}{Part.AREA}_details" in row:
        sums["parts"] = cast("PartsView", {part.value: _part_sums(row, f"{prefix}{part}_") for part in Part})
    return sums


def _part_sums(row: RowMapping, prefix: str) -> PartSumsView:
    return PartSumsView(
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
        used_for=query.used_for,
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
