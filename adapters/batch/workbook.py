"""XLSX workbooks, read as a stream: a sheet is never whole in memory, and a row costs what stands in it.

Libraries build a rectangle out of a sheet, so that two cells in opposite corners are worth gigabytes. Python's own ZIP
and XML readers are enough for what a table is made of, and let every limit be held while reading.
"""

import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Context, Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from adapters.batch.limits import (
    LARGEST_PART,
    LARGEST_UNPACKED,
    LONGEST_CELL,
    MOST_SHARED_LETTERS,
    MOST_SHEETS,
    must_fit_into_a_cell,
    must_have_fewer_columns,
    must_have_fewer_rows,
    refusal,
)
from application.formula_guard import guarded
from application.imports.cells import Cell, Fault, Formula, RawRow, written
from application.imports.reading import Finding
from domain.refusal import Code

_CHUNK = 1 << 16
_ENCRYPTED = 0x1
# Whoever lists more than this in an archive lists no workbook.
_LARGEST_LISTING = 2_000_000
_TAIL = 66_000

# Built-in number formats that show days or times (ECMA-376, 18.8.30, with the East Asian ones).
_BUILT_IN_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_BESIDE_THE_DATE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^]]*\]')
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DAY_ZERO, _DAY_ZERO_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001
# Excel takes 1900 for a leap year: days before its 29 February are counted otherwise.
_AFTER_THE_MISTAKE, _LAST_DAY = 61, 2_958_466
# A float's digits beyond the fifteenth are chance, and Excel shows none of them.
_FIFTEEN_DIGITS = Context(prec=15)
_LARGEST_EXPONENT = 30

_DATE = -1
"""Of a number format: a day or a moment. What is above nothing is a number of digits, filled up with zeros."""

Attributes = dict[str, str]


class Workbook:
    """A workbook, and what all of its sheets share."""

    def __init__(
        self,
        path: Path,
        sheets: dict[str, str],
        shared: str | None,
        styles: "Sequence[CellStyle]",
        day_zero: datetime,
    ) -> None:
        self._path = path
        self._sheets = sheets
        self._shared = shared
        self._styles = styles
        self._day_zero = day_zero
        self._texts: list[str] | None = None

    @property
    def findings(self) -> Sequence[Finding]:
        """What kind of file it is."""
        return (Finding("kind", "XLSX", "kind.workbook"),)

    @property
    def sheets(self) -> Sequence[str]:
        """The names of its sheets."""
        return tuple(self._sheets)

    @property
    def cells_may_shift(self) -> bool:
        """Cells have places of their own: what stands beside the columns is a note."""
        return False

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """The rows of a sheet that have cells."""
        with _damage_told(), zipfile.ZipFile(self._path) as file:
            archive = _Archive(file)
            if self._texts is None:
                self._texts = _shared_texts(archive, self._shared) if self._shared else []
            reader = _SheetReader(self._texts, self._styles, self._day_zero)
            for number, row in enumerate(reader.rows(archive.chunks(self._sheets[sheet], LARGEST_UNPACKED))):
                must_have_fewer_rows(number)
                yield row


def open_workbook(path: Path) -> Workbook:
    """The workbook in that file. Raise ``Refused`` for another kind of archive, and for what would do harm."""
    with _damage_told():
        _must_list_little(path)
        with zipfile.ZipFile(path) as file:
            archive = _Archive(file)
            archive.must_be_a_workbook()
            workbook = _workbook(path, archive)
    if not workbook.sheets:
        raise refusal(Code.FILE_WITHOUT_ROWS)
    return workbook


