"""Streaming reader of HTML tables, often saved as .xls."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path

from lxml import etree

from adapters.spreadsheets.cell_values import as_shown
from adapters.spreadsheets.encodings import letters_of
from adapters.spreadsheets.limits import (
    MAX_COLUMNS,
    MAX_XLS_BYTES,
    check_cell,
    check_columns,
    check_size,
    must_have_fewer_elements,
    must_have_fewer_rows,
    refusal,
)
from adapters.spreadsheets.workbook import Book
from adapters.spreadsheets.xml import put
from application.imports.reading.cells import Cell, FormattedNumber, Formula, RawRow, spreadsheet_value, written
from application.imports.reading.table import Choices, Detection
from domain.common.errors import Code

_CHUNK = 1 << 16
# Maximum number of offered tables, and of tables in a page. Each table is read from the top of the page, so their
# number costs time.
_MAX_TABLES, _TOO_MANY_TABLES = 20, 10_000
# Maximum depth of nested elements, and of nested tables.
_MAX_DEPTH, _MAX_TABLE_DEPTH = 1_000, 20
# Longer tags and comments do not occur in real pages.
_MAX_TAG = 1_000_000
# Elements whose content is not text of their cell.
_IGNORED = frozenset(["script", "style", "select", "textarea", "title"])
_BREAKS = frozenset(["br", "p", "div", "li"])

_NOT_DISPLAYED = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_SPAN = re.compile(r"\s*(\d{1,6})", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?", re.ASCII)
# Dates and times are also stored as numbers, but read as they are shown.
_DAY_OR_TIME = re.compile(r"\d[/:-]\d|[^\W\d_]{3}")


class WebPage(Book):
    """A page whose sheets are its tables, by number."""

    def __init__(self, path: Path, choices: Choices) -> None:
        letters = letters_of(path, choices.encoding, may_tell=True)
        self._path, self._coding = path, letters.coding
        rows: Counter[int] = Counter()
        for table, _ in self._rows_of_tables(must_have_fewer_elements):
            rows[table] += 1
        if not rows:
            raise refusal(Code.FILE_KIND_UNKNOWN, kind="HTML")
        most = sorted(table for table, _ in rows.most_common(_MAX_TABLES))
        kind = Detection("kind", "HTML", "kind.web_page")
        super().__init__([str(table) for table in most], kind, letters.finding, questions=letters.questions)

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield the rows of a table that have cells."""
        wanted = int(sheet)
        for table, row in self._rows_of_tables(partial(self.budget.note, sheet), wanted):
            if table == wanted:
                yield row

    def _rows_of_tables(self, count: Callable[[int], None], last: int = 0) -> Iterator[tuple[int, RawRow]]:
        """Yield the rows of all tables with the table's number.

        Stops at the end of the ``last`` table. ``count`` is called with the number of elements and texts so far.
        """
        reader = _TableReader()
        parser = etree.HTMLParser(target=reader, encoding="utf-8")
        unheard = 0
        try:
            for piece in self._coding.lines(self._path, _CHUNK):
                heard = reader.heard
                parser.feed(piece.encode())
                unheard = unheard + len(piece) if reader.heard == heard else 0
                if unheard > _MAX_TAG:
                    raise refusal(Code.FILE_DAMAGED, line=0)
                count(reader.heard)
                yield from reader.done
                reader.done.clear()
                if last and reader.ended == last:
                    return
            parser.close()
        except etree.LxmlError:
            raise refusal(Code.FILE_DAMAGED, line=0) from None
        yield from reader.done


def open_web_page(path: Path, choices: Choices) -> WebPage:
    """Open the tables of a page. Raise ``Refused`` if there are none."""
    check_size(path.stat().st_size, MAX_XLS_BYTES)
    return WebPage(path, choices)


@dataclass(slots=True)
class _Table:
    """An unfinished table, with its current row and cell.

    ``spans`` maps columns that a cell reaches from above to the last row that it reaches.
    """

    number: int
    line: int = 0
    cells: list[Cell] | None = None
    column: int = 0
    further: int = 0
    spans: dict[int, int] = field(default_factory=dict)
    pieces: list[str] | None = None
    length: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_hidden: bool = False


