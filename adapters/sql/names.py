"""What things are called, many at once."""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, select

from adapters.sql.tables import areas, audit, categories, details, patients, products, rooms, sheets, staff, users


def _called(id: ColumnElement[int], *name: ColumnElement[Any]) -> Select[Any]:
    return select(id.label("id"), *name).where(id.in_(bindparam("ids", expanding=True)))


_FULL_NAME = (staff.c.name, staff.c.first_surname, staff.c.second_surname)
_PATIENT = (patients.c.name, patients.c.first_surname, patients.c.second_surname)
_NAMES = {
    "product_id": _called(products.c.id, products.c.name),
    "area_id": _called(areas.c.id, areas.c.name),
    "room_id": _called(rooms.c.id, rooms.c.name),
    "staff_id": _called(staff.c.id, *_FULL_NAME),
    "patient_id": _called(patients.c.id, *_PATIENT),
    "category_id": _called(categories.c.id, categories.c.name),
    "sheet_id": _called(sheets.c.id, *_PATIENT).join_from(sheets, patients),
    "account_id": _called(users.c.id, users.c.email),
    "user_id": _called(users.c.id, *_FULL_NAME).join_from(users, staff),
    "detail_id": _called(details.c.id, products.c.name).join_from(details, products),
}
_DELETED_DETAILS = _called(audit.c.entity_id, audit.c.changes).where(
    audit.c.entity == "consumption_detail", audit.c.action == "detail.deleted"
)


def read_names(connection: Connection, field: str, ids: Collection[int]) -> dict[int, str]:
    """What the things with those ids are called, by the field that refers to them."""
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
