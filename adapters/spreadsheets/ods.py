"""Streaming reader of ODS workbooks (LibreOffice and others).

Repeated rows and cells are written once with a count, so a few characters may stand for a billion cells. Each
repetition is counted before it is made.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from adapters.spreadsheets.archive import Archive, open_archive
from adapters.spreadsheets.cell_values import as_shown, moment_of, number_of, time_of_day
from adapters.spreadsheets.limits import (
    MAX_CELL_LENGTH,
    MAX_PART_BYTES,
    MAX_SHEETS,
    MAX_UNPACKED_BYTES,
    check_cell,
    check_columns,
    must_have_fewer_rows,
    must_have_fewer_written_rows,
    refusal,
)
from adapters.spreadsheets.workbook import Book, sheets_to_read
from adapters.spreadsheets.xml import Attributes, put, read_xml, without_prefixes
from application.imports.reading.cells import Cell, CellError, Formula, RawRow, written
from application.imports.reading.table import Detection
from domain.common.errors import Code

_CONTENT, _MANIFEST = "content.xml", "META-INF/manifest.xml"
# Elements within or beside sheets that are not rows.
_IGNORED = frozenset(
    {
        "annotation", "note", "ruby-text", "tracked-changes", "dde-links", "shapes", "frame", "custom-shape", "g",
        "rect", "line", "ellipse", "circle", "polygon", "polyline", "path", "connector", "caption", "control",
        "measure",
    }
)  # fmt: skip
_BLANKS = re.compile(r"[ \t\r\n]+")
_DURATION = re.compile(r"PT(\d{1,4})H(\d{1,4})M(\d{1,4}(?:\.\d+)?)S")
_FAULT = re.compile(r"#(?:N/A|REF!|DIV/0!|VALUE!|NAME\?|NUM!|NULL!)|Err:\d{3}")
_DAY_IN_HOURS = 24


class OpenDocument(Book):
    """An ODS workbook with the positions of its sheets."""

    def __init__(self, path: Path, places: dict[str, int]) -> None:
        super().__init__(tuple(places), Detection("kind", "ODS", "kind.open_document"))
        self._path = path
        self._places = places

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield the rows of a sheet that have cells."""
        with open_archive(self._path) as archive:
            reader = _SheetReader(self._places[sheet])
            chunks, count = archive.chunks(_CONTENT, MAX_UNPACKED_BYTES), partial(self.budget.note, sheet)
            for _ in read_xml(chunks, reader.begin, reader.end, reader.hear, count):
                yield from reader.done
                reader.done.clear()
                if reader.is_through:
                    return


def open_document(path: Path, archive: Archive) -> OpenDocument:
    """Open the workbook. Raise ``Refused`` if encrypted or without sheets."""
    if archive.has(_MANIFEST) and b"encryption-data" in b"".join(archive.chunks(_MANIFEST, MAX_PART_BYTES)):
        raise refusal(Code.FILE_ENCRYPTED)
    listed: list[tuple[str, str]] = []
    unseen: set[str] = set()
    style, within = "", 0

    def begin(name: str, attributes: Attributes) -> None:
        nonlocal style, within
        if name == "table" or name in _IGNORED:
            within += 1
            if name == "table" and within == 1:
                plain = without_prefixes(attributes)
                listed.append((plain.get("name", ""), plain.get("style-name", "")))
        elif name == "style":
            style = without_prefixes(attributes).get("name", "")
        elif name == "table-properties" and without_prefixes(attributes).get("display") == "false":
            unseen.add(style)

    def end(name: str) -> None:
        nonlocal within
        if name == "table" or name in _IGNORED:
            within -= 1

    for _ in read_xml(archive.chunks(_CONTENT, MAX_UNPACKED_BYTES), begin, end):
        if len(listed) > MAX_SHEETS:
            break
    return OpenDocument(path, sheets_to_read([(name, style in unseen) for name, style in listed]))


