"""Streaming reader of XLSX workbooks: memory depends on a row's content.

Libraries build a rectangle out of a sheet, so two cells in opposite corners cost gigabytes. Python's own ZIP and XML
readers are enough for tables, and allow every limit to be enforced while reading.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import NamedTuple

from adapters.spreadsheets.archive import Archive, open_archive
from adapters.spreadsheets.cell_values import moment_of, number_of, time_of_day, to_the_second
from adapters.spreadsheets.limits import (
    MAX_CELL_LENGTH,
    MAX_PART_BYTES,
    MAX_SHARED_LETTERS,
    MAX_UNPACKED_BYTES,
    check_cell,
    must_have_fewer_rows,
    must_have_fewer_written_rows,
    refusal,
)
from adapters.spreadsheets.number_formats import BUILT_IN, NumberFormat, number_format
from adapters.spreadsheets.workbook import Book, sheets_to_read
from adapters.spreadsheets.xml import Attributes, put, read_whole_xml, read_xml
from application.common.formula_guard import guarded
from application.imports.reading.cells import Cell, CellError, Formula, RawRow, written
from application.imports.reading.table import Detection
from domain.common.errors import Code

# Built-in number formats of dates or times (ECMA-376, 18.8.30, with the East Asian ones).
_BUILT_IN_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_BESIDE_THE_DATE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^]]*\]')
_TRUE = ("1", "true")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DAY_ZERO, _DAY_ZERO_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001
# Excel treats 1900 as a leap year: days before its 29 February have an offset of one.
_FIRST_CORRECT_DAY, _LAST_DAY = 61, 2_958_466


class Workbook(Book):
    """An XLSX workbook, and the data that its sheets share."""

    def __init__(
        self,
        path: Path,
        parts: dict[str, str],
        shared: str | None,
        styles: "Sequence[CellStyle]",
        day_zero: datetime,
    ) -> None:
        super().__init__(tuple(parts), Detection("kind", "XLSX", "kind.workbook"))
        self._path = path
        self._parts = parts
        self._shared = shared
        self._styles = styles
        self._day_zero = day_zero
        self._texts: list[str] | None = None

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield the rows of a sheet that have cells."""
        with open_archive(self._path) as archive:
            if self._texts is None:
                self._texts = _shared_texts(archive, self._shared) if self._shared else []
            reader = _SheetReader(self._texts, self._styles, self._day_zero)
            chunks = archive.chunks(self._parts[sheet], MAX_UNPACKED_BYTES)
            for number, row in enumerate(reader.rows(chunks, partial(self.budget.note, sheet))):
                must_have_fewer_rows(number)
                yield row


def open_workbook(path: Path, archive: Archive) -> Workbook:
    """Open the workbook. Raise ``Refused`` if it has no sheets."""
    main = next(iter(_relations(archive, "", "officeDocument").values()), "xl/workbook.xml")
    listed: list[tuple[str, str, bool]] = []
    properties: Attributes = {}

    def see(name: str, attributes: Attributes) -> None:
        if name == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            listed.append((attributes.get("name", ""), relation, attributes.get("state", "visible") != "visible"))
        elif name == "workbookPr":
            properties.update(attributes)

    _read_part(archive, main, see)
    parts = _relations(archive, main, "worksheet")
    found = [(name, relation, hidden) for name, relation, hidden in listed if relation in parts]
    places = sheets_to_read([(name, hidden) for name, _, hidden in found])
    styles = next(iter(_relations(archive, main, "styles").values()), None)
    return Workbook(
        path,
        parts={name: parts[found[place][1]] for name, place in places.items()},
        shared=next(iter(_relations(archive, main, "sharedStrings").values()), None),
        styles=_styles(archive, styles) if styles else [],
        day_zero=_DAY_ZERO_OF_1904 if properties.get("date1904") in ("1", "true") else _DAY_ZERO,
    )


def _read_part(archive: Archive, part: str, see: Callable[[str, Attributes], None]) -> None:
    """Call ``see`` for each element of a small part."""
    read_whole_xml(archive.chunks(part, MAX_PART_BYTES), see)


