"""Figures of months, and the changes that were made to them later."""

from datetime import date
from functools import lru_cache
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Connection,
    Date,
    Select,
    String,
    and_,
    bindparam,
    case,
    extract,
    func,
    literal_column,
    null,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy import cast as cast_to
from sqlalchemy.types import TypeEngine

from adapters.sql.billing.tables import charges
from adapters.sql.catalogue.tables import areas, categories, products
from adapters.sql.engine.columns import MONEY, QUANTITY, ScaledDecimal
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.sheets.tables import (
    IS_FOR_PATIENT,
    NOT_VOIDED,
    PART,
    details,
    month_changes,
    sheets,
    value_of,
)
from application.reports.month_views import (
    ChangeSums,
    MonthAccounts,
    MonthDay,
    MonthFigures,
    MonthRow,
    SheetSums,
)
from domain.billing.charges import ChargeKind
from domain.common.money import ZERO
from domain.sheets.figures import Figures
from domain.sheets.month_change import MonthChange

_KEY = ("area_id", "product_id", "unbilled", "use_reason")
_NAMES = ("area", "product", "code", "unit", "category_id", "category", "part")
_COLUMNS: dict[str, TypeEngine[Any]] = {
    "of": String(),
    "id": BigInteger(),
    "product_id": BigInteger(),
    "unbilled": String(),
    "use_reason": String(),
    "area": String(),
    "product": String(),
    "code": String(),
    "unit": String(),
    "category_id": BigInteger(),
    "category": String(),
    "part": String(),
    "area_id": BigInteger(),
    "lines": BigInteger(),
    "quantity": QUANTITY,
    "returned": QUANTITY,
    "total": MONEY,
    "value": MONEY,
    "day": Date(),
}
# The cells of each kind of row stand side by side.
_PLACES = {name: place for place, name in enumerate(_COLUMNS)}
_ROW = slice(_PLACES["product_id"], _PLACES["value"] + 1)
_DAY = slice(_PLACES["area_id"], _PLACES["day"] + 1)
_VALUE = value_of(details.c.quantity)
_SUMS = (
    func.count().label("lines"),
    sum_exactly(details.c.quantity).label("quantity"),
    sum_exactly(details.c.returned).label("returned"),
    sum_exactly(details.c.total).label("total"),
    sum_exactly(_VALUE).label("value"),
)
_IS_CLOSED = case((sheets.c.closed_at.is_not(None), literal_column("1")), else_=literal_column("0"))
_SIGNED = case(
    (charges.c.kind == literal_column(f"'{ChargeKind.CHARGE}'"), charges.c.total),
    else_=type_coerce(-charges.c.total, MONEY),
)


def _in_month(column: ColumnElement[date]) -> ColumnElement[bool]:
    return column.between(bindparam("first"), bindparam("last"))


