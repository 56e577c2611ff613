"""Codes, lots and serial numbers that people read as equal have one key

Revision: 0059
"""

from collections.abc import Hashable
from typing import Any

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns, build_index, drop_index, recompute
from domain.common.text import code_key

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None

FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")
DETAILS = "consumption_details"


def upgrade() -> None:
    add_columns(DETAILS, sa.Column("lot_key", FOLDED, nullable=True), sa.Column("serial_key", FOLDED, nullable=True))
    # Of an ordinary lot the key is the lot in small letters, which the indexes contain without it: few lines change.
    recompute(_table(DETAILS, "lot", "lot_key", "serial", "serial_key"), _pack)
    for name in ("lot", "serial"):
        is_filled = sa.text(f"{name} IS NOT NULL")
        key = sa.text(f"coalesce({name}_key, lower({name}))")
        index = f"ix_{DETAILS}_{name}_key"
        build_index(index, DETAILS, [key, "product_id"], sqlite_where=is_filled, postgresql_where=is_filled)
        drop_index(f"ix_{DETAILS}_{name}", DETAILS)
    recompute(_table("recalls", "lot", "lot_key"), lambda row: {"lot_key": code_key(row.lot) if row.lot else None})
    _renew_keys("categories", "code", "code_key")
    _renew_keys("products", "code", "code_key")
    _renew_keys("product_codes", "code", "code_key", within="system")
    _forget_unknown_codes()
    _renew_keys("patients", "record_number", "record_key")
    _renew_keys("patient_identifiers", "value", "value_key", within="system")


def _forget_unknown_codes() -> None:
    """Delete noted codes with another key; their next scan notes them."""
    table = sa.table("unknown_codes", *map(sa.column, ("system", "code", "code_key")))
    for row in op.get_bind().execute(sa.select(table)).all():
        if row.code_key != code_key(row.code):
            op.execute(table.delete().where(table.c.system == row.system, table.c.code_key == row.code_key))


def _pack(row: Any) -> dict[str, str | None]:
    return {"lot_key": _key(row.lot, row.lot_key), "serial_key": _key(row.serial, row.serial_key)}


def _key(text: str | None, stored: str | None) -> str | None:
    key = code_key(text) if text else None
    return stored if stored == key or (text is not None and text.isascii() and text.lower() == key) else key


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, ("id", *columns)))


def _renew_keys(name: str, text: str, key: str, *, within: str | None = None) -> None:
    """Recompute the keys of a table.

    Of several texts that are read as equal, only one gets the new key; the others keep theirs.
    """
    table = _table(name, text, key, *filter(None, [within]))

    def scope(row: Any) -> Hashable:
        return getattr(row, within) if within else None

    taken = {(scope(row), getattr(row, key)) for row in op.get_bind().execute(sa.select(table))}

    def renew(row: Any) -> dict[str, str]:
        is_gtin = within == "system" and row.system == "gtin"
        if getattr(row, key) is None or is_gtin:
            return {}
        after = code_key(getattr(row, text))
        if (scope(row), after) in taken:
            return {}
        taken.add((scope(row), after))
        return {key: after}

    recompute(table, renew)
