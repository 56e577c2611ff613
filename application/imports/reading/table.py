"""Reading a file: what was found out about it and why, what must be asked, and the shape in which its rows come."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Protocol

from application.imports.reading.cells import RawRow
from application.imports.reading.dates import DateOrder
from application.imports.reading.numbers import DecimalMark

# Of a file so many bytes are taken.
MAX_FILE_BYTES = 50_000_000


class Encoding(StrEnum):
    """How letters are written in a text file."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    WINDOWS_1252 = "windows-1252"
    CP850 = "cp850"
    MAC_ROMAN = "mac-roman"


class Separator(StrEnum):
    """What parts the columns of a text file."""

    COMMA = "comma"
    SEMICOLON = "semicolon"
    TAB = "tab"
    PIPE = "pipe"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing that was found out: what it is, and the reason as a code with parameters, which adapters word."""

    what: str
    value: str
    code: str
    params: Mapping[str, object] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """What must be answered before anything is written.

    ``about`` is ``encoding``, ``sheet``, ``header_row``, ``decimal``, ``dates`` or ``column``, the latter with the
    ``field`` that wants one. ``suggestion`` is what the content speaks for; it is never taken without being confirmed.
    """

    about: str
    code: str
    options: tuple[str, ...]
    field: str | None = None
    suggestion: str | None = None
    params: Mapping[str, object] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a person chose of what would otherwise be found out; None leaves it to us.

    ``header_row`` is the line that names the columns, 0 where none does. ``mapping`` gives fields the names of columns;
    an empty name means that the field has none.
    """

    encoding: Encoding | None = None
    separator: Separator | None = None
    sheet: str | None = None
    header_row: int | None = None
    decimal: DecimalMark | None = None
    dates: DateOrder | None = None
    mapping: Mapping[str, str] = dataclasses.field(default_factory=dict)


class Table(Protocol):
    """A file with rows. A workbook has several sheets; a text has one, without a name."""

    @property
    def findings(self) -> Sequence[Detection]: ...

    @property
    def questions(self) -> Sequence[Question]:
        """What must be asked about the file before its rows are looked at."""

    @property
    def sheets(self) -> Sequence[str]: ...

    @property
    def cells_may_shift(self) -> bool:
        """Whether a separator within a name moves the cells behind it to the right: in a text it does."""

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """The rows of a sheet, from the first one. Raise ``Refused`` where they cannot be read."""


class OpenTable(Protocol):
    """Finds out what kind of file that is, and opens it. Raise ``Refused`` for what is no table or would do harm."""

    def __call__(self, path: Path, choices: Choices) -> Table: ...


_MAX_LISTED = 60


def column_letters(index: int) -> str:
    """What a spreadsheet calls the column with that index: A, B, ..., Z, AA."""
    letters = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def listed(names: Iterable[str]) -> str:
    """The names as a sentence shows them; not more than it can carry."""
    return ", ".join(f"“{name}”" for name in islice(names, _MAX_LISTED))
