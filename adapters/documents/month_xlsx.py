"""A closed month as a workbook."""

from typing import IO

from adapters.documents.closed_month import (
    Table,
    accounts_of,
    categories_of,
    facts_of,
    number_of,
    sentence_of,
    sums_of,
    tables_of,
    title_of,
)
from adapters.documents.xlsx import CellFormats, Grid, mark_demonstration, new_workbook
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats
from application.reports.month_views import PrintedMonthView


def month_workbook(hospital: HospitalProfile, view: PrintedMonthView, language: str) -> IO[bytes]:
    """Return the month as a temporary file that is deleted when closed."""
    month = view["month"]
    title = title_of(language, month)
    with formats.numbers_as(hospital.number_format), new_workbook(hospital, title) as (book, file):
        look = CellFormats(book, language, hospital.currency)
        sums = sums_of(language, month)
        grid = Grid(look, book.add_worksheet(sums.title), hospital.zone)
        facts = [f"{label}: {text}" for label, text in facts_of(language, month, hospital.zone)]
        grid.sheet.write_string(0, 0, title, look.of("title"))
        texts = (number_of(language, month), *facts, sentence_of(language, hospital, month))
        for row, text in enumerate(texts, 1):
            grid.sheet.write_string(row, 0, text, look.of("text"))
        row = len(texts) + 2
        for table in (sums, accounts_of(language, month), categories_of(language, month)):
            row = _write(grid, table, row) + 2
        _finish(grid, hospital, language)
        for table in tables_of(language, month):
            grid = Grid(look, book.add_worksheet(table.title), hospital.zone)
            last = _write(grid, table, 0)
            grid.sheet.freeze_panes(1, 0)
            grid.sheet.autofilter(0, 0, last, len(table.columns) - 1)
            grid.sheet.repeat_rows(0)
            _finish(grid, hospital, language)
    return file


def _write(grid: Grid, table: Table, head: int) -> int:
    """Write a table, and return its last row."""
    grid.headings(head, table.columns)
    row = head
    for row, cells in enumerate(table.rows, head + 1):
        for number, ((kind, _), cell) in enumerate(zip(table.columns, cells, strict=True)):
            grid.write(row, number, kind, cell)
    return row


def _finish(grid: Grid, hospital: HospitalProfile, language: str) -> None:
    grid.sheet.set_landscape()
    grid.sheet.set_paper(9)
    grid.sheet.fit_to_pages(1, 0)
    grid.sheet.set_footer("&R&P / &N")
    mark_demonstration(grid.sheet, hospital, language)
    grid.fit()
