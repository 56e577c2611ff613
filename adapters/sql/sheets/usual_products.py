"""Usual products and quantities, with indexes for the latest details."""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    bindparam,
    func,
    not_,
    select,
    union_all,
)

from adapters.sql.catalogue.products import ALL_PRODUCTS, PRODUCT_VIEW
from adapters.sql.catalogue.tables import favourites, products, rooms
from adapters.sql.sheets.tables import IS_FOR_PATIENT, NOT_VOIDED, details, sheets
from adapters.sql.sheets.usual_numbers import read_numbers
from application.catalogue.views import ProductView
from application.sheets.ports import (
    LATEST_OF_AREA,
    LATEST_OF_PERSON,
    LATEST_OF_ROOM,
    LATEST_OF_SHEET,
    LATEST_PAGES,
    SheetPlace,
)
from domain.catalogue.usual_products import UsualNumbers

_PLACE = (
    select(func.coalesce(sheets.c.area_id, rooms.c.area_id), sheets.c.area_id.is_not(None))
    .outerjoin_from(sheets, rooms)
    .where(sheets.c.id == bindparam("sheet_id"))
)


def _of_person(kind: ColumnElement[bool]) -> Select[Any]:
    """Select the products of a user's latest details of a kind."""
    last = (
        select(details.c.product_id, details.c.id)
        .where(details.c.user_id == bindparam("user_id"), NOT_VOIDED, kind)
        .order_by(details.c.id.desc())
        .limit(LATEST_OF_PERSON)
        .subquery()
    )
    own = select(last.c.product_id, func.max(last.c.id).label("last")).group_by(last.c.product_id).subquery()
    return (
        ALL_PRODUCTS.join(own, own.c.product_id == products.c.id)
        .where(products.c.active)
        .order_by(own.c.last.desc())
        .limit(bindparam("most"))
    )


# By whether the sheet is that of an area.
_OF_PERSON = {False: _of_person(IS_FOR_PATIENT), True: _of_person(not_(IS_FOR_PATIENT))}

_PINNED = (
    ALL_PRODUCTS.join(favourites, favourites.c.product_id == products.c.id)
    .where(favourites.c.user_id == bindparam("user_id"), products.c.active)
    .order_by(favourites.c.at, favourites.c.product_id)
    .limit(bindparam("most"))
)

# One index lookup per counted sheet of a room: a plain join would read all sheets that were ever in it.
_NEWEST = union_all(
    *(
        select(
            select(sheets.c.id)
            .where(sheets.c.room_id == rooms.c.id)
            .order_by(sheets.c.id.desc())
            .limit(1)
            .offset(number)
            .scalar_subquery()
            .label("id")
        ).where(rooms.c.area_id == bindparam("area_id"))
        for number in range(LATEST_OF_ROOM)
    )
).subquery()
_SHEETS = (
    select(_NEWEST.c.id).where(_NEWEST.c.id.is_not(None)).order_by(_NEWEST.c.id.desc()).limit(LATEST_OF_AREA).cte()
)
_SINCE = (
    select(details.c.created_at)
    .where(details.c.sheet_id == _SHEETS.c.id, NOT_VOIDED)
    .order_by(details.c.created_at.desc(), details.c.id.desc())
    .limit(1)
    .offset(LATEST_OF_SHEET - 1)
    .scalar_subquery()
)
_BEGINNING = bindparam("beginning", datetime(1, 1, 2, tzinfo=UTC), type_=details.c.created_at.type)
_STRETCHES = select(_SHEETS.c.id, func.coalesce(_SINCE, _BEGINNING).label("since")).cte()
_COUNTED = (
    select(details.c.product_id, func.count().label("times"), func.max(details.c.id).label("last"))
    .join_from(
        _STRETCHES,
        details,
        and_(details.c.sheet_id == _STRETCHES.c.id, details.c.created_at >= _STRETCHES.c.since, NOT_VOIDED),
    )
    .group_by(details.c.product_id)
    .subquery()
)
_PAGES = (
    select(sheets.c.id)
    .where(sheets.c.area_id == bindparam("area_id"))
    .order_by(sheets.c.id.desc())
    .limit(LATEST_PAGES)
    .subquery()
)
_COUNTED_ON_PAGES = (
    select(details.c.product_id, func.count().label("times"), func.max(details.c.id).label("last"))
    .join_from(_PAGES, details, and_(details.c.sheet_id == _PAGES.c.id, NOT_VOIDED))
    .group_by(details.c.product_id)
    .subquery()
)


def _most_frequent(counted: FromClause) -> Select[Any]:
    """Select the active products that were counted, the most frequent first."""
    return (
        ALL_PRODUCTS.join(counted, counted.c.product_id == products.c.id)
        .where(products.c.active)
        .order_by(counted.c.times.desc(), counted.c.last.desc())
        .limit(bindparam("most"))
    )


# By whether the sheet is that of an area.
_OF_AREA = {False: _most_frequent(_COUNTED), True: _most_frequent(_COUNTED_ON_PAGES)}
_ACTIVE = ALL_PRODUCTS.where(products.c.active, products.c.id.in_(bindparam("ids", expanding=True)))
_QUANTITIES = (
    select(details.c.quantity)
    .where(details.c.product_id == bindparam("product_id"), NOT_VOIDED, IS_FOR_PATIENT)
    .order_by(details.c.id.desc())
    .limit(bindparam("most"))
)


class SqlUsualProducts:
    """Usual products and quantities."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def place_of(self, sheet_id: int) -> SheetPlace | None:
        """Return the area of a sheet; None if it does not exist."""
        row = self._connection.execute(_PLACE, {"sheet_id": sheet_id}).one_or_none()
        return SheetPlace._make(row) if row else None

    def pinned(self, user_id: int, *, most: int) -> list[ProductView]:
        """Return active products pinned by a user, in order of pinning."""
        found = self._connection.execute(_PINNED, {"user_id": user_id, "most": most})
        return [PRODUCT_VIEW.read(row) for row in found]

    def of_person(self, user_id: int, *, is_page: bool, most: int) -> list[ProductView]:
        """Return active products that a user recorded last, latest first."""
        found = self._connection.execute(_OF_PERSON[is_page], {"user_id": user_id, "most": most})
        return [PRODUCT_VIEW.read(row) for row in found]

    def of_area(self, place: SheetPlace, *, most: int) -> list[ProductView]:
        """Return active products of the area's latest details, by frequency."""
        area_id = place.area_id
        found = self._connection.execute(_OF_AREA[place.is_page], {"area_id": area_id, "most": most})
        return [PRODUCT_VIEW.read(row) for row in found]

    def active(self, ids: Iterable[int]) -> list[ProductView]:
        """Return the active products among these."""
        return [PRODUCT_VIEW.read(row) for row in self._connection.execute(_ACTIVE, {"ids": list(ids)})]

    def numbers(self, user_id: int, area_id: int) -> UsualNumbers | None:
        """Return the stored numbers of a user in an area."""
        return read_numbers(self._connection, user_id, area_id)

    def quantities(self, product_id: int, *, most: int) -> list[Decimal]:
        """Return the quantities of the product's latest details, latest first."""
        rows = self._connection.execute(_QUANTITIES, {"product_id": product_id, "most": most})
        return [quantity for (quantity,) in rows]
