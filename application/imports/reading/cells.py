"""Cells of a table, independent of the file format."""

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from application.common.formula_guard import unguarded
from domain.common.errors import Reason
from domain.common.text import INVISIBLE


class Formula(NamedTuple):
    """A formula cell: its text, and its last result if the file has it."""

    shown: str
    result: "str | Decimal | datetime | bool | FormattedNumber | None" = None


class CellError(NamedTuple):
    """A cell with an error, such as #N/A."""

    shown: str


class FormattedNumber(NamedTuple):
    """A number that is displayed differently: ``MC-0034``, ``15%``, ``1,234``.

    ``is_literal`` means that all of the number is shown, in the same way on every computer. ``unknown_format`` is the
    number format, if the displayed text cannot be determined.
    """

    number: Decimal
    shown: str
    is_literal: bool = False
    unknown_format: str = ""


Cell = str | Decimal | datetime | bool | Formula | CellError | FormattedNumber
"""Text as it is written, or a typed value of a workbook.

A workbook has numbers, moments, booleans, formulas and errors.
"""

# How exports keep spreadsheets from reading a code as a number.
_KEPT_TEXT = re.compile(r'="((?:[^"]|"")*)"')
_ONLY_A_NUMBER = re.compile(r"\D*|-?[\d,]*\d(?:\.\d+)?", re.ASCII)
# Codes contain no non-breaking blanks either.
_UNSEEN_IN_A_CODE = re.compile(f"{INVISIBLE.pattern}|[\u00a0\u2007\u202f]")


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as it is written.

    ``line`` is the line of the text or the row of the sheet on which it begins. With a ``fault``, the cells cannot be
    assigned to columns. ``is_hidden`` means that a filter or a user hides the row in the workbook.
    """

    line: int
    cells: list[Cell]
    fault: Reason | None = None
    is_hidden: bool = False

    def is_empty(self) -> bool:
        """Return whether the row has no content."""
        return not any(isinstance(cell, bool | Decimal) or shown(cell) for cell in self.cells)


def shown(cell: Cell) -> str:
    """Return the cell as text, without blanks and export escapes."""
    if isinstance(cell, FormattedNumber):
        return cell.shown
    if isinstance(cell, str):
        text = (cell if cell.isascii() else INVISIBLE.sub("", cell).replace("\N{NO-BREAK SPACE}", " ")).strip()
        return unguarded(text).strip() if text.startswith("'") else text
    return written(cell)


def written(cell: Cell) -> str:
    """Return the cell as text that parses to the same value again."""
    match cell:
        case str():
            return cell
        case bool():
            return "1" if cell else "0"
        case Decimal():
            return f"{cell:f}"
        case datetime():
            return day_or_moment(cell)
        case Formula() | CellError():
            return cell.shown
        case FormattedNumber():
            # Number formats with thousands separators would cause a question, and formats without digits would lose the
            # number.
            adds_nothing = not cell.is_literal and _ONLY_A_NUMBER.fullmatch(cell.shown)
            return f"{cell.number:f}" if adds_nothing else cell.shown


def visible(cell: Cell, *, code: bool) -> tuple[Cell, str]:
    """Remove invisible characters from the cell.

    Return the cell and the characters, such as ``U+200B``.
    """
    if not isinstance(cell, str) or cell.isascii():
        return cell, ""
    unseen = _UNSEEN_IN_A_CODE if code else INVISIBLE
    found = dict.fromkeys(unseen.findall(cell.strip()))
    return (unseen.sub("", cell), ", ".join(f"U+{ord(letter):04X}" for letter in found)) if found else (cell, "")


def day_or_moment(moment: datetime) -> str:
    """Format a moment without a time zone; midnight becomes a day."""
    return moment.date().isoformat() if moment.time() == moment.min.time() else moment.isoformat(" ")


def evaluated(cell: Cell) -> Cell:
    """Return the cell's value, or the result of its formula.

    The formula itself is returned if the file has no result.
    """
    return cell.result if isinstance(cell, Formula) and cell.result is not None else cell


def spreadsheet_value(text: str) -> Cell:
    """Interpret a text like a spreadsheet.

    A text that begins with ``=`` is a formula, and ``="00123"`` means the text 00123. Exports that mean the text begin
    with an apostrophe instead.
    """
    bare = text.strip()
    if not bare.startswith("="):
        return text
    kept = _KEPT_TEXT.fullmatch(bare)
    return kept[1].replace('""', '"') if kept else Formula(bare)
