"""Product codes."""

from collections.abc import Callable, Hashable
from typing import Any, cast

from sqlalchemy import Connection, Row, bindparam, select

from adapters.sql.table_mapping import TableMapping, TableStore
from adapters.sql.tables import product_codes
from domain.product import CodeSystem, ProductCode


def to_row(code: ProductCode) -> dict[str, Any]:
    """Return the row of a code."""
    return {
        "product_id": code.product_id,
        "system": code.system.value,
        "code": code.code,
        "code_key": code.key,
        "units": code.units,
        "label": code.label,
    }


def to_entity(row: Row[Any]) -> ProductCode:
    """Return the code in a row."""
    return ProductCode(
        id=row.id,
        product_id=row.product_id,
        system=CodeSystem(row.system),
        code=row.code,
        units=row.units,
        label=row.label,
    )


MAPPING = TableMapping(
    product_codes,
    to_row,
    to_entity,
    keys={"product_id": product_codes.c.product_id},
)
_ONE = select(product_codes).where(
    product_codes.c.system == bindparam("system"), product_codes.c.code_key == bindparam("code_key")
)


class SqlProductCodes(TableStore[ProductCode]):
    """Product codes within a unit of work."""

    def __init__(self, connection: Connection, changed: Callable[[], None]) -> None:
        super().__init__(connection, MAPPING, changed)

    def find(self, key: str, value: Hashable) -> ProductCode | None:
        """Return the code with this natural key: system and code key."""
        if key != "code":
            return super().find(key, value)
        system, code_key = cast("tuple[str, str]", value)
        return self._one(_ONE, {"system": str(system), "code_key": code_key})
