"""Product codes, and the history of packs."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.products import ALL_PRODUCTS, PLAIN_PRODUCT, PRODUCT_VIEW
from adapters.sql.catalogue.tables import IS_RECALLED, areas, product_codes, products, recalls, unknown_codes
from adapters.sql.engine.columns import QUANTITY
from adapters.sql.engine.row_shape import RowShape, or_none
from adapters.sql.people.patient_keys import IS_PATIENTS
from adapters.sql.sheets.tables import NOT_VOIDED, SERIAL_KEY, details
from application.catalogue.pack_views import RecallInForceView, SerialUsedView
from application.catalogue.ports import KnownCode
from application.catalogue.views import TypedProductView, UnknownCodeView
from domain.catalogue.product import ONE
from domain.common.text import code_key
from domain.sheets.detail import InputMethod

_TEXT = products.c.code.type


_IS_GTIN = and_(
    product_codes.c.system == literal_column("'gtin'"), product_codes.c.code_key == bindparam("gtin", type_=_TEXT)
)
_IS_HIBC = and_(
    product_codes.c.system == literal_column("'hibc'"),
    product_codes.c.code_key.in_(bindparam("hibc", type_=_TEXT, expanding=True)),
)
_BY_CODE = (
    ALL_PRODUCTS.add_columns(product_codes.c.system, product_codes.c.units, product_codes.c.label)
    .join(product_codes, product_codes.c.product_id == products.c.id)
    .where(
        product_codes.c.id.in_(
            select(product_codes.c.id).where(
                or_(_IS_GTIN, _IS_HIBC, product_codes.c.code_key == bindparam("any_code", type_=_TEXT))
            )
        )
    )
)
_OWN = ALL_PRODUCTS.add_columns(literal("code"), literal(ONE, type_=QUANTITY), null().label("label")).where(
    products.c.code_key == bindparam("code", type_=_TEXT)
)
_KNOWN = _BY_CODE.union_all(_OWN)

_RECALL_IN_FORCE = RowShape[RecallInForceView](RecallInForceView, recalls, names={"since": recalls.c.opened_at})
_RECALL = (
    select(*_RECALL_IN_FORCE.columns)
    .where(
        recalls.c.product_id == bindparam("product_id"),
        IS_RECALLED,
        or_(recalls.c.lot.is_(None), recalls.c.lot_key == bindparam("lot_key", type_=_TEXT)),
    )
    .order_by(recalls.c.id)
    .limit(1)
)
_SERIAL_USE = RowShape[SerialUsedView](
    SerialUsedView, names={"consumption_sheet_id": details.c.sheet_id, "at": details.c.created_at}
)
_SERIAL_USED = (
    select(*_SERIAL_USE.columns)
    .where(
        details.c.serial.is_not(None),
        bindparam("serial_key", type_=_TEXT) == SERIAL_KEY,
        details.c.product_id == bindparam("product_id"),
        NOT_VOIDED,
    )
    .order_by(details.c.id)
    .limit(1)
)
_IS_KNOWN = or_(
    exists().where(
        product_codes.c.system == unknown_codes.c.system, product_codes.c.code_key == unknown_codes.c.code_key
    ),
    exists().where(unknown_codes.c.system == literal_column("'code'"), products.c.code_key == unknown_codes.c.code_key),
    exists().where(
        unknown_codes.c.system == literal_column("'code'"), product_codes.c.code_key == unknown_codes.c.code_key
    ),
)
# The codes of users take turns, so that those which one user makes up do not displace the others.
_TURN = func.row_number().over(
    partition_by=unknown_codes.c.last_user_id, order_by=(unknown_codes.c.last_at.desc(), unknown_codes.c.code_key)
)
_unknown = (
    select(
        unknown_codes.c.system,
        unknown_codes.c.code_key,
        unknown_codes.c.code,
        unknown_codes.c.times,
        unknown_codes.c.last_at,
        _TURN.label("turn"),
    )
    .where(~_IS_KNOWN, ~IS_PATIENTS)
    .subquery("unknown")
)
_chosen = (
    select(_unknown)
    .order_by(_unknown.c.turn, _unknown.c.last_at.desc(), _unknown.c.system, _unknown.c.code_key)
    .limit(bindparam("most"))
    .subquery("chosen")
)
_UNKNOWN_CODE = RowShape[UnknownCodeView](UnknownCodeView, _chosen)
UNKNOWN_CODES = select(*_UNKNOWN_CODE.columns).order_by(_chosen.c.last_at.desc(), _chosen.c.system, _chosen.c.code_key)


def _times(method: InputMethod) -> ColumnElement[int]:
    return func.sum(case((details.c.input_method == method, 1), else_=0))


# As expressions, because SQLite would otherwise use an index of products or areas, and read all lines, however old.
_PRODUCT_ID = details.c.product_id + literal_column("0")
_AREA_ID = details.c.area_id + literal_column("0")
_CHOSEN = (
    select(
        _PRODUCT_ID.label("product_id"),
        _AREA_ID.label("area_id"),
        _times(InputMethod.TEXT).label("typed"),
        _times(InputMethod.SCAN).label("scanned"),
    )
    .where(
        details.c.day >= bindparam("since", type_=details.c.day.type),
        details.c.input_method.is_not(None),
        NOT_VOIDED,
    )
    .group_by(_PRODUCT_ID, _AREA_ID)
    .having(_times(InputMethod.TEXT) > 0)
)


def _typed_product(of: FromClause) -> RowShape[TypedProductView]:
    return RowShape[TypedProductView](
        TypedProductView, of, names={"product": PLAIN_PRODUCT, "area": or_none(AREA_NAME)}
    )


def _typed(chosen: Select[Any]) -> Select[Any]:
    """Select the active products with a code among those that were chosen."""
    of = chosen.subquery("chosen")
    return (
        select(*_typed_product(of).columns)
        .join_from(of, products, products.c.id == of.c.product_id)
        .outerjoin(areas, areas.c.id == of.c.area_id)
        .where(
            products.c.active,
            or_(products.c.code.is_not(None), exists().where(product_codes.c.product_id == products.c.id)),
        )
        .order_by(of.c.typed.desc(), products.c.name_folded, products.c.id, func.coalesce(areas.c.id, 0))
        .limit(bindparam("most"))
    )


# Both statements select its columns.
_TYPED_PRODUCT = _typed_product(_CHOSEN.subquery())
_TYPED = _typed(_CHOSEN)
_TYPED_IN_AREA = _typed(_CHOSEN.where(bindparam("area_id") == _AREA_ID))


class SqlPacks:
    """Products by code, recalls and used serial numbers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def known(
        self, *, gtin: str | None, hibc: Collection[str], code: str | None, any_code: str | None
    ) -> list[KnownCode]:
        """Return products by GTIN, HIBC, own code or a code of any system.

        A GTIN has 14 digits.
        """
        params = {"gtin": gtin, "hibc": [*hibc], "code": code, "any_code": any_code}
        rows = self._connection.execute(_KNOWN, params)
        found = [KnownCode(PRODUCT_VIEW.read(row), *row[-3:]) for row in rows]
        return sorted(found, key=lambda known: (known.product["id"], known.system == "code"))

    def recall(self, product_id: int, lot_key: str | None) -> RecallInForceView | None:
        """Return the recall in force for a pack."""
        row = self._connection.execute(_RECALL, {"product_id": product_id, "lot_key": lot_key}).one_or_none()
        return _RECALL_IN_FORCE.read(row) if row else None

    def serial_used(self, product_id: int, serial: str | None) -> SerialUsedView | None:
        """Return the use of the product's serial number."""
        if not serial:
            return None
        row = self._connection.execute(
            _SERIAL_USED, {"product_id": product_id, "serial_key": code_key(serial)}
        ).one_or_none()
        return _SERIAL_USE.read(row) if row else None

    def unknown(self, *, most: int) -> list[UnknownCodeView]:
        """Return scanned codes without a product, latest first."""
        return [_UNKNOWN_CODE.read(row) for row in self._connection.execute(UNKNOWN_CODES, {"most": most})]

    def typed(self, *, since: date, area_id: int | None, most: int) -> list[TypedProductView]:
        """Return active products with a code that were chosen by name, by area."""
        values: dict[str, object] = {"since": since, "most": most}
        if area_id is None:
            rows = self._connection.execute(_TYPED, values)
        else:
            rows = self._connection.execute(_TYPED_IN_AREA, values | {"area_id": area_id})
        return [_TYPED_PRODUCT.read(row) for row in rows]


