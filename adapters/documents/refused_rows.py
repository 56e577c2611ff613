"""Rows that were refused, or warned of, as a file to correct and bring in again: as they came, and the reasons."""

import csv
from collections.abc import Sequence
from typing import TextIO

from adapters.i18n import messages
from application.formula_guard import guarded
from application.imports.reading.cells import Cell, Formula, written
from application.imports.reading.matching import REASONS_COLUMNS
from domain.errors import Reason


class RefusedRows:
    """Writes that file, in UTF-8 with a mark. A formula is written as what it last came to."""

    def __init__(
        self, out: TextIO, columns: Sequence[str], language: str, reasons_column: str = "reasons_column"
    ) -> None:
        self._width, self._language = len(columns), language
        # Of a file that comes back for the second time the reasons of the first are not told again.
        self._kept = [index for index, name in enumerate(columns) if name.casefold() not in REASONS_COLUMNS]
        out.write("\N{BYTE ORDER MARK}")
        self._writer = csv.writer(out)
        names = [guarded(columns[index]) for index in self._kept]
        self._writer.writerow([*names, messages.import_word(language, reasons_column)])

    def add(self, cells: Sequence[Cell], reasons: Sequence[Reason]) -> None:
        """Write one more row."""
        filled = [_written(cells[index]) if index < len(cells) else "" for index in self._kept]
        why = " ".join(messages.refusal(self._language, reason) for reason in reasons)
        self._writer.writerow([*filled, why, *map(_written, cells[self._width :])])


def _written(cell: Cell) -> str:
    if isinstance(cell, str):
        # What was guarded when it came stays so, and what is a formula does not become one here.
        return cell if cell.startswith("'") else guarded(cell)
    return guarded(cell.shown if isinstance(cell, Formula) else written(cell))
