"""A parsed row of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from application.imports.reading.cells import (
    RawRow,
    shown,
)
from domain.common.errors import Reason

Value = str | Decimal | date | datetime | int | None

# The maximum length of a quoted cell.
_MAX_QUOTED = 80


@dataclass(frozen=True, slots=True)
class Row:
    """A parsed row. A field whose cell is invalid is empty and in ``faults``.

    ``warnings`` are about cells that were parsed, but perhaps not as intended. ``columns`` has the index of each
    field's cell.
    """

    line: int
    values: Mapping[str, Value]
    faults: tuple[Reason, ...]
    raw: RawRow
    warnings: tuple[Reason, ...] = ()
    columns: Mapping[str, int] | None = None

    def text(self, name: str) -> str:
        """Return the text of a field, or an empty text."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> Decimal | None:
        """Return the number of a field, or None."""
        value = self.values.get(name)
        return value if isinstance(value, Decimal) else None

    def day(self, name: str) -> date | None:
        """Return the day of a field, or None."""
        value = self.values.get(name)
        return value if isinstance(value, date) else None

    def choice(self, name: str) -> int | None:
        """Return the numbered choice of a field, such as 1 for yes, or None."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def wrong(self, *names: str | None) -> tuple[Reason, ...]:
        """Return the errors of these fields; None is the row as a whole."""
        return tuple(reason for reason in self.faults if reason.field in names)

    def quoted(self, name: str) -> str:
        """Return the cell of a field as written, shortened for a message."""
        if self.columns is None:
            return quotable(self.text(name))
        index = self.columns.get(name, len(self.raw.cells))
        return quotable(shown(self.raw.cells[index])) if index < len(self.raw.cells) else ""

    def quoting(self, reason: Reason) -> Reason:
        """Add the cell's text to the parameters of a reason."""
        value = self.quoted(reason.field) if reason.field and "value" not in reason.params else ""
        return replace(reason, params={**reason.params, "value": value}) if value else reason


def quotable(text: str) -> str:
    """Shorten a text for a message."""
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"
