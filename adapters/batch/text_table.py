"""Tables in text files: encoding, separator and quotes are found out from what is in them."""

import codecs
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from adapters.batch.limits import (
    LONGEST_CELL,
    LONGEST_LINE,
    MOST_COLUMNS,
    must_have_fewer_columns,
    must_have_fewer_rows,
    refusal,
)
from adapters.batch.quotes import QuotedLines, Quotes, Quoting, quoting_of, rows_of
from application.imports.cells import RawRow
from application.imports.reading import Choices, Encoding, Finding, Separator
from domain.refusal import Code

# Their codecs, and the marks.
ENCODINGS: dict[str, str] = {
    Encoding.UTF_8: "utf-8-sig",
    Encoding.UTF_16_LE: "utf-16-le",
    Encoding.UTF_16_BE: "utf-16-be",
    Encoding.WINDOWS_1252: "cp1252",
    Encoding.CP850: "cp850",
    Encoding.MAC_ROMAN: "mac-roman",
}
SEPARATORS: dict[str, str] = {
    Separator.COMMA: ",",
    Separator.SEMICOLON: ";",
    Separator.TAB: "\t",
    Separator.PIPE: "|",
    Separator.NONE: "\x1f",
}

_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)
_CHUNK = 1 << 20
_SNIFFED_ROWS = 300
# Of UTF-16 without a mark at least so much is empty bytes, all on the same side.
_HALF_EMPTY, _SAME_SIDE = 0.2, 0.95
# So few bytes that are not UTF-8, among many that are, are no other encoding but damage.
_DAMAGE = 0.01
_MOSTLY = 0.6
# A whole line may hold separators within quotes, but not so many.
_MOST_MARKS = 100 * MOST_COLUMNS

csv.field_size_limit(LONGEST_CELL)


@dataclass(frozen=True, slots=True)
class TextTable:
    """A text file, and how its rows are read."""

    path: Path
    codec: str
    separator: str
    quoting: Quoting
    skipped_lines: int
    findings: tuple[Finding, ...]

    @property
    def sheets(self) -> Sequence[str]:
        """A text is one sheet without a name."""
        return ("",)

    @property
    def cells_may_shift(self) -> bool:
        """``Gasa, 10 cm,3.50`` without quotes is three cells."""
        return True

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """The rows, from the first one."""
        del sheet
        lines = _lines(self.path, self.codec, self.skipped_lines)
        for number, row in enumerate(rows_of(lines, self.separator, self.quoting, self.skipped_lines + 1)):
            must_have_fewer_columns(len(row.cells), row.line)
            must_have_fewer_rows(number)
            yield row


def open_text(path: Path, choices: Choices) -> TextTable:
    """The table in that text. Raise ``Refused`` for what is no text."""
    encoding, codec, finding = _encoding(path, choices.encoding)
    findings = [finding]
    first = next(_lines(path, codec, 0), "")
    told = _separator_told(first)
    skipped = 1 if told else 0
    name: str
    if choices.separator:
        name = choices.separator
        findings.append(Finding("separator", name, "separator.chosen"))
    elif told:
        name = told
        findings.append(Finding("separator", name, "separator.told", {"line": first.strip()}))
    else:
        name, columns = _likeliest_separator(path, codec)
        code = "separator.none" if name == "none" else "separator.counted"
        findings.append(Finding("separator", name, code, {"columns": columns}))
    separator = SEPARATORS[name]
    quoting = quoting_of(_lines(path, codec, skipped), separator)
    if quoting.quotes is Quotes.MARK:
        findings.append(Finding("quotes", "none", "quotes.literal"))
    elif quoting.stray:
        findings.append(Finding("quotes", "stray", "quotes.stray", {"line": skipped + quoting.stray}))
    kind = {"tab": "TSV", "none": "text"}.get(name, "CSV")
    findings.insert(0, Finding("kind", kind, "kind.text", {"encoding": encoding}))
    return TextTable(path, codec, separator, quoting, skipped, tuple(findings))


# --- encoding --------------------------------------------------------------------------------------------------------


