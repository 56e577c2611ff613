"""Usual products and quantities, with indexes for the latest details."""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy import Connection, and_, bindparam, func, select, union_all

from adapters.sql.catalogue.products import ALL_PRODUCTS, PRODUCT_VIEW
from adapters.sql.catalogue.tables import favourites, products, rooms
from adapters.sql.sheets.tables import NOT_VOIDED, details, sheets
from adapters.sql.sheets.usual_numbers import read_numbers
from application.catalogue.views import ProductView
from application.sheets.ports import LATEST_OF_AREA, LATEST_OF_PERSON, LATEST_OF_ROOM, LATEST_OF_SHEET
from domain.catalogue.usual_products import UsualNumbers

_AREA = select(rooms.c.area_id).join_from(sheets, rooms).where(sheets.c.id == bindparam("sheet_id"))

_LAST = (
    select(details.c.product_id, details.c.id)
    .where(details.c.user_id == bindparam("user_id"), NOT_VOIDED)
    .order_by(details.c.id.desc())
    .limit(LATEST_OF_PERSON)
    .subquery()
)
_OWN = select(_LAST.c.product_id, func.max(_LAST.c.id).label("last")).group_by(_LAST.c.product_id).subquery()
_OF_PERSON = (
    ALL_PRODUCTS.join(_OWN, _OWN.c.product_id == products.c.id)
    .where(products.c.active)
    .order_by(_OWN.c.last.desc())
    .limit(bindparam("most"))
)

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
_OF_AREA = (
    ALL_PRODUCTS.join(_COUNTED, _COUNTED.c.product_id == products.c.id)
    .where(products.c.active)
    .order_by(_COUNTED.c.times.desc(), _COUNTED.c.last.desc())
    .limit(bindparam("most"))
)
_ACTIVE = ALL_PRODUCTS.where(products.c.active, products.c.id.in_(bindparam("ids", expanding=True)))
_QUANTITIES = (
    select(details.c.quantity)
    .where(details.c.product_id == bindparam("product_id"), NOT_VOIDED)
    .order_by(details.c.id.desc())
    .limit(bindparam("most"))
)


class SqlUsualProducts:
    """Usual products and quantities."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def area_of(self, sheet_id: int) -> int | None:
        """Return the area of the sheet's room; None without such a sheet."""
        return self._connection.execute(_AREA, {"sheet_id": sheet_id}).scalar_one_or_none()

    def pinned(self, user_id: int, *, most: int) -> list[ProductView]:
        """Return active products pinned by a user, in order of pinning."""
        found = self._connection.execute(_PINNED, {"user_id": user_id, "most": most})
        return [PRODUCT_VIEW.read(row) for row in found]

    def of_person(self, user_id: int, *, most: int) -> list[ProductView]:
        """Return active products that a user recorded last, latest first."""
        found = self._connection.execute(_OF_PERSON, {"user_id": user_id, "most": most})
        return [PRODUCT_VIEW.read(row) for row in found]

    def of_area(self, area_id: int, *, most: int) -> list[ProductView]:
        """Return active products of the area's latest details, by frequency."""
        found = self._connection.execute(_OF_AREA, {"area_id": area_id, "most": most})
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
