"""Tables in text files, with detection of separator and quotes."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from adapters.spreadsheets.encodings import Coding, letters_of
from adapters.spreadsheets.limits import (
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    MAX_LINE_LENGTH,
    check_columns,
    must_have_fewer_rows,
    refusal,
)
from adapters.spreadsheets.quotes import QuotedLines, Quotes, Quoting, detect_quoting, rows_of
from application.imports.reading.cells import RawRow
from application.imports.reading.table import Choices, Detection, Question, Separator
from domain.common.errors import Code

# Characters of the separators.
SEPARATORS: dict[str, str] = {
    Separator.COMMA: ",",
    Separator.SEMICOLON: ";",
    Separator.TAB: "\t",
    Separator.PIPE: "|",
    Separator.NONE: "\x1f",
}

_SNIFFED_ROWS = 300
_MIN_SHARE = 0.6
# Maximum number of separators in a line; quoted cells may contain some.
_MAX_SEPARATORS = 100 * MAX_COLUMNS

# Ctrl-Z, and what may follow it on the last line.
_END, _DOS_END, _MAX_LINE_END = "\x1a", "\x1a\r\n", 3

csv.field_size_limit(MAX_CELL_LENGTH)


@dataclass(frozen=True, slots=True)
class TextTable:
    """A text file with its encoding, separator and quotes."""

    path: Path
    coding: Coding
    separator: str
    quoting: Quoting
    skipped_lines: int
    findings: tuple[Detection, ...]
    questions: tuple[Question, ...]

    @property
    def sheets(self) -> Sequence[str]:
        """Return one sheet without a name."""
        return ("",)

    @property
    def cells_may_shift(self) -> bool:
        """Return True: ``Gasa, 10 cm,3.50`` without quotes is three cells."""
        return True

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield all rows."""
        del sheet
        lines = _lines(self.path, self.coding, self.skipped_lines)
        for number, row in enumerate(rows_of(lines, self.separator, self.quoting, self.skipped_lines + 1)):
            check_columns(len(row.cells), row.line)
            must_have_fewer_rows(number)
            yield row


def open_text(path: Path, choices: Choices) -> TextTable:
    """Open a table in a text file. Raise ``Refused`` if it is no text."""
    letters = letters_of(path, choices.encoding)
    coding, findings = letters.coding, [letters.finding]
    first = next(_lines(path, coding, 0), "")
    declared = _declared_separator(first)
    skipped = 1 if declared else 0
    name: str
    if choices.separator:
        name = choices.separator
        findings.append(Detection("separator", name, "separator.chosen"))
    elif declared:
        name = declared
        findings.append(Detection("separator", name, "separator.told", {"line": first.strip()}))
    else:
        name, columns = _likeliest_separator(path, coding)
        code = "separator.none" if name == "none" else "separator.counted"
        findings.append(Detection("separator", name, code, {"columns": columns}))
    separator = SEPARATORS[name]
    quoting = detect_quoting(_lines(path, coding, skipped), separator)
    if quoting.quotes is Quotes.MARK:
        findings.append(Detection("quotes", "none", "quotes.literal"))
    elif quoting.stray:
        findings.append(Detection("quotes", "stray", "quotes.stray", {"line": skipped + quoting.stray}))
    kind = {"tab": "TSV", "none": "text"}.get(name, "CSV")
    findings.insert(0, Detection("kind", kind, "kind.text"))
    return TextTable(path, coding, separator, quoting, skipped, tuple(findings), letters.questions)


# --- separator -------------------------------------------------------------------------------------------------------


def _declared_separator(first_line: str) -> str | None:
    """Return the separator that Excel's first line declares: ``sep=;``."""
    line = first_line.strip().strip('"').lower()
    names = [name for name, mark in SEPARATORS.items() if line == f"sep={mark}".strip()]
    return names[0] if names and line != "sep=" else "tab" if first_line.rstrip("\r\n").lower() == "sep=\t" else None


def _likeliest_separator(path: Path, coding: Coding) -> tuple[str, int]:
    """Return the separator with the most consistent columns, and their number."""
    best, best_points = ("none", 1), (0.0, 0)
    for name, mark in SEPARATORS.items():
        if name == "none":
            continue
        rows = csv.reader(QuotedLines(mark).normalize(_lines(path, coding, 0)), delimiter=mark)
        widths: Counter[int] = Counter()
        # A too long cell is reported when the rows are read.
        with suppress(csv.Error):
            widths.update(len(row) for row in islice(rows, _SNIFFED_ROWS) if any(row))
        several = {width: count for width, count in widths.items() if width > 1}
        if not several:
            continue
        width = max(several, key=lambda width: (several[width], width))
        share = several[width] / widths.total()
        # Rounding makes a tie if only a few lines differ, such as titles above the header. Then more columns win.
        points = (round(share * 20) / 20, width)
        # Two columns in some lines may be names with a comma. More columns are a table below a page of titles.
        enough = share >= _MIN_SHARE or (width > len(("name", "rest")) and several[width] > 1)
        if enough and points > best_points:
            best, best_points = (name, width), points
    return best


def _lines(path: Path, coding: Coding, skipped: int) -> Iterator[str]:
    """Yield the lines after the skipped ones. Refuse unsafe lines."""
    for number, text in enumerate(coding.lines(path, MAX_LINE_LENGTH), 1):
        if "\x00" in text:
            raise refusal(Code.FILE_WITH_NUL, line=number)
        if len(text) > _MAX_SEPARATORS and max(map(text.count, SEPARATORS.values())) > _MAX_SEPARATORS:
            raise refusal(Code.FILE_TOO_WIDE, line=number, most=MAX_COLUMNS)
        if len(text) >= MAX_LINE_LENGTH:
            raise refusal(Code.FILE_CELL_TOO_LONG, line=number, most=MAX_CELL_LENGTH)
        if number > skipped:
            # Programs of DOS end a file with Ctrl-Z.
            kept = text.rstrip(_DOS_END) if _END in text[-_MAX_LINE_END:] else text
            if kept or not text:
                yield kept