def _encoding(path: Path, chosen: str | None) -> tuple[str, str, Finding]:
    """Its name, its codec, and why."""
    with path.open("rb") as file:
        start = file.read(_CHUNK)
    if chosen:
        codec = ENCODINGS[chosen]
        wrong = _first_undecodable(path, codec)
        if wrong:
            raise refusal(Code.FILE_ENCODING_WRONG, encoding=chosen, line=wrong)
        codec = "utf-16" if codec.startswith("utf-16") and start[:2] in (b"\xff\xfe", b"\xfe\xff") else codec
        return chosen, codec, Finding("encoding", chosen, "encoding.chosen")
    for mark, name, codec in _BOMS:
        if start.startswith(mark):
            wrong = _first_undecodable(path, codec)
            if wrong:
                raise refusal(Code.FILE_DAMAGED, line=wrong)
            return name, codec, Finding("encoding", name, "encoding.marked")
    unmarked = _utf_16_without_mark(start)
    if unmarked and not _first_undecodable(path, unmarked):
        return unmarked, unmarked, Finding("encoding", unmarked, "encoding.half_empty")
    good, bad, line = _count_utf_8(path)
    if not bad:
        return "utf-8", "utf-8", Finding("encoding", "utf-8", "encoding.valid_utf8" if good else "encoding.ascii")
    if bad <= max(good * _DAMAGE, 1) and good > 10 * bad:
        raise refusal(Code.FILE_ENCODING_BROKEN, line=line)
    # Five bytes mean nothing in Windows-1252; whoever has them has the controls of Latin-1.
    codec = "latin-1" if _first_undecodable(path, "cp1252") else "cp1252"
    return "windows-1252", codec, Finding("encoding", "windows-1252", "encoding.not_utf8", {"line": line})


def _utf_16_without_mark(start: bytes) -> str | None:
    """Text in Latin letters is every other byte empty there."""
    empty = start.count(0)
    if empty < _HALF_EMPTY * len(start):
        return None
    behind = start[1::2].count(0)
    if behind >= _SAME_SIDE * empty:
        return "utf-16-le"
    return "utf-16-be" if empty - behind >= _SAME_SIDE * empty else None


def _first_undecodable(path: Path, codec: str) -> int:
    """The line with the first bytes that mean nothing in that encoding; 0 where there are none."""
    decoder = codecs.getincrementaldecoder(codec)()
    line = 1
    with path.open("rb") as file:
        while True:
            chunk = file.read(_CHUNK)
            try:
                line += decoder.decode(chunk, final=not chunk).count("\n")
            except UnicodeDecodeError as error:
                return line + chunk[: error.start].count(b"\n")
            if not chunk:
                return 0


def _count_utf_8(path: Path) -> tuple[int, int, int]:
    """How many characters beyond ASCII are whole in UTF-8, how many are not, and the line of the first of these."""
    good = bad = first = 0
    line = 1
    with path.open("rb") as file:
        for raw in iter(lambda: file.readline(_CHUNK), b""):
            if not raw.isascii():
                text = raw.decode("utf-8", errors="replace")
                broken = text.count("\N{REPLACEMENT CHARACTER}")
                good += sum(1 for letter in text if letter > "\x7f") - broken
                bad += broken
                if broken and not first:
                    first = line
            line += 1
    return good, bad, first


# --- separator -------------------------------------------------------------------------------------------------------


def _separator_told(first_line: str) -> str | None:
    """The separator that Excel's own first line tells: ``sep=;``."""
    told = first_line.strip().strip('"').lower()
    names = [name for name, mark in SEPARATORS.items() if told == f"sep={mark}".strip()]
    return names[0] if names and told != "sep=" else "tab" if first_line.rstrip("\r\n").lower() == "sep=\t" else None


def _likeliest_separator(path: Path, codec: str) -> tuple[str, int]:
    """The separator with which the most rows have the same number of columns, and that number."""
    best, best_points = ("none", 1), (0.0, 0)
    for name, mark in SEPARATORS.items():
        if name == "none":
            continue
        rows = csv.reader(QuotedLines(mark).told(_lines(path, codec, 0)), delimiter=mark)
        widths: Counter[int] = Counter()
        # A cell that is too long is told when the rows are read.
        with suppress(csv.Error):
            widths.update(len(row) for row in islice(rows, _SNIFFED_ROWS) if any(row))
        several = {width: count for width, count in widths.items() if width > 1}
        if not several:
            continue
        width = max(several, key=lambda width: (several[width], width))
        share = several[width] / widths.total()
        # What is a tie but for a few titles above the header has more columns.
        points = (round(share * 20) / 20, width)
        # Two columns in some lines may be names with a comma; more of them are columns below a page of titles.
        enough = share >= _MOSTLY or (width > len(("name", "rest")) and several[width] > 1)
        if enough and points > best_points:
            best, best_points = (name, width), points
    return best


def _lines(path: Path, codec: str, skipped: int) -> Iterator[str]:
    """The lines of the text. Raise ``Refused`` for those that no table has."""
    with path.open(encoding=codec, newline="") as file:
        for number, text in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), 1):
            if "\x00" in text:
                raise refusal(Code.FILE_WITH_NUL, line=number)
            if len(text) > _MOST_MARKS and max(map(text.count, SEPARATORS.values())) > _MOST_MARKS:
                raise refusal(Code.FILE_TOO_WIDE, line=number, most=MOST_COLUMNS)
            if len(text) >= LONGEST_LINE:
                raise refusal(Code.FILE_CELL_TOO_LONG, line=number, most=LONGEST_CELL)
            if number > skipped:
                yield text
