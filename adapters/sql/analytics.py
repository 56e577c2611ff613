"""Views for analysts: stable names and columns, exact decimals, no names of people.

``consumo migrate`` creates them. Their columns are described in docs/analytics.md, which promises that later versions
only append columns.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Numeric,
    Select,
    cast,
    func,
    inspect,
    literal_column,
    select,
    text,
    type_coerce,
)
from sqlalchemy.schema import CreateView

from adapters.sql.catalogue.tables import areas, categories, products, rooms
from adapters.sql.engine.columns import ScaledDecimal
from adapters.sql.sheets.tables import IS_FOR_PATIENT, IS_OF_AREA, NOT_VOIDED, USED_AT, details, sheets, value_of

# A role may be allowed to read just these.
VIEWS = ("analytics_details", "analytics_sheets", "analytics_products", "analytics_areas", "analytics_area_use")

_DIGEST_PREFIX = "consumo:"


def definitions(dialect: Dialect) -> dict[str, Select[Any]]:
    """Return the select of each view."""

    def exact(column: ColumnElement[Any]) -> ColumnElement[Any]:
        return _exact(column, dialect)

    of_lines = (
        select(
            details.c.id.label("detail_id"),
            details.c.sheet_id,
            details.c.day,
            details.c.created_at.label("recorded_at"),
            USED_AT.label("used_at"),
            details.c.product_id,
            products.c.code.label("product_code"),
            products.c.name.label("product_name"),
            products.c.unit,
            categories.c.code.label("category_code"),
            categories.c.name.label("category_name"),
            details.c.area_id,
            areas.c.name.label("area_name"),
            details.c.room_id,
            details.c.kit_id,
            exact(details.c.quantity).label("quantity"),
            exact(details.c.returned).label("returned"),
            exact(details.c.unit_price).label("unit_price"),
            exact(details.c.total).label("total"),
            details.c.lot,
            details.c.expiry,
            details.c.use_reason,
            details.c.unbilled,
            exact(value_of(details.c.quantity)).label("value"),
        )
        # Databases leave out an outer join of which no column is asked for.
        .outerjoin_from(details, products, details.c.product_id == products.c.id)
        .outerjoin(categories, products.c.category_id == categories.c.id)
        .outerjoin(areas, details.c.area_id == areas.c.id)
        .where(NOT_VOIDED)
    )
    of_sheets = (
        select(
            sheets.c.id.label("sheet_id"),
            sheets.c.patient_id,
            sheets.c.admission_date,
            sheets.c.closed_at,
            sheets.c.room_id,
            rooms.c.name.label("room_name"),
            rooms.c.area_id,
            areas.c.name.label("area_name"),
            sheets.c.lines,
            exact(sheets.c.total).label("total"),
        )
        .outerjoin_from(sheets, rooms, sheets.c.room_id == rooms.c.id)
        .outerjoin(areas, rooms.c.area_id == areas.c.id)
        .where(sheets.c.patient_id.is_not(None))
    )
    of_products = select(
        products.c.id.label("product_id"),
        products.c.code,
        products.c.name,
        products.c.unit,
        products.c.gtin,
        categories.c.code.label("category_code"),
        categories.c.name.label("category_name"),
        exact(products.c.price).label("price"),
        products.c.active,
    ).outerjoin_from(products, categories, products.c.category_id == categories.c.id)
    of_areas = select(areas.c.id.label("area_id"), areas.c.code, areas.c.name)
    of_patients, of_area_use = of_lines.where(IS_FOR_PATIENT), of_lines.where(IS_OF_AREA)
    return dict(zip(VIEWS, (of_patients, of_sheets, of_products, of_areas, of_area_use), strict=True))


def create_views(connection: Connection) -> None:
    """Create the views, or replace those that another version made."""
    existing = _digests(connection)
    for name, selected in definitions(connection.dialect).items():
        statement = str(
            CreateView(selected, name, or_replace=connection.dialect.name != "sqlite").compile(
                dialect=connection.dialect, compile_kwargs={"literal_binds": True}
            )
        )
        digest = _DIGEST_PREFIX + hashlib.sha256(statement.encode()).hexdigest()
        # Replacing a view waits for those who read it.
        if existing.get(name) == digest:
            continue
        connection.exec_driver_sql(statement.replace("%%", "%"))
        if connection.dialect.name != "sqlite":
            connection.exec_driver_sql(f"COMMENT ON VIEW {name} IS '{digest}'")


def drop_views(connection: Connection) -> None:
    """Drop the views before tables are rebuilt or dropped.

    On PostgreSQL this also drops what depends on them, such as the views of a network.
    """
    cascade = "" if connection.dialect.name == "sqlite" else " CASCADE"
    for name in VIEWS:
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}{cascade}")


def readers_of(connection: Connection) -> list[str]:
    """Return the roles that may read the views."""
    statement = text(
        "SELECT DISTINCT grantee FROM information_schema.role_table_grants WHERE table_schema = current_schema() "
        "AND table_name = :name AND privilege_type = 'SELECT' AND grantee <> current_user"
    )
    return list(connection.scalars(statement, {"name": VIEWS[0]}))


def grant_views(connection: Connection, roles: list[str]) -> None:
    """Let the roles read the views."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    for role in roles:
        connection.exec_driver_sql(f"GRANT SELECT ON {', '.join(VIEWS)} TO {quote(role)}")


def _digests(connection: Connection) -> Mapping[str, str | None]:
    """Return the digest of each existing view; empty on SQLite."""
    if connection.dialect.name == "sqlite":
        return {}
    inspector = inspect(connection)
    there = set(inspector.get_view_names()) & set(VIEWS)
    return {name: inspector.get_table_comment(name)["text"] for name in there}


def _exact(column: ColumnElement[Any], dialect: Dialect) -> ColumnElement[Any]:
    """Return a decimal; on SQLite, which has none, its exact text."""
    assert isinstance(column.type, ScaledDecimal)
    decimals = column.type.decimals
    stored = type_coerce(column, BigInteger)
    unit: ColumnElement[Any] = literal_column(str(10**decimals))
    if dialect.name == "sqlite":
        sign = func.iif(stored < literal_column("0"), literal_column("'-'"), literal_column("''"))
        pattern: ColumnElement[Any] = literal_column(f"'%s%d.%0{decimals}d'")
        size = func.abs(stored)
        return func.printf(pattern, sign, size.op("/")(unit), size.op("%")(unit))
    return cast(cast(stored, Numeric(24, decimals)) / unit, Numeric(24, decimals))