def _relations(archive: Archive, part: str, kind: str) -> dict[str, str]:
    """Return the related parts of a kind, by relation id."""
    folder, name = posixpath.split(part)
    found: dict[str, str] = {}

    def see(element: str, attributes: Attributes) -> None:
        if element == "Relationship" and attributes.get("Type", "").endswith(f"/{kind}"):
            target = attributes.get("Target", "")
            target = target if target.startswith("/") else posixpath.join(folder, target)
            found[attributes.get("Id", "")] = posixpath.normpath(target).lstrip("/")

    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    if archive.has(relations):
        _read_part(archive, relations, see)
    return found


class CellStyle(NamedTuple):
    """Effect of a cell's style on its value.

    ``is_date``: a number is a date or a moment. Otherwise ``format`` is its number format. ``means_text``: the author
    marked the text as a text and not a formula, whatever it begins with.
    """

    is_date: bool = False
    format: NumberFormat | None = None
    means_text: bool = False


_PLAIN = CellStyle()


def _styles(archive: Archive, part: str) -> list[CellStyle]:
    """Return the cell styles by index."""
    codes: dict[int, str] = {}
    styles: list[tuple[int, bool]] = []
    within: list[str] = []

    def see(name: str, attributes: Attributes) -> None:
        if name == "numFmt":
            codes[int(attributes.get("numFmtId", "0"))] = attributes.get("formatCode", "")
        elif name in ("cellXfs", "cellStyleXfs"):
            within[:] = [name]
        elif name == "xf" and within == ["cellXfs"]:
            means_text = attributes.get("quotePrefix") in ("1", "true")
            styles.append((int(attributes.get("numFmtId", "0")), means_text))

    _read_part(archive, part, see)
    return [_style(number, codes.get(number), means_text) for number, means_text in styles]


def _style(number: int, code: str | None, means_text: bool) -> CellStyle:
    if number in _BUILT_IN_DATES if code is None else _is_of_dates(code):
        return CellStyle(is_date=True, means_text=means_text)
    code = BUILT_IN.get(number) if code is None else code
    return CellStyle(format=number_format(code) if code else None, means_text=means_text)


def _is_of_dates(code: str) -> bool:
    bare = _BESIDE_THE_DATE.sub("", code.partition(";")[0]).lower()
    return bare != "general" and any(letter in bare for letter in "ymdhs")


