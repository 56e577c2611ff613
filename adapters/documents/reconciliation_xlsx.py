"""Reconciliation as a workbook: all differences, and the rows to check."""

from typing import IO

from adapters.documents.xlsx import CellFormats, Grid, mark_demonstration, new_workbook
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.reports.reconciliation_views import Reconciliation

_FIGURES = ("handed_out", "treatment", "area_use", "wasted", "returned", "recorded", "difference")
_COLUMNS = ("area", "code", "product", "unit", *_FIGURES)
_DOUBT_COLUMNS = ("line", "counts", "check")


def write_reconciliation(hospital: HospitalProfile, found: Reconciliation, language: str) -> IO[bytes]:
    """Return the workbook as a temporary file that is deleted when closed."""
    title = messages.pdf(language, "reconciliation")
    with new_workbook(hospital, title) as (book, file):
        look = CellFormats(book, language, hospital.currency)
        grid = Grid(look, book.add_worksheet(title), hospital.zone)
        _write_differences(grid, found, language, title)
        mark_demonstration(grid.sheet, hospital, language)
        if found.doubts:
            grid = Grid(look, book.add_worksheet(messages.pdf(language, "reconciliation.doubts")), hospital.zone)
            _write_doubts(grid, found, language)
            mark_demonstration(grid.sheet, hospital, language)
    return file


def _write_differences(grid: Grid, found: Reconciliation, language: str, title: str) -> None:
    period = f"{formats.day(language, found.since)} – {formats.day(language, found.until)}"
    grid.sheet.write_string(0, 0, title, grid.formats.of("title"))
    grid.sheet.write_string(1, 0, period, grid.formats.of("text"))
    grid.headings(3, [(column, messages.column(language, column)) for column in _COLUMNS])
    unknown = messages.pdf(language, "reconciliation.unknown")
    row = 3
    for row, item in enumerate(found.items, 4):
        for number, column in enumerate(_COLUMNS):
            cell = unknown if column == "recorded" and item["recorded"] is None else item[column]  # type: ignore[literal-required]
            grid.write(row, number, "quantity" if column in _FIGURES else column, cell)
    grid.sheet.freeze_panes(4, 0)
    grid.sheet.autofilter(3, 0, row, len(_COLUMNS) - 1)
    _set_paper(grid, 3)


def _write_doubts(grid: Grid, found: Reconciliation, language: str) -> None:
    grid.headings(0, [(column, messages.column(language, column)) for column in _DOUBT_COLUMNS])
    for row, one in enumerate(found.doubts, 1):
        grid.write(row, 0, "line", one.line)
        grid.write(row, 1, "counts", messages.value(language, "yes" if one.counts else "no"))
        grid.write(row, 2, "check", " ".join(messages.refusal(language, reason) for reason in one.reasons))
    grid.sheet.freeze_panes(1, 0)
    _set_paper(grid, 0)


def _set_paper(grid: Grid, heading: int) -> None:
    grid.sheet.set_landscape()
    grid.sheet.set_paper(9)
    grid.sheet.fit_to_pages(1, 0)
    grid.sheet.repeat_rows(heading)
    grid.fit()
