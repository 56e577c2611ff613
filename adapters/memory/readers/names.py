"""Names of records by id, in memory."""

from collections.abc import Collection
from typing import Any

from adapters.memory.data import MemoryData
from application.entities import NAMED, AuditAction
from domain.user import User


def read_names(data: MemoryData, field: str, ids: Collection[int]) -> dict[int, str]:
    """Map ids to names; ``field`` is the name of the reference."""
    things: dict[str, dict[int, Any]] = {
        **{kind.reference: kind.store_of(data) for kind in NAMED},
        "sheet_id": {sheet.id: data.patients[sheet.patient_id] for sheet in data.sheets.values()},
        "account_id": data.users,
        "user_id": {user.id: data.staff.get(user.staff_id or 0) for user in data.users.values()},
        "detail_id": {
            **{
                entry.entity_id: data.products.get(int(entry.changes["product_id"][0] or 0))
                for entry in data.audit_log
                if entry.action == AuditAction.DETAIL_DELETED
            },
            **{detail.id: data.products[detail.product_id] for detail in data.details.values()},
        },
    }
    found = {each: things[field].get(each) for each in ids}
    return {each: _name_of(thing) for each, thing in found.items() if thing is not None}


def _name_of(thing: Any) -> str:
    if isinstance(thing, User):
        return thing.email
    parts = (thing.name, getattr(thing, "first_surname", None), getattr(thing, "second_surname", None))
    return " ".join(part for part in parts if part)
