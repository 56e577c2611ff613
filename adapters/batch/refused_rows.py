"""Refused rows as a file that can be corrected and brought in again: as they came, and their reasons."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from adapters import words
from adapters.csv_lines import guarded
from application.imports.cells import Cell, Formula, written
from application.imports.matching import REASONS_COLUMNS
from domain.refusal import Reason

_LINES = 500


def refused_rows(
    columns: Sequence[str], rows: Iterable[tuple[Sequence[Cell], Sequence[Reason]]], language: str
) -> Iterator[str]:
    """The file, some hundred lines at a time. A formula is written as what it last came to."""
    buffer = io.StringIO()
    buffer.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(buffer)
    # Of a file that comes back for the second time the reasons of the first are not told again.
    kept = [index for index, name in enumerate(columns) if name.casefold() not in REASONS_COLUMNS]
    writer.writerow([*(guarded(columns[index]) for index in kept), words.import_word(language, "reasons_column")])
    for number, (cells, reasons) in enumerate(rows, 1):
        filled = [_written(cells[index]) if index < len(cells) else "" for index in kept]
        why = " ".join(words.refusal(language, reason) for reason in reasons)
        writer.writerow([*filled, why, *map(_written, cells[len(columns) :])])
        if number % _LINES == 0:
            yield _taken(buffer)
    yield _taken(buffer)


def _written(cell: Cell) -> str:
    if isinstance(cell, str):
        # What was guarded when it came stays so, and what is a formula does not become one here.
        return cell if cell.startswith("'") else guarded(cell)
    return guarded(cell.shown if isinstance(cell, Formula) else written(cell))


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