def _stored(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    """Return the type of a column in the database.

    A part of a union has no value of its own to tell it.
    """
    return BigInteger() if isinstance(kind, ScaledDecimal) else kind


def _padded(of: str, **columns: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    """Return all columns of the statement, null where a part has none."""
    given = {"of": literal_column(f"'{of}'"), **columns}
    return [
        type_coerce(given[name], kind).label(name)
        if name in given
        else type_coerce(cast_to(null(), _stored(kind)), kind).label(name)
        for name, kind in _COLUMNS.items()
    ]


@lru_cache(maxsize=2)
def _figures(of_area: bool) -> CompoundSelect[Any]:
    """Return everything that a closing freezes, by one statement.

    So it is of one state of the database.
    """
    counts = [_in_month(details.c.day), NOT_VOIDED]
    changed = [_in_month(month_changes.c.day)]
    if of_area:
        counts.append(details.c.area_id == bindparam("area_id"))
        changed.append(month_changes.c.area_id == bindparam("area_id"))
    key = [details.c[name] for name in _KEY]
    rows = select(*key, PART.label("part"), *_SUMS).where(*counts).group_by(*key, PART).subquery("figures")
    days = select(details.c.area_id, details.c.day, *_SUMS).where(*counts).group_by(details.c.area_id, details.c.day)
    of_day = days.subquery("days")
    accounts = (
        select(
            _IS_CLOSED.label("id"),
            func.count(details.c.sheet_id.distinct()).label("lines"),
            sum_exactly(details.c.total).label("total"),
        )
        .join_from(details, sheets)
        .where(*counts, IS_FOR_PATIENT)
        .group_by(_IS_CLOSED)
        .subquery("accounts")
    )
    charged = (
        select(_IS_CLOSED.label("id"), sum_exactly(_SIGNED).label("total"))
        .join_from(details, sheets)
        .join(charges, and_(charges.c.sheet_id == sheets.c.id, charges.c.detail_id == details.c.id))
        .where(*counts, IS_FOR_PATIENT)
        .group_by(_IS_CLOSED)
        .subquery("charged")
    )
    named = {name: rows.c[name] for name in (*_KEY, "part", *Figures._fields)}
    of_rows = select(
        *_padded(
            "row",
            **named,
            area=areas.c.name,
            product=products.c.name,
            code=products.c.code,
            unit=products.c.unit,
            category_id=categories.c.id,
            category=categories.c.name,
        )
    ).select_from(
        rows.join(products, products.c.id == rows.c.product_id)
        .join(categories, categories.c.id == products.c.category_id)
        .outerjoin(areas, areas.c.id == rows.c.area_id)
    )
    return union_all(
        of_rows,
        select(*_padded("day", **{name: of_day.c[name] for name in ("area_id", "day", *Figures._fields)})),
        select(*_padded("change", id=month_changes.c.id, total=month_changes.c.total)).where(*changed),
        select(*_padded("account", **{name: accounts.c[name] for name in ("id", "lines", "total")})),
        select(*_padded("charged", **{name: charged.c[name] for name in ("id", "total")})),
    )


@lru_cache(maxsize=4)
def _changes(column: str, of_area: bool) -> Select[Any]:
    found = select(month_changes).where(_in_month(month_changes.c[column])).order_by(month_changes.c.id)
    return found.where(month_changes.c.area_id == bindparam("area_id")) if of_area else found


@lru_cache(maxsize=2)
def _change_sums(of_area: bool) -> Select[*tuple[Any, ...]]:
    month = [extract(part, month_changes.c.day).label(part) for part in ("year", "month")]
    columns: list[ColumnElement[Any]] = [
        *month,
        func.count().label("changes"),
        sum_exactly(month_changes.c.total).label("total"),
    ]
    found = select(*columns).where(_in_month(month_changes.c.day)).group_by(*month)
    return found.where(month_changes.c.area_id == bindparam("area_id")) if of_area else found


class SqlMonthFigures:
    """Figures of months."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self, first: date, last: date, area_id: int | None) -> MonthFigures:
        """Return everything that a closing freezes."""
        rows, days, change_ids, changes_total = [], [], [], ZERO
        accounts = {0: SheetSums(sheets=0, total=ZERO), 1: SheetSums(sheets=0, total=ZERO)}
        charged = {0: ZERO, 1: ZERO}
        found = self._connection.execute(_figures(area_id is not None), _params(first, last, area_id))
        of_row, of_day = list(_COLUMNS)[_ROW], list(_COLUMNS)[_DAY]
        # There are many rows of the first kind.
        for row in found:
            if row.of == "row":
                rows.append(cast("MonthRow", dict(zip(of_row, row[_ROW], strict=True))))
            elif row.of == "day":
                days.append(cast("MonthDay", dict(zip(of_day, row[_DAY], strict=True))))
            elif row.of == "change":
                change_ids.append(row.id)
                changes_total += row.total
            elif row.of == "account":
                accounts[row.id] = SheetSums(sheets=row.lines, total=row.total or ZERO)
            else:
                charged[row.id] = row.total or ZERO
        return MonthFigures(
            rows=sorted(rows, key=_row_order),
            days=sorted(days, key=lambda day: (day["day"], day["area_id"] or 0)),
            accounts=MonthAccounts(open=accounts[0], closed=accounts[1], charged_open=charged[0], charged=charged[1]),
            change_ids=sorted(change_ids),
            changes_total=changes_total,
        )

    def changes_of(self, first: date, last: date, area_id: int | None) -> list[MonthChange]:
        """Return the changes of lines that were used in a month."""
        return self._changes("day", first, last, area_id)

    def changes_made_in(self, first: date, last: date, area_id: int | None) -> list[MonthChange]:
        """Return the changes of earlier months that were made in a month."""
        return self._changes("made_on", first, last, area_id)

    def change_sums(self, first: date, last: date, area_id: int | None) -> dict[date, ChangeSums]:
        """Return number and total of the changes of each month, by its first day."""
        rows = self._connection.execute(_change_sums(area_id is not None), _params(first, last, area_id))
        return {date(int(row.year), int(row.month), 1): ChangeSums(row.changes, row.total) for row in rows}

    def _changes(self, column: str, first: date, last: date, area_id: int | None) -> list[MonthChange]:
        rows = self._connection.execute(_changes(column, area_id is not None), _params(first, last, area_id))
        return [MonthChange(**row) for row in rows.mappings()]


def _params(first: date, last: date, area_id: int | None) -> dict[str, object]:
    params: dict[str, object] = {"first": first, "last": last}
    return params if area_id is None else {**params, "area_id": area_id}


def _row_order(row: MonthRow) -> tuple[object, ...]:
    return row["area_id"] or 0, row["product_id"], row["unbilled"] or "", row["use_reason"] or ""
