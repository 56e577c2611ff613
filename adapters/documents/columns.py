"""Columns of exported lists: headings and values."""

import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from adapters.i18n import messages

Value = str | int | Decimal | date | datetime | None

_YES_OR_NO = {"active", "asks_lot", "asks_serial", "closed", "implant", "included_in_stay"}
_NAMED = {
    "role": "role",
    "noun": "noun",
    "status": "room",
    "type": "room_type",
    "unbilled": "unbilled",
    "use_reason": "use_reason",
}


def field_name(column: str) -> str:
    """Return the column's name for programs: dots become underscores."""
    return column.replace(".", "_")


def heading(language: str, column: str) -> str:
    """Return the column's heading for people."""
    return messages.column(language, field_name(column))


@cache
def value_of(column: str) -> Callable[[Any], Value]:
    """Return a function that reads the column's value from an item.

    A dot in ``column`` leads to a field of a nested object, or of each one in a list. Lists of texts are joined with
    semicolons. The changes of an audit entry, which are a table of their own, become JSON.
    """
    first, *further = column.split(".")

    def value(item: Any) -> Value:
        found = item.get(first)
        for name in further:
            if isinstance(found, list):
                found = [each[name] for each in found]
            else:
                found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, list):
            return "; ".join(found) or None
        if isinstance(found, dict):
            return json.dumps(found, ensure_ascii=False)
        return int(found) if isinstance(found, bool) else found

    return value


def localize(language: str, column: str, value: Value) -> Value:
    """Return the value as words for booleans, statuses and roles."""
    if value is None:
        return None
    if column in _YES_OR_NO:
        return messages.value(language, "yes" if value else "no")
    return messages.value(language, f"{_NAMED[column]}.{value}") if column in _NAMED else value
