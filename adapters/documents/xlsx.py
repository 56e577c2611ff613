"""Workbooks (XLSX) with typed cells, safe from formula injection."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from decimal import Decimal
from errno import ENOSPC
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from adapters.documents.columns import Value, heading, localize, value_of
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from adapters.i18n.catalogue import catalogue
from application.common.formula_guard import is_like_a_formula
from application.common.store_errors import StoreUnavailable, UnavailableReason
from application.reports.views import EXTRA_SUMS
from domain.common.errors import Code, Reason, Refused

# Limit of the XLSX format per worksheet, including the headings.
MAX_ROWS = 1_048_576

# Number of rows that are measured for the widths of the columns, and the maximum width in characters.
_MEASURED_ROWS = 1_000
_MAX_WIDTH = 48
# First year of the calendar of spreadsheets.
_FIRST_YEAR = 1900

_NUMBERS = {"details", "quantity", "price", "unit_price", "total", *EXTRA_SUMS}


@dataclass(slots=True)
class CellFormats:
    """Cache of cell formats."""

    book: Workbook
    language: str
    currency: str
    _made: dict[tuple[str, ...], Format] = field(default_factory=dict)

    def of(self, *names: str) -> Format:
        """Return the format that combines ``names``.

        Names are looks (``heading``, ``name``, ``title``, ``sum``) and types (``text``, ``money``, ``day`` and so on).
        """
        made = self._made.get(names)
        if made is None:
            traits: dict[str, Any] = {}
            for name in names:
                traits |= self._traits(name)
            made = self._made[names] = self.book.add_format(traits)
        return made

    def _traits(self, name: str) -> dict[str, Any]:
        dates = catalogue(self.language)["formats"]
        traits: dict[str, dict[str, Any]] = {
            "heading": {"bold": True, "bottom": 1, "bg_color": "#E9EEF2", "valign": "vcenter"},
            "right": {"align": "right"},
            "name": {"bold": True, "font_size": 14},
            "title": {"bold": True, "font_size": 12},
            "note": {"font_color": "#595959"},
            "sum": {"bold": True, "top": 1},
            "text": {},
            "guarded": {"quote_prefix": True},
            "money": {"num_format": f'"{formats.symbol(self.currency)}"#,##0.00_)'},
            "whole": {"num_format": "#,##0_)"},
            "fraction": {"num_format": "#,##0.0##_)"},
            "number": {"num_format": "0", "align": "left"},
            "day": {"num_format": dates["workbook_day"], "align": "left"},
            "month": {"num_format": dates["workbook_month"], "align": "left"},
            "moment": {"num_format": f"{dates['workbook_day']} hh:mm", "align": "left"},
        }
        return traits[name]


@dataclass(slots=True)
class Grid:
    """A worksheet that is written row by row."""

    formats: CellFormats
    sheet: Worksheet
    zone: tzinfo
    widths: dict[int, int] = field(default_factory=dict)

    def headings(self, row: int, columns: Sequence[tuple[str, str]]) -> None:
        """Write the headings; ``columns`` are pairs of name and heading."""
        for number, (column, name) in enumerate(columns):
            aligned = ("heading", "right") if column in _NUMBERS else ("heading",)
            self.sheet.write_string(row, number, name, self.formats.of(*aligned))
            self._measure(number, len(name) + 3)
        self.sheet.set_row(row, 20)

    def write(self, row: int, column: int, name: str, cell: Value, *more: str, measure: bool = True) -> None:
        """Write a typed cell; ``name`` is the column's name."""
        sheet, look = self.sheet, self.formats.of
        match cell:
            case str():
                self._write_text(row, column, cell, more)
            case Decimal() if name == "quantity":
                sheet.write_number(row, column, cell, look(*more, "whole" if cell == int(cell) else "fraction"))
            case Decimal():
                sheet.write_number(row, column, cell, look(*more, "money"))
            case int():
                sheet.write_number(row, column, cell, look(*more, "whole" if name == "details" else "number"))
            case datetime():
                local = cell.astimezone(self.zone).replace(tzinfo=None, microsecond=0)
                sheet.write_datetime(row, column, local, look(*more, "moment"))
            case date() if cell.year < _FIRST_YEAR:
                sheet.write_string(row, column, cell.isoformat(), look(*more, "text"))
            case date():
                sheet.write_datetime(row, column, cell, look(*more, "month" if name == "month" else "day"))
            case None if more:
                sheet.write_blank(row, column, None, look(*more))
        if measure:
            self._measure(column, _letters(cell))

    def _write_text(self, row: int, column: int, text: str, more: tuple[str, ...]) -> None:
        # Spreadsheets guess the type of a text again when a user edits its cell. The prefix prevents this.
        meant = text.startswith("'") or is_like_a_formula(text)
        look = self.formats.of(*more, "guarded" if meant else "text")
        if text.startswith("<r>"):
            # XlsxWriter would take such a text for its own markup, and write it into the file unescaped.
            self.sheet.write_rich_string(row, column, text[0], look, text[1:], look)
        else:
            self.sheet.write_string(row, column, text, look)

    def fit(self) -> None:
        """Set the widths of the columns by their content."""
        for column, width in self.widths.items():
            self.sheet.set_column(column, column, min(width, _MAX_WIDTH) + 1)

    def _measure(self, column: int, width: int) -> None:
        if width > self.widths.get(column, 0):
            self.widths[column] = width


