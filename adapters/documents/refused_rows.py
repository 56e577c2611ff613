"""Refused or doubtful rows of an import, as a CSV file to correct.

The file has the rows as they were, and the reasons. It can be imported after the correction.
"""

import csv
from collections.abc import Sequence
from typing import TextIO

from adapters.i18n import messages
from application.common.formula_guard import guarded
from application.imports.reading.cells import Cell, Formula, written
from application.imports.reading.matching import REASONS_COLUMNS
from domain.common.errors import Reason


class RefusedRows:
    """Writer of refused rows as UTF-8 with BOM.

    A formula is written as its last computed value.
    """

    def __init__(
        self, out: TextIO, columns: Sequence[str], language: str, reasons_column: str = "reasons_column"
    ) -> None:
        self._width, self._language = len(columns), language
        # A file that was refused before has a column of reasons: it is dropped.
        self._indexes = [index for index, name in enumerate(columns) if name.casefold() not in REASONS_COLUMNS]
        out.write("\N{BYTE ORDER MARK}")
        self._writer = csv.writer(out)
        names = [guarded(columns[index]) for index in self._indexes]
        self._writer.writerow([*names, messages.import_word(language, reasons_column)])

    def add(self, cells: Sequence[Cell], reasons: Sequence[Reason]) -> None:
        """Write one row."""
        filled = [_cell_text(cells[index]) if index < len(cells) else "" for index in self._indexes]
        why = " ".join(messages.refusal(self._language, reason) for reason in reasons)
        self._writer.writerow([*filled, why, *map(_cell_text, cells[self._width :])])


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, str):
        # A text that was escaped on arrival stays escaped. A text that is a formula does not become one here.
        return cell if cell.startswith("'") else guarded(cell)
    return guarded(cell.shown if isinstance(cell, Formula) else written(cell))
