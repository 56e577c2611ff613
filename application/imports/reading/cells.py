"""What stands in the cells of a table, whatever kind of file it comes from."""

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from application.formula_guard import unguarded
from domain.errors import Reason
from domain.text import INVISIBLE


class Formula(NamedTuple):
    """A cell that is reckoned from others: as it is shown, and what it last came to, where that is kept."""

    shown: str
    result: "str | Decimal | datetime | bool | FormattedNumber | None" = None


class CellError(NamedTuple):
    """A cell that holds an error, such as #N/A."""

    shown: str


class FormattedNumber(NamedTuple):
    """A number whose cell shows something else, such as ``MC-0034``, ``15%`` or ``1,234``.

    ``is_literal``: all of the number is shown, and in the same way on every computer. Where what is shown cannot be
    told, ``unknown_format`` is the number format.
    """

    number: Decimal
    shown: str
    is_literal: bool = False
    unknown_format: str = ""


Cell = str | Decimal | datetime | bool | Formula | CellError | FormattedNumber
"""Text as it is written; or what a workbook knows to be a number, a moment, true or false, a formula, an error."""

# How a code is kept from being taken for a number.
_KEPT_TEXT = re.compile(r'="((?:[^"]|"")*)"')
_ONLY_A_NUMBER = re.compile(r"\D*|-?[\d,]*\d(?:\.\d+)?", re.ASCII)
# A code has no blanks that do not break, either.
_UNSEEN_IN_A_CODE = re.compile(f"{INVISIBLE.pattern}|[\u00a0\u2007\u202f]")


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row of a table as it is written, and the line of the text or the row of the sheet on which it begins.

    With a ``fault`` nobody can tell which cell is which.
    """

    line: int
    cells: list[Cell]
    fault: Reason | None = None

    def is_empty(self) -> bool:
        """Whether nothing stands in it."""
        return not any(isinstance(cell, bool | Decimal) or shown(cell) for cell in self.cells)


def shown(cell: Cell) -> str:
    """The cell as text, without blanks around it and without what an export put before it."""
    if isinstance(cell, FormattedNumber):
        return cell.shown
    if isinstance(cell, str):
        text = (cell if cell.isascii() else INVISIBLE.sub("", cell).replace("\N{NO-BREAK SPACE}", " ")).strip()
        return unguarded(text).strip() if text.startswith("'") else text
    return written(cell)


def written(cell: Cell) -> str:
    """The cell as text, so that reading it again gives the same."""
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
            # A number with its thousands parted would be asked about, and what shows no digit would be lost.
            adds_nothing = not cell.is_literal and _ONLY_A_NUMBER.fullmatch(cell.shown)
            return f"{cell.number:f}" if adds_nothing else cell.shown


def visible(cell: Cell, *, code: bool) -> tuple[Cell, str]:
    """The cell without what nobody sees in it, and what that was, such as ``U+200B``."""
    if not isinstance(cell, str) or cell.isascii():
        return cell, ""
    unseen = _UNSEEN_IN_A_CODE if code else INVISIBLE
    found = dict.fromkeys(unseen.findall(cell.strip()))
    return (unseen.sub("", cell), ", ".join(f"U+{ord(letter):04X}" for letter in found)) if found else (cell, "")


def day_or_moment(moment: datetime) -> str:
    """A moment without a time zone, as a day where it is midnight."""
    return moment.date().isoformat() if moment.time() == moment.min.time() else moment.isoformat(" ")


def came_to(cell: Cell) -> Cell:
    """What stands in the cell, or what its formula last came to; the formula itself where that is not kept."""
    return cell.result if isinstance(cell, Formula) and cell.result is not None else cell


def spreadsheet_value(text: str) -> Cell:
    """What a spreadsheet makes of a text: what begins with ``=`` is a formula, and ``="00123"`` means the text 00123.

    An export that means the text puts an apostrophe before it.
    """
    bare = text.strip()
    if not bare.startswith("="):
        return text
    kept = _KEPT_TEXT.fullmatch(bare)
    return kept[1].replace('""', '"') if kept else Formula(bare)
