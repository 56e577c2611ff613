"""Tables: the rows of a file, with detections and questions."""

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

# The maximum size of a file.
MAX_FILE_BYTES = 50_000_000


class Encoding(StrEnum):
    """The character encoding of a text file."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    WINDOWS_1252 = "windows-1252"
    CP850 = "cp850"
    MAC_ROMAN = "mac-roman"


class Separator(StrEnum):
    """The column separator of a text file."""

    COMMA = "comma"
    SEMICOLON = "semicolon"
    TAB = "tab"
    PIPE = "pipe"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Detection:
    """A detected property of the file.

    The reason is a code with parameters, which adapters put into words.
    """

    what: str
    value: str
    code: str
    params: Mapping[str, object] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that must be answered before anything is stored.

    ``about`` is ``encoding``, ``sheet``, ``header_row``, ``decimal``, ``dates`` or ``column``. The latter has the
    ``field`` that needs one. ``suggestion`` is the answer that the content suggests. A user always has to confirm it.
    """

    about: str
    code: str
    options: tuple[str, ...]
    field: str | None = None
    suggestion: str | None = None
    params: Mapping[str, object] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """A user's choices; None means detection.

    ``header_row`` is the line with the names of the columns, 0 if there is none. ``mapping`` assigns names of columns
    to fields. An empty name means that the field has no column.
    """

    encoding: Encoding | None = None
    separator: Separator | None = None
    sheet: str | None = None
    header_row: int | None = None
    decimal: DecimalMark | None = None
    dates: DateOrder | None = None
    mapping: Mapping[str, str] = dataclasses.field(default_factory=dict)


class Table(Protocol):
    """A file with rows.

    A workbook has several sheets, a text file has one without a name.
    """

    @property
    def findings(self) -> Sequence[Detection]: ...

    @property
    def questions(self) -> Sequence[Question]:
        """Questions about the file as a whole, before its rows are read."""

    @property
    def sheets(self) -> Sequence[str]: ...

    @property
    def cells_may_shift(self) -> bool:
        """Whether an unquoted separator shifts cells, as in text files."""

    def rows(self, sheet: str) -> Iterator[RawRow]:
        """Yield all rows of a sheet. Raise ``Refused`` if they are invalid."""


class OpenTable(Protocol):
    """Detects the type of a file and opens it.

    Raise ``Refused`` for a file that is not a table or is dangerous.
    """

    def __call__(self, path: Path, choices: Choices) -> Table: ...


_MAX_LISTED = 60


def column_letters(index: int) -> str:
    """Return the spreadsheet letters of a column index: A, B, ..., Z, AA."""
    letters = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def listed(names: Iterable[str]) -> str:
    """Format names for a message, up to a maximum number."""
    return ", ".join(f"“{name}”" for name in islice(names, _MAX_LISTED))
