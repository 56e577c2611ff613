"""Names that users type in vain for products."""

from typing import Any

from sqlalchemy import Row

from adapters.sql.table_mapping import TableMapping
from adapters.sql.tables import typed_names
from domain.typed_name import TypedName


def to_row(typed: TypedName) -> dict[str, Any]:
    """Return the row of a typed name."""
    return {
        "product_id": typed.product_id,
        "name": typed.name,
        "times": typed.times,
        "last_at": typed.last_at,
        "dismissed": typed.dismissed,
    }


def to_entity(row: Row[Any]) -> TypedName:
    """Return the typed name in a row."""
    return TypedName(
        id=row.id,
        product_id=row.product_id,
        name=row.name,
        times=row.times,
        last_at=row.last_at,
        dismissed=row.dismissed,
    )


MAPPING = TableMapping(typed_names, to_row, to_entity, keys={"product_id": typed_names.c.product_id})
