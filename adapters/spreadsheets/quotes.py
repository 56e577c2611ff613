"""Quotes in CSV files: a stray quote spoils only its own row.

The csv module reads rows quickly, but takes everything after a stray quote as part of the same cell. So it gets a line
unchanged only if that line is valid by itself, or together with the lines on which its last cell continues. Other lines
are analysed here, and passed to it in their most likely meaning. If this is ambiguous, the row is reported as faulty.
"""

import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import islice
from typing import NamedTuple

from adapters.spreadsheets.limits import MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS, must_have_fewer_rows, refusal
from application.imports.reading.cells import RawRow, spreadsheet_value
from domain.common.errors import Code, Reason

# Lines beyond this length of a cell are not searched: enough to know that the cell is too long.
_MAX_LOOKAHEAD = 6 * MAX_CELL_LENGTH
# Lines with stray quotes have few of them, and files have few such lines. Beyond these limits the analysis stops.
_MAX_QUOTES, _MAX_EFFORT = 4 * MAX_COLUMNS, 2_000_000
# Maximum length of the quotation of a wrong text.
_MAX_QUOTATION = 60
_QUOTES = re.compile('"+')


class Quotes(Enum):
    """Meaning of quotes in a file.

    They delimit cells, as in ``"Gasa, 10 cm"``, or they are literal, as in ``"14" TUBE``.
    """

    DELIMIT = "hold"
    DELIMIT_LENIENT = "hold with care"
    MARK = "mark"


class Quoting(NamedTuple):
    """Meaning of quotes, usual number of columns, line of a stray quote.

    ``stray`` is the first such line, 0 if there is none.
    """

    quotes: Quotes
    columns: int
    stray: int


def detect_quoting(lines: Iterable[str], separator: str) -> Quoting:
    """Detect the meaning of quotes.

    They are literal if more of them cannot delimit a cell than can.
    """
    quoted = QuotedLines(separator)
    widths: Counter[int] = Counter()
    rows = csv.reader(quoted.normalize(lines), delimiter=separator)
    # A too long cell is reported when the rows are read.
    with suppress(csv.Error):
        widths.update(map(len, islice(rows, MAX_ROWS + 2)))
    must_have_fewer_rows(widths.total() - 1)
    del widths[0]
    columns = max(widths, key=lambda width: (widths[width], width), default=1)
    if quoted.marks > quoted.held:
        return Quoting(Quotes.MARK, columns, quoted.stray)
    return Quoting(Quotes.DELIMIT if quoted.is_plain else Quotes.DELIMIT_LENIENT, columns, quoted.stray)


def rows_of(lines: Iterator[str], separator: str, quoting: Quoting, first: int) -> Iterator[RawRow]:
    """Yield the rows; ``first`` is the number of the first line.

    Raise ``Refused`` for a too long cell.
    """
    quoted = QuotedLines(separator, quoting.columns)
    match quoting.quotes:
        case Quotes.DELIMIT:
            reader = csv.reader(lines, delimiter=separator)
        case Quotes.DELIMIT_LENIENT:
            reader = csv.reader(quoted.normalize(lines), delimiter=separator)
        case Quotes.MARK:
            reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    begins = 1
    try:
        for texts in reader:
            cells = [spreadsheet_value(text) if "=" in text else text for text in texts]
            yield RawRow(first - 1 + begins, cells, quoted.faults.pop(begins, None))
            begins = reader.line_num + 1
    except csv.Error:
        raise refusal(Code.FILE_CELL_TOO_LONG, line=first - 1 + begins, most=MAX_CELL_LENGTH) from None


