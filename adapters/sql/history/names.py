"""Names of entities, read in bulk."""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Select, Table, bindparam, select

from adapters.sql.accounts.tables import users
from adapters.sql.audit.tables import audit
from adapters.sql.catalogue.tables import products
from adapters.sql.engine.columns import metadata
from adapters.sql.people.tables import patients, staff
from adapters.sql.sheets.tables import details, sheets
from application.common.entities import DETAIL, NAMED, AuditAction


def _select_names(id: ColumnElement[int], *name: ColumnElement[Any]) -> Select[Any]:
    return select(id.label("id"), *name).where(id.in_(bindparam("ids", expanding=True)))


def _name(table: Table) -> list[Column[Any]]:
    return [table.c[name] for name in ("name", "first_surname", "second_surname") if name in table.c]


_NAMES = {
    **{
        kind.reference: _select_names(table.c.id, *_name(table))
        for kind in NAMED
        for table in [metadata.tables[kind.store]]
    },
    "sheet_id": _select_names(sheets.c.id, *_name(patients)).join_from(sheets, patients),
    "account_id": _select_names(users.c.id, users.c.email),
    "user_id": _select_names(users.c.id, *_name(staff)).join_from(users, staff),
    "detail_id": _select_names(details.c.id, products.c.name).join_from(details, products),
}
_DELETED_DETAILS = _select_names(audit.c.entity_id, audit.c.changes).where(
    audit.c.entity == DETAIL.name, audit.c.action == AuditAction.DETAIL_DELETED
)


def read_names(connection: Connection, field: str, ids: Collection[int]) -> dict[int, str]:
    """Return the names of entities by id; ``field`` is the referring field."""
    if not ids:
        return {}
    rows = connection.execute(_NAMES[field], {"ids": sorted(ids)})
    found = {each: " ".join(part for part in name if part) for each, *name in rows}
    gone = set(ids) - set(found)
    if field == "detail_id" and gone:
        deleted = connection.execute(_DELETED_DETAILS, {"ids": sorted(gone)}).all()
        product_of = {row.id: json.loads(row.changes)["product_id"][0] for row in deleted}
        products_called = read_names(connection, "product_id", set(product_of.values()))
        found |= {each: products_called[product] for each, product in product_of.items() if product in products_called}
    return found
