"""The columns of lists that are taken out: who sees them, what they are called, and what stands in them."""

import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from adapters.i18n import messages
from domain.policy import Actor, Permission

Value = str | int | Decimal | date | datetime | None

_PRICED = {"price", "unit_price", "total", "category.code", "product.category.code", "category_code"}
_YES_OR_NO = {"active", "closed"}
_NAMED = {"role": "role", "noun": "noun", "status": "room", "type": "room_type"}


def seen_by(actor: Actor, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns without those that this person must not see."""
    if actor.can(Permission.SEE_PRICES):
        return columns
    return tuple(column for column in columns if column not in _PRICED)


def field_name(column: str) -> str:
    """What programs call a column; a dot in it leads to a field of a field."""
    return column.replace(".", "_")


def heading(language: str, column: str) -> str:
    """What people call a column."""
    return messages.column(language, field_name(column))


@cache
def value_of(column: str) -> Callable[[Any], Value]:
    """What takes from an item what it has in that column: several texts with semicolons between them, and changes,
    which are a table of their own, as JSON.
    """
    first, *further = column.split(".")

    def value(item: Any) -> Value:
        found = item.get(first)
        for name in further:
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, list):
            return "; ".join(found) or None
        if isinstance(found, dict):
            return json.dumps(found, ensure_ascii=False)
        return int(found) if isinstance(found, bool) else found

    return value


def localize(language: str, column: str, value: Value) -> Value:
    """The value as people read it: yes and no, the state of a room and a role are words."""
    if value is None:
        return None
    if column in _YES_OR_NO:
        return messages.value(language, "yes" if value else "no")
    return messages.value(language, f"{_NAMED[column]}.{value}") if column in _NAMED else value
