"""Reader of XLS workbooks, Excel's format until 2007.

xlrd reads them row by row, without building a rectangle out of a sheet, in a process of its own.
"""

import io
import struct
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import xlrd
from xlrd.biffh import error_text_from_code
from xlrd.formatting import std_format_strings

from adapters.spreadsheets.limits import (
    MAX_XLS_BYTES,
    check_cell,
    check_columns,
    check_size,
    must_have_fewer_rows,
    refusal,
)
from adapters.spreadsheets.number_formats import BUILT_IN, NumberFormat, number_format
from adapters.spreadsheets.workbook import Book, sheets_to_read
from adapters.spreadsheets.xls_process import read_in_own_process
from application.imports.reading.cells import Cell, CellError, Formula, RawRow, written
from application.imports.reading.table import Detection
from domain.common.errors import Code, Refused

# Record types of formulas, by version of the format, and of the end of a sheet.
_FORMULAS, _END = (0x0006, 0x0206, 0x0406), 0x000A
# Record types with row, column and style: formulas, numbers, texts, and several numbers in one record.
_MULTIPLE = 0x00BD
# The record of a row, and the bit of its options that hides it.
_ROW, _HIDDEN = 0x0208, 0x20
_STYLED, _BIFF_5 = frozenset([0x0006, 0x0203, 0x027E, 0x00FD, 0x0204, 0x00D6, _MULTIPLE]), 50
# Names in the file's directory.
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_DOCUMENT = "WordDocument".encode("utf-16-le")
_MAX_NUMBER = 1e30


class OldWorkbook(Book):
    """An XLS workbook with the positions of its sheets."""

    def __init__(self, path: Path, places: dict[str, int]) -> None:
        super().__init__(tuple(places), Detection("kind", "XLS", "kind.old_workbook"))
        self._path = path
        self._places = places

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield the rows of a sheet that have cells."""
        found = read_in_own_process(self._path, self._places[sheet])
        must_have_fewer_rows(next(found) - 1)
        for row in found:
            check_columns(len(row.cells), row.line)
            check_cell(max((len(cell) for cell in row.cells if isinstance(cell, str)), default=0), row.line)
            yield row


def read_sheets(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the sheets' names and visibility."""
    with _Book(path) as book:
        yield from zip(book.sheet_names(), book._sheet_visibility, strict=True)


def read_rows(path: Path, number: int) -> Iterator[int | RawRow]:
    """Yield the number of a sheet's rows, and then those that have cells."""
    with _Book(path) as book:
        read = book.sheet_by_index(number)
        yield read.nrows
        records = _cells(book, number)
        for line in range(read.nrows):
            cells = [
                _cell(kind, value, book.datemode)
                for kind, value in zip(read.row_types(line), read.row_values(line), strict=True)
            ]
            for column, form in records.formats.get(line, {}).items():
                if column < len(cells):
                    cells[column] = _formatted(cells[column], form)
            for column in records.formulas.get(line, ()):
                if column < len(cells):
                    cells[column] = _cached_value(cells[column])
            if cells:
                yield RawRow(line + 1, cells, is_hidden=line in records.hidden)


def open_old_workbook(path: Path) -> OldWorkbook:
    """Open the workbook. Raise ``Refused`` for other files of this container."""
    check_size(path.stat().st_size, MAX_XLS_BYTES)
    content = path.read_bytes()
    if _ENCRYPTED_PACKAGE in content:
        raise refusal(Code.FILE_ENCRYPTED)
    if _DOCUMENT in content:
        raise refusal(Code.FILE_KIND_UNKNOWN, kind="DOC")
    return OldWorkbook(path, sheets_to_read(list(read_in_own_process(path))))