class SqlUnknownCodes:
    """Scanned codes without a product."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count(self, system: str, code: str, *, at: datetime, user_id: int) -> None:
        """Count one more scan of a code."""
        insert = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        row = {
            "system": str(system),
            "code_key": code_key(code),
            "code": code,
            "times": 1,
            "last_at": at,
            "last_user_id": user_id,
        }
        self._connection.execute(
            insert(unknown_codes)
            .values(row)
            .on_conflict_do_update(
                index_elements=["system", "code_key"],
                set_={"times": unknown_codes.c.times + literal(1), "last_at": at, "last_user_id": user_id},
            )
        )

    def remove(self, system: str, code: str) -> bool:
        """Delete a code, and return whether it existed."""
        gone = self._connection.execute(
            delete(unknown_codes).where(unknown_codes.c.system == system, unknown_codes.c.code_key == code_key(code))
        )
        return gone.rowcount > 0

    def is_noted(self, system: str, code: str) -> bool:
        """Return whether a code is stored."""
        same = unknown_codes.c.system == system, unknown_codes.c.code_key == code_key(code)
        return self._connection.execute(select(literal(1)).where(*same)).one_or_none() is not None

    def scanned_by(self, user_id: int, since: datetime) -> int:
        """Return how many codes a user was the last to scan."""
        theirs = unknown_codes.c.last_at >= since, unknown_codes.c.last_user_id == user_id
        return int(
            self._connection.execute(select(func.count()).select_from(unknown_codes).where(*theirs)).scalar_one()
        )

    def purge(self, before: datetime) -> None:
        """Delete codes that were last scanned before a moment."""
        self._connection.execute(delete(unknown_codes).where(unknown_codes.c.last_at < before))