class _TableReader:
    """Parser target that collects the cells of all tables into rows.

    A nested table is a table of its own.
    """

    def __init__(self) -> None:
        self.done: list[tuple[int, RawRow]] = []
        self.ended = self.heard = 0
        self._count = 0
        self._open: list[_Table] = []
        self._depth = self._ignored = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.heard += 1
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise refusal(Code.FILE_DAMAGED, line=0)
        table = self._open[-1] if self._open else None
        if name in _IGNORED:
            self._ignored += 1
        elif name == "table":
            self._begin_table()
        elif table is None:
            pass
        elif name in ("td", "th"):
            self._begin_cell(table, attributes)
        elif name == "tr":
            self._end_row(table)
            self._begin_row(table)
            table.is_hidden = "hidden" in attributes or bool(_NOT_DISPLAYED.search(attributes.get("style") or ""))
        elif name in _BREAKS and table.pieces:
            self._add(table, "\n")

    def end(self, name: str) -> None:
        self._depth -= 1
        if name in _IGNORED:
            self._ignored -= 1
        elif not self._open:
            pass
        elif name in ("td", "th"):
            self._end_cell(self._open[-1])
        elif name == "tr":
            self._end_row(self._open[-1])
        elif name == "table":
            self._end_row(self._open[-1])
            self.ended = self._open.pop().number

    def data(self, text: str) -> None:
        self.heard += 1
        if self._open and self._open[-1].pieces is not None and not self._ignored:
            self._add(self._open[-1], _BLANKS.sub(" ", text))

    def close(self) -> None:
        """Do nothing: the parser closes the elements that the page does not."""

    def _begin_table(self) -> None:
        self._count += 1
        if len(self._open) >= _MAX_TABLE_DEPTH or self._count > _TOO_MANY_TABLES:
            raise refusal(Code.FILE_KIND_UNKNOWN, kind="HTML")
        self._open.append(_Table(self._count))

    def _begin_row(self, table: _Table) -> None:
        must_have_fewer_rows(table.line)
        table.line += 1
        table.cells = []
        table.is_hidden = False
        table.column = 0

    def _end_row(self, table: _Table) -> None:
        self._end_cell(table)
        if table.cells:
            self.done.append((table.number, RawRow(table.line, table.cells, is_hidden=table.is_hidden)))
        table.cells = None

    def _begin_cell(self, table: _Table, attributes: Mapping[str, str]) -> None:
        if table.cells is None:
            self._begin_row(table)
        self._end_cell(table)
        while table.spans.get(table.column, 0) >= table.line:
            table.column += 1
        check_columns(table.column + 1, table.line)
        table.further = _span(attributes.get("colspan"))
        last = table.line + _span(attributes.get("rowspan")) - 1
        if last > table.line:
            reached = range(table.column, min(table.column + table.further, MAX_COLUMNS))
            table.spans.update(dict.fromkeys(reached, last))
        table.pieces, table.length, table.attributes = [], 0, attributes

    def _end_cell(self, table: _Table) -> None:
        if table.pieces is None:
            return
        text = "\n".join(line.strip(" ") for line in "".join(table.pieces).split("\n")).strip("\n")
        cell = _read(text, table.attributes)
        if cell != "" and table.cells is not None:
            put(table.cells, table.column, cell, table.line)
        table.pieces = None
        table.column += table.further

    def _add(self, table: _Table, text: str) -> None:
        assert table.pieces is not None, "there is a cell"
        table.pieces.append(text)
        table.length += len(text)
        check_cell(table.length, table.line)


def _span(value: str | None) -> int:
    found = _SPAN.match(value or "")
    return max(int(found[1]), 1) if found else 1


def _read(text: str, attributes: Mapping[str, str]) -> Cell:
    """Return the cell's value, with the attributes that Excel adds."""
    cell = spreadsheet_value(text)
    if not isinstance(cell, str):
        return cell
    result: str | Decimal | FormattedNumber = cell
    number = attributes.get("x:num", "")
    if _NUMBER.fullmatch(number) and not _DAY_OR_TIME.search(text):
        result = as_shown(Decimal(number), text)
    return Formula(written(result), result if text else None) if "x:fmla" in attributes else result
