"""Product codes."""

from collections.abc import Callable, Hashable
from typing import cast

from sqlalchemy import Connection, bindparam, select

from adapters.sql.catalogue.tables import product_codes
from adapters.sql.engine.row_shape import Computed
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from domain.catalogue.product import CodeSystem, ProductCode

MAPPING = TableMapping[ProductCode](
    product_codes,
    ProductCode,
    keys={"product_id": product_codes.c.product_id},
    written={"system": lambda code: code.system.value, "code_key": lambda code: code.key},
    read={"system": Computed(CodeSystem, product_codes.c.system)},
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