@contextmanager
def new_workbook(hospital: HospitalProfile, title: str) -> Iterator[tuple[Workbook, IO[bytes]]]:
    """Yield a workbook and the file that contains it after the block.

    The rows are buffered on disk, not in memory.
    """
    file = TemporaryFile()  # noqa: SIM115
    try:
        with TemporaryDirectory() as folder:
            options = {
                "constant_memory": True,
                "tmpdir": folder,
                # Texts are always written as texts. If a cell is ever written otherwise, its type is not guessed.
                "strings_to_numbers": False,
                "strings_to_formulas": False,
                "strings_to_urls": False,
            }
            book = Workbook(file, options)
            book.set_properties(
                {"title": title, "author": hospital.letterhead[0] if hospital.letterhead else "Consumo"}
            )
            try:
                yield book, file
            except BaseException:
                # The rows are in files that are still open.
                for sheet in book.worksheets():
                    sheet.row_data_fh.close()
                raise
            book.close()
    except (OSError, FileCreateError) as error:
        file.close()
        # XlsxWriter wraps errors of writing into an error of its own.
        cause = error.args[0] if isinstance(error, FileCreateError) else error
        if getattr(cause, "errno", None) == ENOSPC:
            raise StoreUnavailable(UnavailableReason.FULL) from error
        raise
    except BaseException:
        file.close()
        raise
    file.seek(0)


def mark_demonstration(sheet: Worksheet, hospital: HospitalProfile, language: str) -> None:
    """Say at the head of each printed page that the data is fictional."""
    if hospital.is_demonstration:
        sheet.set_header(f"&C{messages.pdf(language, 'demonstration')}")


def list_workbook(
    items: Iterable[Mapping[str, Any]], columns: tuple[str, ...], language: str, hospital: HospitalProfile
) -> IO[bytes]:
    """Return the list as a workbook, in a file that is deleted when closed.

    Raise ``Refused`` if there are too many rows.
    """
    title = messages.pdf(language, "list")
    with new_workbook(hospital, title) as (book, file):
        sheet = book.add_worksheet(title)
        grid = Grid(CellFormats(book, language, hospital.currency), sheet, hospital.zone)
        grid.headings(0, [(column, heading(language, column)) for column in columns])
        row = 0
        for row, item in enumerate(items, 1):
            if row >= MAX_ROWS:
                raise Refused(Reason(Code.LIST_TOO_LONG, params={"most": MAX_ROWS - 1}))
            for number, column in enumerate(columns):
                cell = localize(language, column, value_of(column)(item))
                grid.write(row, number, column, cell, measure=row <= _MEASURED_ROWS)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, row, len(columns) - 1)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        mark_demonstration(sheet, hospital, language)
        grid.fit()
    return file


def _letters(cell: Value) -> int:
    """Return the number of characters that the cell shows."""
    match cell:
        case str():
            return max(map(len, cell.splitlines()), default=0)
        case Decimal():
            return len(f"{cell:,.2f}") + 3
        case datetime():
            return 19
        case date():
            return 13
        case _:
            return len(str(cell or ""))