@dataclass(slots=True)
class QuotedLines:
    """Lines with delimiting quotes, made readable for the csv module.

    ``columns`` is the usual number of columns; while it is unknown, invalid rows become empty. ``faults`` are the
    ambiguous rows by line number.
    """

    separator: str
    columns: int | None = None
    faults: dict[int, Reason] = field(default_factory=dict)
    is_plain: bool = True
    held: int = 0
    marks: int = 0
    stray: int = 0
    _effort: int = 0
    _ahead: deque[str] = field(default_factory=deque)
    _patterns: "_Patterns" = field(init=False)

    def __post_init__(self) -> None:
        self._patterns = _Patterns.of(self.separator)

    def normalize(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield one valid line for each line."""
        rest, number = iter(lines), 0
        is_easy, inner = self._patterns.easy.fullmatch, f'{self.separator}"'
        while text := self._ahead.popleft() if self._ahead else next(rest, ""):
            number += 1
            if '"' not in text:
                yield text
            elif is_easy(text):
                self.held += text[0] == '"' or inner in text
                yield text
            else:
                self.is_plain = False
                more, swallows = self._continuation(text, rest)
                if more:
                    self.held += 1
                    yield text
                    yield from more
                    number += len(more)
                else:
                    yield self._repair(text, number, is_clear=not swallows)

    # --- cells of several lines

    def _continuation(self, text: str, rest: Iterator[str]) -> tuple[list[str], bool]:
        """Return the lines on which the last cell continues.

        The second value is whether they are rows of the table instead.

        A quote that was opened by mistake may find one further down that seems to end it. The lines between them reveal
        this: they are valid rows.
        """
        opened = self._patterns.opens.fullmatch(text)
        if not opened or self._effort > _MAX_EFFORT:
            return [], False
        found: list[str] = []
        letters, swallows = 0, False
        while line := self._ahead.popleft() if self._ahead else next(rest, ""):
            found.append(line)
            letters += len(line)
            if closed := self._patterns.closes.fullmatch(line):
                swallows = self._spans_rows(opened[1], text[opened.end(1) :], found, closed.end(1))
                if swallows:
                    break
                return found, False
            if letters > _MAX_LOOKAHEAD or not self._patterns.goes_on.fullmatch(line):
                break
        self._ahead.extendleft(reversed(found))
        self._effort += len(found)
        return [], swallows

    def _spans_rows(self, before: str, opened: str, found: Sequence[str], closed: int) -> bool:
        """Return whether the lines of a cell contain rows of the table."""
        if self.columns is None or self.columns == 1:
            return False
        rows = [self._width(line) == self.columns for line in found]
        if self.separator not in found[-1][:closed]:
            # The first cell of its row ends here, so the line has as many columns as a row: this is no evidence.
            rows[-1] = False
        width = self._width(f"{before}x") + opened.count(self.separator)
        return any(rows) and (width >= self.columns or all(rows))

    def _width(self, line: str) -> int:
        """Return the number of cells of a line; 0 if its quotes are invalid."""
        if not self._patterns.whole.fullmatch(line):
            return 0
        return len(next(csv.reader([line], delimiter=self.separator)))

    # --- invalid lines

    def _repair(self, text: str, number: int, *, is_clear: bool) -> str:
        bare = text.rstrip("\r\n")
        end = text[len(bare) :]
        readings = [reading for how in self._readings(bare) if (reading := self._cells(bare, how))]
        if self.columns is None:
            return self._count_quotes(text, bare, number, readings)
        likely = [cells for cells in readings if len(cells) == self.columns]
        if is_clear and likely and all(cells == likely[0] for cells in likely):
            return self._line_of(likely[0]) + end
        if self._patterns.whole.fullmatch(text):
            return text
        pieces = bare.split(self.separator)
        wrong = next((piece for piece in pieces if _is_half_quoted(piece.strip())), bare).strip()
        shown = wrong if len(wrong) <= _MAX_QUOTATION else f"{wrong[:_MAX_QUOTATION]}…"
        self.faults[number] = Reason(Code.ROW_QUOTES_UNCLOSED, params={"value": shown})
        return self._line_of([_unquote(piece) for piece in pieces]) + end

    def _readings(self, bare: str) -> Iterator["_Reading"]:
        """Yield the possible readings of a line; none if it would take too long."""
        quotes = bare.count('"')
        self._effort += quotes
        if quotes > _MAX_QUOTES or self._effort > _MAX_EFFORT:
            return
        for padded in (False, True) if self._patterns.padded.search(bare) else (False,):
            for doubled in (True, False) if '""' in bare else (False,):
                yield _Reading(padded, doubled)

    def _count_quotes(self, text: str, bare: str, number: int, readings: Sequence[Sequence[str]]) -> str:
        """Count the quotes of an invalid line for the detection.

        Valid lines determine the number of columns.
        """
        if self._patterns.whole.fullmatch(text):
            return text
        self.stray = self.stray or number
        if readings or any(_is_quoted(piece.strip()) for piece in bare.split(self.separator)):
            self.held += 1
        else:
            self.marks += 1
        return "\n"

    def _line_of(self, cells: Iterable[str]) -> str:
        return self.separator.join('"' + cell.replace('"', '""') + '"' for cell in cells)

    def _cells(self, bare: str, how: "_Reading") -> list[str]:
        """Return the cells of a line in one reading; empty if it is impossible."""
        cells: list[str] = []
        place, padded, tight = 0, 0, 0
        while True:
            opener = self._patterns.opener.match(bare, place)
            if opener:
                end = self._end_of_cell(bare, opener.end(), how)
                if end is None:
                    return []
                cells.append(bare[opener.end() : end.quote].replace('""', '"'))
                place = end.behind
                padded += end.quote + 1 < place < len(bare)
                tight += end.quote + 1 == place < len(bare)
            else:
                start, place = place, bare.find(self.separator, place)
                place = len(bare) if place < 0 else place
                cells.append(bare[start:place])
            if place == len(bare):
                # Blanks after some closing quotes and not after others may follow an inch mark.
                return [] if padded and tight else cells
            place += 1

    def _end_of_cell(self, bare: str, start: int, how: "_Reading") -> "_End | None":
        """Return the end of a cell: its quote, and the position after it.

        The position is that of the separator or of the end of the line.
        """
        for run in _QUOTES.finditer(bare, start):
            behind = self._patterns.behind.match(bare, run.end())
            touches = behind and (how.padded or behind.end() == run.end())
            odd = len(run.group()) % 2 == 1
            if behind and touches and (odd or not how.doubled):
                return _End(run.end() - 1, behind.end())
            if odd and self._follows_a_separator(bare, run.start()):
                # This may be the start of another cell.
                return None
        return None

    def _follows_a_separator(self, bare: str, place: int) -> bool:
        before = place - 1
        while before >= 0 and bare[before] == " ":
            before -= 1
        return before >= 0 and bare[before] == self.separator


class _Reading(NamedTuple):
    """A reading of a line.

    ``padded``: blanks may come between a closing quote and the separator. ``doubled``: two quotes before a separator
    are one within the cell, and not an inch mark and the end of the cell.
    """

    padded: bool
    doubled: bool


class _End(NamedTuple):
    quote: int
    behind: int


def _is_quoted(piece: str) -> bool:
    return len(piece) > 1 and piece[0] == piece[-1] == '"'


def _is_half_quoted(piece: str) -> bool:
    return piece.startswith('"') != piece.endswith('"')


def _unquote(piece: str) -> str:
    bare = piece.strip()
    return bare[1:-1].replace('""', '"') if _is_quoted(bare) else piece


class _Patterns(NamedTuple):
    """Patterns of lines with a separator, without backtracking."""

    easy: re.Pattern[str]
    whole: re.Pattern[str]
    opens: re.Pattern[str]
    goes_on: re.Pattern[str]
    closes: re.Pattern[str]
    opener: re.Pattern[str]
    behind: re.Pattern[str]
    padded: re.Pattern[str]

    @classmethod
    @cache
    def of(cls, separator: str) -> "_Patterns":
        mark, blanks = re.escape(separator), " *+"
        within = '[^"]*+(?:""[^"]*+)*+'
        held, bare = f'"{within}"', f'[^"{mark}\r\n][^{mark}\r\n]*+'
        cell, easy = f"(?>{held}|{bare})?+", f'(?>{held}|(?! ++"){bare})?+'
        more = f"(?:{mark}{cell})*+"
        return cls(
            # Without blanks before an opening quote.
            easy=re.compile(f"{easy}(?:{mark}{easy})*+[\r\n]*"),
            whole=re.compile(f"{cell}{more}[\r\n]*"),
            opens=re.compile(f'((?:{cell}{mark})*+)"{within}'),
            goes_on=re.compile(f'{within}(?:"(?:{mark}{cell}(?={mark}))*+{mark}"{within})?+'),
            closes=re.compile(f'({within}"){more}[\r\n]*'),
            opener=re.compile(f'{blanks}"'),
            behind=re.compile(f"{blanks}(?={mark}|\\Z)"),
            padded=re.compile(f'" ++(?={mark}|\\Z)'),
        )
