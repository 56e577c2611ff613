"""A closed restock list as a workbook."""

from typing import IO

from adapters.documents.restock_list import COLUMNS, NUMBERS, facts_of, heading_of, title_of, value_of
from adapters.documents.xlsx import CellFormats, Grid, mark_demonstration, new_workbook
from adapters.hospital.profile import HospitalProfile
from application.restock.views import RestockDocumentView


def restock_workbook(hospital: HospitalProfile, document: RestockDocumentView, language: str) -> IO[bytes]:
    """Return the list as a temporary file that is deleted when closed."""
    title = title_of(language, document)
    with new_workbook(hospital, title) as (book, file):
        formats = CellFormats(book, language, hospital.currency)
        grid = Grid(formats, book.add_worksheet(title), hospital.zone)
        grid.sheet.write_string(0, 0, title, formats.of("title"))
        row = 0
        for label, text in facts_of(language, document, hospital.zone):
            row += 1
            grid.sheet.write_string(row, 0, f"{label}: {text}", formats.of("text"))
        head = row + 2
        names = [("quantity" if column in NUMBERS else column) for column in COLUMNS]
        grid.headings(
            head,
            [(name, heading_of(language, column)) for name, column in zip(names, COLUMNS, strict=True)],
        )
        for row, line in enumerate(document["items"], head + 1):
            for place, (name, column) in enumerate(zip(names, COLUMNS, strict=True)):
                grid.write(row, place, name, value_of(line, column))
        grid.sheet.freeze_panes(head + 1, 0)
        grid.sheet.autofilter(head, 0, head + len(document["items"]), len(COLUMNS) - 1)
        grid.sheet.set_landscape()
        grid.sheet.set_paper(9)
        grid.sheet.fit_to_pages(1, 0)
        grid.sheet.repeat_rows(head)
        grid.sheet.set_footer("&R&P / &N")
        mark_demonstration(grid.sheet, hospital, language)
        grid.fit()
    return file