def _workbook(path: Path, archive: "_Archive") -> Workbook:
    main = next(iter(_relations(archive, "", "officeDocument").values()), "xl/workbook.xml")
    listed: list[tuple[str, str, bool]] = []
    properties: Attributes = {}

    def see(name: str, attributes: Attributes) -> None:
        if name == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            listed.append((attributes.get("name", ""), relation, attributes.get("state", "visible") == "visible"))
        elif name == "workbookPr":
            properties.update(attributes)

    _read_part(archive, main, see)
    parts = _relations(archive, main, "worksheet")
    shown = [(name, parts[relation]) for name, relation, visible in listed if relation in parts and visible]
    hidden = [(name, parts[relation]) for name, relation, visible in listed if relation in parts and not visible]
    styles = next(iter(_relations(archive, main, "styles").values()), None)
    return Workbook(
        path,
        # What is hidden is looked at where nothing else is there.
        sheets=dict((shown or hidden)[:MOST_SHEETS]),
        shared=next(iter(_relations(archive, main, "sharedStrings").values()), None),
        styles=_styles(archive, styles) if styles else [],
        day_zero=_DAY_ZERO_OF_1904 if properties.get("date1904") in ("1", "true") else _DAY_ZERO,
    )


# --- the archive -----------------------------------------------------------------------------------------------------


