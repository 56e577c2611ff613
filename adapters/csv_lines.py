"""Lists as CSV: UTF-8 with BOM, RFC 4180, safe from formulas (contract, section 2)."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from domain.policy import Actor, Permission

PRODUCT_COLUMNS = (
    "id",
    "code",
    "name",
    "price",
    "unit",
    "gtin",
    "category_id",
    "category.code",
    "category.name",
    "active",
)

_PRICED_COLUMNS = {"price", "unit_price", "total", "category.code", "product.category.code", "category_code"}
# How many lines make one piece.
_LINES = 500
# What a spreadsheet would take for a formula; with an apostrophe before it, it is text. One more goes before what looks
# as if it had one, so that the import can take it off again.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def csv_lines(items: Iterable[Mapping[str, Any]], columns: tuple[str, ...], actor: Actor) -> Iterator[str]:
    """The list, some hundred lines at a time. A dot in a column's name leads to a field of a field.

    Columns with prices are left out for those who may not see them.
    """
    if not actor.may(Permission.SEE_PRICES):
        columns = tuple(column for column in columns if column not in _PRICED_COLUMNS)
    buffer = io.StringIO()
    buffer.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(buffer)
    writer.writerow([column.replace(".", "_") for column in columns])
    for number, item in enumerate(items, 1):
        writer.writerow([_cell(item, column) for column in columns])
        if number % _LINES == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def guarded(text: str) -> str:
    """The text, which no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text


def _cell(item: Any, column: str) -> object:
    for name in column.split("."):
        item = item.get(name) if isinstance(item, Mapping) else None
    if isinstance(item, str):
        return guarded(item)
    if isinstance(item, datetime):
        return item.isoformat().replace("+00:00", "Z")
    if isinstance(item, Mapping):
        return json.dumps(item, ensure_ascii=False)
    return int(item) if isinstance(item, bool) else item