class _SheetReader:
    """Collects the cells of one sheet into rows."""

    def __init__(self, place: int) -> None:
        self.done: list[RawRow] = []
        self.is_through = False
        self._place = place
        self._sheets = self._ignored = 0
        self._is_here = False
        self._line, self._rows, self._repeated, self._written_rows = 1, 0, 1, 0
        self._is_hidden = False
        self._cells: list[Cell] = []
        self._column = 0
        self._cell: Attributes = {}
        self._pieces: list[str] = []
        self._length = self._paragraphs = 0
        self._listening = False

    def begin(self, name: str, attributes: Attributes) -> None:
        if self._ignored or name in _IGNORED or (name == "table" and self._is_here):
            if name == "table" or name in _IGNORED:
                self._ignored += 1
        elif name == "table":
            self._is_here = True
            self._sheets += 1
        elif self._sheets != self._place + 1:
            pass
        elif name in ("table-cell", "covered-table-cell"):
            self._cell = attributes
            self._pieces.clear()
            self._length = self._paragraphs = 0
        elif name == "p":
            if self._paragraphs:
                self._add("\n")
            self._paragraphs += 1
            self._listening = True
        elif name == "s":
            self._add(" " * min(_count(without_prefixes(attributes).get("c")), MAX_CELL_LENGTH + 1))
        elif name == "line-break":
            self._add("\n")
        elif name == "tab":
            self._add("\t")
        elif name == "table-row":
            self._written_rows += 1
            must_have_fewer_written_rows(self._written_rows)
            row = without_prefixes(attributes)
            self._repeated = _count(row.get("number-rows-repeated"))
            self._is_hidden = row.get("visibility", "visible") != "visible"
            self._cells = []
            self._column = 0

    def end(self, name: str) -> None:
        if self._ignored:
            if name == "table" or name in _IGNORED:
                self._ignored -= 1
        elif name == "table":
            self._is_here = False
            self.is_through = self._sheets == self._place + 1
        elif self._sheets != self._place + 1:
            pass
        elif name == "p":
            self._listening = False
        elif name == "table-cell":
            self._end_cell()
        elif name == "covered-table-cell":
            self._column += _count(without_prefixes(self._cell).get("number-columns-repeated"))
        elif name == "table-row":
            if self._cells:
                self._rows += self._repeated
                must_have_fewer_rows(self._rows - 1)
                self.done += [
                    RawRow(self._line + number, self._cells, is_hidden=self._is_hidden)
                    for number in range(self._repeated)
                ]
            self._line += self._repeated

    def hear(self, data: str) -> None:
        if self._listening and not self._ignored:
            self._add(_BLANKS.sub(" ", data))

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        check_cell(self._length, self._line)

    def _end_cell(self) -> None:
        attributes = without_prefixes(
            {name: value for name, value in self._cell.items() if not name.startswith("calcext:")}
        )
        repeated = _count(attributes.get("number-columns-repeated"))
        cell = self._read(attributes, "".join(self._pieces))
        if cell != "":
            check_columns(self._column + repeated, self._line)
            for column in range(self._column, self._column + repeated):
                put(self._cells, column, cell, self._line)
        self._column += repeated

    def _read(self, attributes: Attributes, text: str) -> Cell:
        kind = attributes.get("value-type")
        is_formula = "formula" in attributes
        if self._cell.get("calcext:value-type") == "error" or (is_formula and _FAULT.fullmatch(text)):
            return CellError(text)
        cell = self._value(kind, attributes, text)
        if not is_formula or isinstance(cell, CellError | Formula):
            return cell
        return Formula(written(cell), cell if kind else None)

    def _value(self, kind: str | None, attributes: Attributes, text: str) -> Cell:
        match kind:
            case "float" | "percentage" | "currency":
                number = number_of(attributes.get("value", ""), self._line)
                return number if isinstance(number, CellError) else as_shown(number, text)
            case "date":
                return moment_of(attributes.get("date-value", ""))
            case "time":
                lasted = _DURATION.fullmatch(attributes.get("time-value", ""))
                if not lasted or int(lasted[1]) >= _DAY_IN_HOURS:
                    return text
                return time_of_day(int(lasted[1]) * 3_600 + int(lasted[2]) * 60 + float(lasted[3]))
            case "boolean":
                return attributes.get("boolean-value") == "true"
            case _:
                text = attributes.get("string-value", text)
                check_cell(len(text), self._line)
                return text


def _count(repeated: str | None) -> int:
    """Return a repetition count, at least 1."""
    return max(int(repeated or 1), 1)