@contextmanager
def _damage_told() -> Iterator[None]:
    """What ZIP and XML readers say of damage, as a refusal."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        expat.ExpatError,
        struct.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OSError,
    ):
        raise refusal(Code.FILE_DAMAGED, line=0) from None


def _must_list_little(path: Path) -> None:
    """Refuse an archive whose list of contents would not fit into memory, before it is read."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - _TAIL, 0))
        tail = file.read()
    end, end_64 = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    sizes = [struct.unpack_from("<I", tail, end + 12)[0]] if end >= 0 else []
    if end_64 >= 0:
        sizes = [struct.unpack_from("<Q", tail, end_64 + 40)[0]]
    if sizes and sizes[0] > _LARGEST_LISTING:
        raise refusal(Code.FILE_UNPACKS_TOO_LARGE, most=LARGEST_UNPACKED // 1_000_000)


class _Archive:
    """The parts of the archive, by their names in small letters: programs disagree about these."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._parts = {part.filename.replace("\\", "/").lstrip("/").lower(): part for part in file.infolist()}

    def must_be_a_workbook(self) -> None:
        """Raise ``Refused`` unless it is one that can be read."""
        if any(part.flag_bits & _ENCRYPTED for part in self._parts.values()):
            raise refusal(Code.FILE_ENCRYPTED)
        if not any(name.endswith("workbook.xml") for name in self._parts):
            kinds = {"workbook.bin": "XLSB", "content.xml": "ODS", "document.xml": "DOCX", "presentation.xml": "PPTX"}
            known = (kind for end, kind in kinds.items() if any(name.endswith(end) for name in self._parts))
            raise refusal(Code.FILE_KIND_UNKNOWN, kind=next(known, "ZIP"))
        if sum(part.file_size for part in self._parts.values()) > LARGEST_UNPACKED:
            raise refusal(Code.FILE_UNPACKS_TOO_LARGE, most=LARGEST_UNPACKED // 1_000_000)

    def has(self, part: str) -> bool:
        """Whether there is such a part."""
        return part.lower() in self._parts

    def chunks(self, part: str, most: int) -> Iterator[bytes]:
        """What is in a part, some at a time, whatever size it claims to have."""
        if not self.has(part):
            raise refusal(Code.FILE_DAMAGED, line=0)
        read = 0
        with self._file.open(self._parts[part.lower()]) as file:
            while chunk := file.read(_CHUNK):
                read += len(chunk)
                if read > most:
                    raise refusal(Code.FILE_UNPACKS_TOO_LARGE, most=most // 1_000_000)
                yield chunk


# --- XML -------------------------------------------------------------------------------------------------------------


def _parser() -> expat.XMLParserType:
    """A parser that takes no document type, and so no entities: workbooks have none, and bombs are made of them."""

    def refuse(*_: object) -> None:
        raise refusal(Code.FILE_WITH_ENTITIES)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    return parser


def _local(name: str) -> str:
    """The name without its namespace's prefix, which programs choose as they like."""
    return name.rpartition(":")[2]


def _read_part(archive: _Archive, part: str, see: Callable[[str, Attributes], None]) -> None:
    """Tell each element of a small part."""
    parser = _parser()
    parser.StartElementHandler = lambda name, attributes: see(_local(name), attributes)
    for chunk in archive.chunks(part, LARGEST_PART):
        parser.Parse(chunk)
    parser.Parse(b"", True)


def _relations(archive: _Archive, part: str, kind: str) -> dict[str, str]:
    """The parts of that kind that a part refers to, by the names it has for them."""
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
    """What a cell's style makes of what is in it.

    ``form``: of a number a date, digits filled up with zeros, or (0) nothing else. ``means_text``: somebody said of a
    text that it is one, and no formula, whatever it begins with.
    """

    form: int
    means_text: bool


_PLAIN = CellStyle(0, False)


def _styles(archive: _Archive, part: str) -> list[CellStyle]:
    """The styles of cells, by their numbers."""
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
    return [CellStyle(_meaning(number, codes.get(number)), means_text) for number, means_text in styles]


def _meaning(number: int, code: str | None) -> int:
    if code is None:
        return _DATE if number in _BUILT_IN_DATES else 0
    if code.strip("0") == "" and len(code) > 1:
        return len(code)
    bare = _BESIDE_THE_DATE.sub("", code.partition(";")[0]).lower()
    return _DATE if bare != "general" and any(letter in bare for letter in "ymdhs") else 0


def _shared_texts(archive: _Archive, part: str) -> list[str]:
    """The texts that cells refer to by number."""
    texts: list[str] = []
    pieces: list[str] = []
    state = {"letters": 0, "listening": 0, "aside": 0}

    def start(name: str, _: Attributes) -> None:
        local = _local(name)
        if local == "si":
            pieces.clear()
        elif local == "t":
            state["listening"] = not state["aside"]
        elif local == "rPh":
            state["aside"] = 1

    def end(name: str) -> None:
        local = _local(name)
        if local == "si":
            texts.append(_unescaped("".join(pieces)))
        elif local == "t":
            state["listening"] = 0
        elif local == "rPh":
            state["aside"] = 0

    def text(data: str) -> None:
        if state["listening"]:
            pieces.append(data)
            state["letters"] += len(data)
            if state["letters"] > MOST_SHARED_LETTERS or len(pieces) > LONGEST_CELL:
                raise refusal(Code.FILE_TOO_LARGE, most=MOST_SHARED_LETTERS // 1_000_000)

    parser = _parser()
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    for chunk in archive.chunks(part, LARGEST_UNPACKED):
        parser.Parse(chunk)
    parser.Parse(b"", True)
    return texts


def _unescaped(text: str) -> str:
    """What XML cannot hold is written as ``_x000D_``."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


class _SheetReader:
    """Gathers the cells of a sheet into rows, as the XML comes."""

    def __init__(self, texts: Sequence[str], styles: Sequence[CellStyle], day_zero: datetime) -> None:
        self._texts = texts
        self._styles = styles
        self._day_zero = day_zero
        self._done: list[RawRow] = []
        self._line = 0
        self._cells: list[Cell] = []
        self._columns: dict[str, int] = {}
        self._column = -1
        self._type = ""
        self._style = 0
        self._pieces: list[str] = []
        self._length = 0
        self._is_formula = self._has_value = False
        self._listening = self._aside = False

    def rows(self, chunks: Iterator[bytes]) -> Iterator[RawRow]:
        parser = _parser()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._hear
        for chunk in chunks:
            parser.Parse(chunk)
            yield from self._done
            self._done.clear()
        parser.Parse(b"", True)
        yield from self._done

    def _start(self, name: str, attributes: Attributes) -> None:
        local = _local(name)
        if local == "c":
            reference = attributes.get("r")
            self._column = self._index(reference.rstrip("0123456789")) if reference else self._column + 1
            self._type = attributes.get("t", "n")
            self._style = int(attributes.get("s", "0"))
            self._is_formula = self._has_value = False
            self._pieces.clear()
            self._length = 0
        elif local in ("v", "t"):
            self._listening = self._has_value = not self._aside
        elif local == "f":
            self._is_formula = True
        elif local == "row":
            told = attributes.get("r", "")
            self._line = max(int(told) if told.isdecimal() else 0, self._line + 1)
            self._cells = []
            self._column = -1
        elif local == "rPh":
            self._aside = True

    def _end(self, name: str) -> None:
        local = _local(name)
        if local in ("v", "t"):
            self._listening = False
        elif local == "c":
            if self._pieces or self._is_formula:
                self._put(self._read("".join(self._pieces)))
        elif local == "row":
            if self._cells:
                self._done.append(RawRow(self._line, self._cells))
                self._cells = []
        elif local == "rPh":
            self._aside = False

    def _hear(self, data: str) -> None:
        if self._listening:
            self._pieces.append(data)
            self._length += len(data)
            must_fit_into_a_cell(self._length, self._line)

    def _put(self, cell: Cell) -> None:
        must_have_fewer_columns(self._column + 1, self._line)
        missing = self._column - len(self._cells)
        if missing >= 0:
            self._cells.extend([""] * missing)
            self._cells.append(cell)
        else:
            self._cells[self._column] = cell

    def _index(self, letters: str) -> int:
        """The index of the column with these letters."""
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
        if not self._is_formula or isinstance(cell, Fault | Formula):
            return cell
        # An empty value is the result of a formula only where that is a text.
        return Formula(written(cell), cell if text or (self._has_value and self._type == "str") else None)

    def _value(self, text: str) -> Cell:
        match self._type:
            case "s":
                number = int(text)
                if not 0 <= number < len(self._texts):
                    raise refusal(Code.FILE_DAMAGED, line=self._line)
                shared = self._texts[number]
                must_fit_into_a_cell(len(shared), self._line)
                return self._text(shared)
            case "inlineStr":
                return self._text(_unescaped(text))
            case "str":
                return _unescaped(text)
            case "b":
                return text.strip() == "1"
            case "e":
                return Fault(text)
            case "d":
                return datetime.fromisoformat(text).replace(tzinfo=None)
            case _:
                return self._number(text.strip())

    def _text(self, text: str) -> str:
        """The text as a text file would have it: what is meant as text has an apostrophe before it there."""
        return guarded(text) if self._styled().means_text else text

    def _styled(self) -> CellStyle:
        return self._styles[self._style] if 0 <= self._style < len(self._styles) else _PLAIN

    def _number(self, text: str) -> Cell:
        if not text:
            return ""
        try:
            number = _FIFTEEN_DIGITS.create_decimal(text)
        except ArithmeticError as error:
            if not isinstance(error, InvalidOperation):
                return Fault(text[:_LARGEST_EXPONENT])
            raise refusal(Code.FILE_DAMAGED, line=self._line) from None
        if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
            return Fault(text[:_LARGEST_EXPONENT])
        form = self._styled().form
        if form == _DATE:
            return self._moment(number)
        return f"{number:f}".zfill(form) if form and number == number.to_integral_value() else number

    def _moment(self, number: Decimal) -> Cell:
        """The moment that so many days after the calendar's beginning mean; a time alone stays a text."""
        if 0 <= number < 1:
            seconds = round(float(number) * 86_400)
            return f"{seconds // 3_600:02}:{seconds // 60 % 60:02}"
        if not 1 <= number < _LAST_DAY:
            return number
        mistaken = self._day_zero == _DAY_ZERO and number < _AFTER_THE_MISTAKE
        moment = self._day_zero + timedelta(days=float(number) + (1 if mistaken else 0))
        return (moment + timedelta(milliseconds=500)).replace(microsecond=0)
