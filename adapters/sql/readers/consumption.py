"""Consumption report.

Columns with few distinct values are grouped before the join, so that a name is looked up once per row.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Subquery,
    bindparam,
    extract,
    func,
    literal_column,
    select,
    true,
)

from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.tables import (
    NOT_VOIDED,
    areas,
    categories,
    detail_returns,
    details,
    patients,
    products,
    rooms,
    sheets,
    staff,
)
from application.paging import Sort, page_of
from application.views.reports import (
    ConsumptionBy,
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionRowView,
    ConsumptionSumsView,
    PeriodView,
)
from domain.money import QUANTITY_STEP, ZERO
from domain.text import full_name


def _added_up(parts: Subquery) -> tuple[ColumnElement[Any], ...]:
    return (
        func.sum(parts.c.details).label("details"),
        sum_exactly(parts.c.quantity).label("quantity"),
        sum_exactly(parts.c.total).label("total"),
    )


def _parts(parts: Subquery) -> tuple[ColumnElement[Any], ...]:
    return parts.c.details, parts.c.quantity, parts.c.total


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
    found = select(*_named(rooms.c.id, rooms.c.name_folded), rooms.c.name, *_parts(parts))
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


def _row(row: Row[Any], key: str, id: int | None, name: str | None) -> ConsumptionRowView:
    return ConsumptionRowView(
        key=key, id=id, name=name, details=int(row.details), quantity=row.quantity, total=row.total
    )


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


@lru_cache(maxsize=256)
def _groups(by: ConsumptionBy, of: tuple[str, ...], returns: bool = False) -> Select[Any]:
    """Return the grouped rows: details, or returns by the day of the return."""
    added = detail_returns if returns else details
    part = added.c.day if by in _IN_TIME else _KINDS[by].part
    parts = select(
        part.label("of"),
        func.count().label("details"),
        sum_exactly(added.c.quantity).label("quantity"),
        sum_exactly(added.c.total).label("total"),
    ).where(added.c.day.between(bindparam("since"), bindparam("until")), NOT_VOIDED)
    if returns:
        parts = parts.join_from(detail_returns, details)
    for name in of:
        parts = parts.where(details.c[name] == bindparam(name))
    return _KINDS[by].rows(parts.group_by(part).subquery("parts"))


def _order(columns: Any, sort: Sort) -> tuple[ColumnElement[Any], ...]:
    column = columns[f"sort_{sort.field}" if sort.field in ("key", "name") else sort.field]
    return (column.desc(), columns.tie.desc()) if sort.descending else (column, columns.tie)


@lru_cache(maxsize=256)
def _page(by: ConsumptionBy, sort: Sort, of: tuple[str, ...], returns: bool) -> Select[Any]:
    """Return a page with the sums of all groups beside each row.

    An empty page has one row with the sums only.
    """
    groups = _groups(by, of, returns).cte("groups")
    all_of_it = select(
        func.count().label("all_rows"),
        func.sum(groups.c.details).label("all_details"),
        sum_exactly(groups.c.quantity).label("all_quantity"),
        sum_exactly(groups.c.total).label("all_total"),
    ).cte("all_of_it")
    page = (
        select(groups)
        .order_by(*_order(groups.c, sort))
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery("page")
    )
    return select(all_of_it, page).select_from(all_of_it.outerjoin(page, true())).order_by(*_order(page.c, sort))


@lru_cache(maxsize=256)
def _all(by: ConsumptionBy, sort: Sort, of: tuple[str, ...], returns: bool) -> Select[Any]:
    groups = _groups(by, of, returns).subquery("groups")
    return select(groups).order_by(*_order(groups.c, sort))


class SqlConsumption:
    """Consumption reports."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def report(self, query: ConsumptionQuery) -> ConsumptionPage:
        """Return a page and the sums of all groups, by one statement."""
        params = _params(query) | {"limit": query.limit, "offset": query.first}
        found = self._connection.execute(_page(query.by, _sort(query), _of(query), query.returns), params).all()
        to_view = _KINDS[query.by].to_view
        rows = [to_view(row) for row in found if row.details is not None]
        following = query.next_offset() if query.first + len(rows) < found[0].all_rows else None
        page = page_of(rows, query, found[0].all_rows, following=following)
        return ConsumptionPage(
            by=query.by,
            period=PeriodView({"from": params["since"], "to": params["until"]}),
            sums=ConsumptionSumsView(
                details=int(found[0].all_details or 0),
                quantity=found[0].all_quantity or 0 * QUANTITY_STEP,
                total=found[0].all_total or ZERO,
            ),
            items=page["items"],
            meta=page["meta"],
        )

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Yield all rows, without paging."""
        statement = _all(query.by, _sort(query), _of(query), query.returns)
        found = self._connection.execute(statement, _params(query))
        to_view = _KINDS[query.by].to_view
        for row in found:
            yield to_view(row)


# Optional filters of a report.
_ALONE = ("area_id", "product_id")


def _of(query: ConsumptionQuery) -> tuple[str, ...]:
    return tuple(name for name in _ALONE if getattr(query, name) is not None)


def _params(query: ConsumptionQuery) -> dict[str, Any]:
    params: dict[str, Any] = {"since": query.since, "until": query.until}
    return params | {name: getattr(query, name) for name in _of(query)}


def _sort(query: ConsumptionQuery) -> Sort:
    assert query.sort is not None, "the use case gives the order"
    return query.sort
