"""Reading text files with a header: encoding and separator are found out from what is in them."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from domain.refusal import Code, Reason
from domain.text import is_writable

_SEPARATORS = (",", "|", ";", "\t")
_GROUPED = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")
_PLAIN = re.compile(r"-?\d+(\.\d+)?")

# What a spreadsheet would take for a formula is exported with an apostrophe before it.
_GUARD = re.compile(r"\A'(?='*[=+\-@])")

# A field longer than this is no field of a catalogue but a file that was read wrongly.
csv.field_size_limit(1_000_000)
_LONGEST_HEADER = 10_000


class UnusableFile(Exception):
    """A file that cannot be read as asked; says what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row and the line on which it ends."""

    line: int
    values: dict[str, str]

    def text(self, column: str) -> str:
        """What stands in that column, without blanks around it and without what an export put before it."""
        return _GUARD.sub("", self.values[column].replace("\N{NO-BREAK SPACE}", " ").strip())


@dataclass(frozen=True, slots=True)
class TextTable:
    """A file's header and how to read its rows."""

    path: Path
    encoding: str
    separator: str
    header: Sequence[str]

    def rows(self) -> Iterator[Row]:
        """The rows below the header; empty lines are passed over."""
        with self.path.open(encoding=self.encoding, newline="") as file:
            reader = csv.reader(file, delimiter=self.separator)
            next(reader)
            try:
                for values in reader:
                    if any(values):
                        padded = [*values, *[""] * (len(self.header) - len(values))]
                        yield Row(reader.line_num, dict(zip(self.header, padded, strict=False)))
            except csv.Error as error:
                raise UnusableFile(f"{self.path}: line {reader.line_num} cannot be read: {error}.") from None

    def count(self) -> int:
        """How many lines the file has below its header: what a progress bar runs to."""
        with self.path.open("rb") as file:
            return max(sum(1 for _ in file) - 1, 0)


def open_table(path: Path, columns: Sequence[str]) -> TextTable:
    """The table in that file. Raise ``UnusableFile`` unless it has all of these columns."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnusableFile(f"{path}: {error.strerror}.") from None
    encoding = _encoding_of(content)
    first_line = next(iter(content.decode(encoding).splitlines()), "")
    if not first_line.strip():
        raise UnusableFile(f"{path}: its first line is empty; it must name the columns.")
    if len(first_line) > _LONGEST_HEADER or not is_writable(first_line):
        raise UnusableFile(f"{path}: this is no text file with a header.")
    headers = [(separator, next(csv.reader([first_line], delimiter=separator), [])) for separator in _SEPARATORS]
    separator, header = max(headers, key=lambda found: len(found[1]))
    header = [name.strip() for name in header]
    missing = [column for column in columns if column not in header]
    if missing:
        raise UnusableFile(f"{path}: there is no column {_quoted(missing)}; it has {_quoted(header)}.")
    return TextTable(path, encoding, separator, header)


def exact_number(field: str, text: str) -> Decimal | Reason | None:
    """A number such as ``1141.40`` or ``1,141.40``; nothing for nothing, a reason for anything else."""
    if not text:
        return None
    if _GROUPED.fullmatch(text):
        return Decimal(text.replace(",", ""))
    if _PLAIN.fullmatch(text):
        return Decimal(text)
    return Reason(Code.NUMBER_EXPECTED, field)


def _encoding_of(content: bytes) -> str:
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "cp1252" if _is_cp1252(content) else "latin-1"
    return "utf-8-sig"


def _is_cp1252(content: bytes) -> bool:
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return True


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