class _Book:
    """Context manager of an open workbook: errors of xlrd become refusals."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Any:
        try:
            self._book = xlrd.open_workbook(str(self._path), logfile=io.StringIO(), on_demand=True, ragged_rows=True)
        except Exception as error:  # noqa: BLE001 - xlrd raises many kinds of errors for damaged files
            raise _to_refusal(error) from None
        return self._book

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._book.release_resources()
        if isinstance(error, Exception) and not isinstance(error, Refused):
            raise _to_refusal(error) from None


def _to_refusal(error: Exception) -> Refused:
    return refusal(Code.FILE_ENCRYPTED) if "encrypted" in str(error).lower() else refusal(Code.FILE_DAMAGED, line=0)


class _Cells(NamedTuple):
    """Data of cells that xlrd does not provide: formulas and number formats.

    ``formulas`` are columns by row. ``formats`` are by row and column. ``hidden`` are the rows that are not shown.
    """

    formulas: dict[int, list[int]]
    formats: dict[int, dict[int, NumberFormat]]
    hidden: set[int]


def _cells(book: Any, number: int) -> _Cells:
    """Read formulas and number formats from the records of a sheet."""
    found = _Cells({}, {}, set())
    known = {
        index: form for index, style in enumerate(book.xf_list) if (form := _format(book, style.format_key)) is not None
    }
    content, place = book.mem, book._sh_abs_posn[number]
    while place + 4 <= len(content):
        record, length = struct.unpack_from("<HH", content, place)
        if record == _END:
            break
        if record == _ROW and length >= 16:
            row, options = struct.unpack_from("<H10xI", content, place + 4)
            if options & _HIDDEN:
                found.hidden.add(row)
        if record in _FORMULAS and length >= 4:
            row, column = struct.unpack_from("<HH", content, place + 4)
            found.formulas.setdefault(row, []).append(column)
        if record in _STYLED and length >= 6 and book.biff_version >= _BIFF_5:
            row, column = struct.unpack_from("<HH", content, place + 4)
            # A record for several cells of a row has a style and a number of six bytes for each.
            several = range(0, length - 6, 6) if record == _MULTIPLE else (0,)
            for after, offset in enumerate(several):
                (style,) = struct.unpack_from("<H", content, place + 8 + offset)
                if style in known:
                    found.formats.setdefault(row, {})[column + after] = known[style]
        place += 4 + length
    return found


def _format(book: Any, key: int) -> NumberFormat | None:
    entry = book.format_map.get(key)
    is_standard = entry is None or entry.format_str == std_format_strings.get(key)
    code = BUILT_IN.get(key, "") if is_standard else entry.format_str
    return number_format(code) if code else None


def _formatted(cell: Cell, form: NumberFormat) -> Cell:
    """Return the cell as it is shown."""
    if isinstance(cell, str):
        return form.text(cell) if cell else cell
    return form.cell(cell) if isinstance(cell, Decimal) else cell


def _cached_value(cell: Cell) -> Cell:
    """Return a formula with its cached value.

    Programs that do not calculate leave an empty text.
    """
    if isinstance(cell, CellError | Formula):
        return cell
    return Formula(written(cell), None if cell == "" else cell)


def _cell(kind: int, value: Any, datemode: int) -> Cell:
    match kind:
        case xlrd.XL_CELL_TEXT:
            return str(value)
        case xlrd.XL_CELL_NUMBER:
            return Decimal(f"{value:.15g}") if abs(value) < _MAX_NUMBER else CellError(f"{value:g}")
        case xlrd.XL_CELL_DATE:
            return _moment(value, datemode)
        case xlrd.XL_CELL_BOOLEAN:
            return bool(value)
        case xlrd.XL_CELL_ERROR:
            return CellError(str(error_text_from_code.get(value, value)))
        case _:
            return ""


def _moment(value: float, datemode: int) -> Cell:
    try:
        moment: datetime = xlrd.xldate_as_datetime(value, datemode)
    except (ValueError, OverflowError, xlrd.XLDateError):
        return Decimal(f"{value:.15g}")
    return moment.strftime("%H:%M") if 0 <= value < 1 else moment.replace(microsecond=0)
