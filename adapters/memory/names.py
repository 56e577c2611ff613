"""What things are called, by plain Python."""

from collections.abc import Collection
from typing import Any

from adapters.memory.shelves import Shelves
from domain.user import User


def read_names(shelves: Shelves, field: str, ids: Collection[int]) -> dict[int, str]:
    """What the things with those ids are called, by the field that refers to them."""
    things: dict[str, dict[int, Any]] = {
        "product_id": shelves.products,
        "area_id": shelves.areas,
        "room_id": shelves.rooms,
        "staff_id": shelves.staff,
        "patient_id": shelves.patients,
        "category_id": shelves.categories,
        "sheet_id": {sheet.id: shelves.patients[sheet.patient_id] for sheet in shelves.sheets.values()},
        "account_id": shelves.users,
        "user_id": {user.id: shelves.staff.get(user.staff_id or 0) for user in shelves.users.values()},
        "detail_id": {
            **{
                entry.entity_id: shelves.products.get(int(entry.changes["product_id"][0] or 0))
                for entry in shelves.trail
                if entry.entity == "consumption_detail" and entry.action == "detail.deleted"
            },
            **{detail.id: shelves.products[detail.product_id] for detail in shelves.details.values()},
        },
    }
    found = {each: things[field].get(each) for each in ids}
    return {each: _called(thing) for each, thing in found.items() if thing is not None}


def _called(thing: Any) -> str:
    if isinstance(thing, User):
        return thing.email
    parts = (thing.name, getattr(thing, "first_surname", None), getattr(thing, "second_surname", None))
    return " ".join(part for part in parts if part)