def _shared_texts(archive: Archive, part: str) -> list[str]:
    """Return the texts that cells refer to by index."""
    texts: list[str] = []
    pieces: list[str] = []
    state = {"letters": 0, "listening": 0, "aside": 0}

    def begin(name: str, _: Attributes) -> None:
        if name == "si":
            pieces.clear()
        elif name == "t":
            state["listening"] = not state["aside"]
        elif name == "rPh":
            state["aside"] = 1

    def end(name: str) -> None:
        if name == "si":
            texts.append(_unescaped("".join(pieces)))
        elif name == "t":
            state["listening"] = 0
        elif name == "rPh":
            state["aside"] = 0

    def text(data: str) -> None:
        if state["listening"]:
            pieces.append(data)
            state["letters"] += len(data)
            if state["letters"] > MAX_SHARED_LETTERS or len(pieces) > MAX_CELL_LENGTH:
                raise refusal(Code.FILE_TOO_LARGE, most=MAX_SHARED_LETTERS // 1_000_000)

    for _ in read_xml(archive.chunks(part, MAX_UNPACKED_BYTES), begin, end, text):
        pass
    return texts


def _unescaped(text: str) -> str:
    """Replace escapes such as ``_x000D_``, for characters that XML lacks."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


class _SheetReader:
    """Collects the cells of a sheet into rows."""

    def __init__(self, texts: Sequence[str], styles: Sequence[CellStyle], day_zero: datetime) -> None:
        self._texts = texts
        self._styles = styles
        self._day_zero = day_zero
        self._done: list[RawRow] = []
        self._line = self._written_rows = 0
        self._is_hidden = False
        self._cells: list[Cell] = []
        self._columns: dict[str, int] = {}
        self._column = -1
        self._type = ""
        self._style = 0
        self._pieces: list[str] = []
        self._length = 0
        self._is_formula = self._has_value = False
        self._listening = self._aside = False

    def rows(self, chunks: Iterator[bytes], count: Callable[[int], None]) -> Iterator[RawRow]:
        for _ in read_xml(chunks, self._begin, self._end, self._hear, count):
            yield from self._done
            self._done.clear()

    def _begin(self, name: str, attributes: Attributes) -> None:
        if name == "c":
            reference = attributes.get("r")
            self._column = self._index(reference.rstrip("0123456789")) if reference else self._column + 1
            self._type = attributes.get("t", "n")
            self._style = int(attributes.get("s", "0"))
            self._is_formula = self._has_value = False
            self._pieces.clear()
            self._length = 0
        elif name in ("v", "t"):
            self._listening = self._has_value = not self._aside
        elif name == "f":
            self._is_formula = True
        elif name == "row":
            self._written_rows += 1
            must_have_fewer_written_rows(self._written_rows)
            number = attributes.get("r", "")
            self._line = max(int(number) if number.isdecimal() else 0, self._line + 1)
            self._is_hidden = attributes.get("hidden") in _TRUE
            self._cells = []
            self._column = -1
        elif name == "rPh":
            self._aside = True

    def _end(self, name: str) -> None:
        if name in ("v", "t"):
            self._listening = False
        elif name == "c":
            if self._pieces or self._is_formula:
                put(self._cells, self._column, self._read("".join(self._pieces)), self._line)
        elif name == "row":
            if self._cells:
                self._done.append(RawRow(self._line, self._cells, is_hidden=self._is_hidden))
                self._cells = []
        elif name == "rPh":
            self._aside = False

    def _hear(self, data: str) -> None:
        if self._listening:
            self._pieces.append(data)
            self._length += len(data)
            check_cell(self._length, self._line)

    def _index(self, letters: str) -> int:
        """Return the index of the column with these letters."""
        known = self._columns.get(letters)
        if known is None:
            if not 0 < len(letters) <= 3 or not letters.isascii() or not letters.isalpha():
                raise refusal(Code.FILE_DAMAGED, line=self._line)
            known = 0
            for letter in letters.upper():
                known = known * 26 + ord(letter) - ord("A") + 1
            self._columns[letters] = known = known - 1
        return known

    def _read(self, text: str) -> Cell:
        cell = self._value(text)
        if not self._is_formula or isinstance(cell, CellError | Formula):
            return cell
        # An empty value is the result of a formula only if the result is a text.
        return Formula(written(cell), cell if text or (self._has_value and self._type == "str") else None)

    def _value(self, text: str) -> Cell:
        match self._type:
            case "s":
                number = int(text)
                if not 0 <= number < len(self._texts):
                    raise refusal(Code.FILE_DAMAGED, line=self._line)
                shared = self._texts[number]
                check_cell(len(shared), self._line)
                return self._text(shared)
            case "inlineStr":
                return self._text(_unescaped(text))
            case "str":
                return self._text(_unescaped(text), may_be_meant=False)
            case "b":
                return text.strip() == "1"
            case "e":
                return CellError(text)
            case "d":
                return moment_of(text)
            case _:
                return self._number(text.strip())

    def _text(self, text: str, *, may_be_meant: bool = True) -> str:
        """Return the text as in a CSV file: an apostrophe marks intended texts."""
        style = self._cell_style()
        text = style.format.text(text) if style.format and text else text
        return guarded(text) if style.means_text and may_be_meant else text

    def _cell_style(self) -> CellStyle:
        return self._styles[self._style] if 0 <= self._style < len(self._styles) else _PLAIN

    def _number(self, text: str) -> Cell:
        if not text:
            return ""
        number = number_of(text, self._line)
        if isinstance(number, CellError):
            return number
        style = self._cell_style()
        if style.is_date:
            return self._moment(number)
        return style.format.cell(number) if style.format else number

    def _moment(self, number: Decimal) -> Cell:
        """Return the moment of a day number; a time of day becomes a text."""
        if 0 <= number < 1:
            return time_of_day(float(number) * 86_400)
        if not 1 <= number < _LAST_DAY:
            return number
        mistaken = self._day_zero == _DAY_ZERO and number < _FIRST_CORRECT_DAY
        return to_the_second(self._day_zero + timedelta(days=float(number) + (1 if mistaken else 0)))
