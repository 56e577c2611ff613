"""Lists as CSV: UTF-8 with BOM, RFC 4180, no formula injection.

See docs/contract.md, "Lists as files".
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from adapters.documents.columns import Value, field_name, heading, value_of
from application.common.formula_guard import guarded

# Number of lines per chunk.
_LINES = 500


def csv_lines(
    items: Iterable[Mapping[str, Any]], columns: tuple[str, ...], language: str | None = None
) -> Iterator[str]:
    """Yield the list as chunks of CSV.

    The headings are the words of ``language``, or the field names without a language.
    """
    buffer = io.StringIO()
    buffer.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(buffer)
    writer.writerow([heading(language, column) if language else field_name(column) for column in columns])
    values = [value_of(column) for column in columns]
    for number, item in enumerate(items, 1):
        writer.writerow([_cell(value(item)) for value in values])
        if number % _LINES == 0:
            yield _drain(buffer)
    yield _drain(buffer)


def _drain(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text


def _cell(cell: Value) -> object:
    if isinstance(cell, str):
        return guarded(cell)
    return cell.isoformat().replace("+00:00", "Z") if isinstance(cell, datetime) else cell
