"""Streaming reader of SpreadsheetML 2003, often saved as .xls."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from adapters.spreadsheets.archive import translate_damage
from adapters.spreadsheets.cell_values import moment_of, number_of, time_of_day
from adapters.spreadsheets.limits import (
    MAX_SHEETS,
    MAX_XLS_BYTES,
    check_cell,
    check_size,
    must_have_fewer_rows,
    must_have_fewer_written_rows,
    refusal,
)
from adapters.spreadsheets.number_formats import NumberFormat, number_format
from adapters.spreadsheets.workbook import Book, sheets_to_read
from adapters.spreadsheets.xml import Attributes, put, read_xml, without_prefixes
from application.imports.reading.cells import Cell, CellError, Formula, RawRow, written
from application.imports.reading.table import Detection
from domain.common.errors import Code

_CHUNK = 1 << 16
# Date of values that are only a time of day.
_NO_DAY = datetime(1899, 12, 31)  # noqa: DTZ001
# Formats that are named without a code. The currency depends on the computer.
_NAMED = {
    "General": "", "General Number": "", "Fixed": "0.00", "Standard": "#,##0.00", "Percent": "0.00%",
    "Scientific": "0.00E+00", "Currency": "#,##0.00", "Euro Currency": "[$€-2]#,##0.00",
}  # fmt: skip
_HIDDEN = ("SheetHidden", "SheetVeryHidden")


class XmlWorkbook(Book):
    """A workbook with the positions of its sheets and the styles' formats."""

    def __init__(self, path: Path, places: dict[str, int], formats: dict[str, NumberFormat]) -> None:
        super().__init__(tuple(places), Detection("kind", "XML", "kind.xml_workbook"))
        self._path = path
        self._places = places
        self._formats = formats

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield the rows of a sheet that have cells."""
        reader = _SheetReader(self._places[sheet], self._formats)
        count = 0
        with translate_damage():
            count_elements = partial(self.budget.note, sheet)
            for _ in read_xml(_chunks(self._path), reader.begin, reader.end, reader.hear, count_elements):
                count += len(reader.done)
                must_have_fewer_rows(count - 1)
                yield from reader.done
                reader.done.clear()
                if reader.is_through:
                    return


def open_xml_workbook(path: Path) -> XmlWorkbook:
    """Open the workbook in a file. Raise ``Refused`` if it has no sheets."""
    check_size(path.stat().st_size, MAX_XLS_BYTES)
    names: list[str] = []
    hidden: set[int] = set()
    formats: dict[str, NumberFormat] = {}
    style = ""
    says_whether_hidden = False

    def begin(name: str, attributes: Attributes) -> None:
        nonlocal style, says_whether_hidden
        if name == "Worksheet":
            names.append(without_prefixes(attributes).get("Name", ""))
        elif name == "Style":
            style = without_prefixes(attributes).get("ID", "")
        elif name == "NumberFormat":
            code = without_prefixes(attributes).get("Format", "")
            if found := number_format(_NAMED.get(code, code)):
                formats[style] = found
        says_whether_hidden = name == "Visible"

    def hear(data: str) -> None:
        if says_whether_hidden and data.strip() in _HIDDEN:
            hidden.add(len(names) - 1)

    with translate_damage():
        for _ in read_xml(_chunks(path), begin, text=hear):
            if len(names) > MAX_SHEETS:
                break
    return XmlWorkbook(path, sheets_to_read([(name, place in hidden) for place, name in enumerate(names)]), formats)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


class _SheetReader:
    """Collects the cells of one sheet into rows."""

    def __init__(self, place: int, formats: dict[str, NumberFormat]) -> None:
        self.done: list[RawRow] = []
        self.is_through = False
        self._left = place + 1
        self._formats = formats
        self._line = self._column = self._written_rows = 0
        self._further = self._lines_further = 0
        self._is_hidden = False
        self._cells: list[Cell] = []
        self._cell: Attributes = {}
        self._type = ""
        self._pieces: list[str] = []
        self._length = 0
        self._listening = self._aside = False
        self._is_read = False
        self._value: Cell = ""

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "Worksheet":
            self._left -= 1
        elif self._left:
            pass
        elif name == "Data" and not self._aside:
            self._type = without_prefixes(attributes).get("Type", "String")
            self._listening = True
        elif name == "Cell":
            self._begin_cell(without_prefixes(attributes))
        elif name == "Comment":
            self._aside = True
        elif name == "Row":
            self._written_rows += 1
            must_have_fewer_written_rows(self._written_rows)
            row = without_prefixes(attributes)
            self._line = max(int(row.get("Index", 0)), self._line + 1 + self._lines_further)
            self._lines_further = max(int(row.get("Span", 0)), 0)
            self._is_hidden = row.get("Hidden") == "1"
            self._cells = []
            self._column = -1
            self._further = 0

    def end(self, name: str) -> None:
        if self._left:
            pass
        elif name == "Data":
            self._listening = False
        elif name == "Comment":
            self._aside = False
        elif name == "Cell":
            cell = self._read("".join(self._pieces))
            if cell != "":
                put(self._cells, self._column, cell, self._line)
        elif name == "Row":
            if self._cells:
                self.done.append(RawRow(self._line, self._cells, is_hidden=self._is_hidden))
        elif name == "Worksheet":
            self.is_through = True
            # The rest belongs to other sheets.
            self._left = -1

    def hear(self, data: str) -> None:
        if self._listening:
            self._pieces.append(data)
            self._length += len(data)
            check_cell(self._length, self._line)

    def _begin_cell(self, attributes: Attributes) -> None:
        self._cell = attributes
        self._column = int(attributes["Index"]) - 1 if "Index" in attributes else self._column + 1 + self._further
        if self._column < 0:
            raise refusal(Code.FILE_DAMAGED, line=self._line)
        self._further = max(int(attributes.get("MergeAcross", 0)), 0)
        self._type = ""
        self._pieces.clear()
        self._length = 0

    def _read(self, text: str) -> Cell:
        cell = self._typed(text)
        if "Formula" not in self._cell or isinstance(cell, CellError | Formula):
            return cell
        return Formula(written(cell), cell if self._type else None)

    def _typed(self, text: str) -> Cell:
        match self._type:
            case "Number":
                number = number_of(text.strip(), self._line)
                form = self._formats.get(self._cell.get("StyleID", ""))
                return form.cell(number) if form and not isinstance(number, CellError) else number
            case "DateTime":
                moment = moment_of(text.strip())
                if moment.date() == _NO_DAY.date():
                    return time_of_day((moment - _NO_DAY).total_seconds())
                return moment
            case "Boolean":
                return text.strip() == "1"
            case "Error":
                return CellError(text)
            case _:
                form = self._formats.get(self._cell.get("StyleID", ""))
                return form.text(text) if form and text else text
