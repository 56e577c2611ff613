"""A closed restock list as PDF: what was put back, by whom and when."""

from decimal import Decimal

from adapters.documents.pdf.page import (
    HEADINGS,
    Cell,
    build_line,
    columns_across,
    draw_headings,
    head,
    pages_of,
    pdf_of,
    repeat_head,
)
from adapters.documents.restock_list import COLUMNS, NUMBERS, facts_of, heading_of, title_of, value_of
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats
from application.restock.views import ClosedLineView, RestockDocumentView

_MIN_WIDTHS = {"product": 150.0, "shelf": 40.0, "unit": 34.0, "by": 70.0}


def restock_pdf(hospital: HospitalProfile, document: RestockDocumentView, language: str) -> bytes:
    """Return the list as PDF."""
    with formats.numbers_as(hospital.number_format):
        return _draw(hospital, document, language)


def _draw(hospital: HospitalProfile, document: RestockDocumentView, language: str) -> bytes:
    def cell(column: str) -> Cell[ClosedLineView]:
        return Cell(
            name=heading_of(language, column),
            tells=lambda line: _text(hospital, language, line, column),
            least=_MIN_WIDTHS.get(column, 50.0),
            numeric=column in NUMBERS,
            whole=column == "at",
        )

    columns = columns_across([cell(column) for column in COLUMNS], document["items"])
    title, facts = title_of(language, document), facts_of(language, document, hospital.zone)
    first = head(
        hospital,
        title,
        (),
        [facts[:2], facts[2:]],
        HEADINGS,
        lambda canvas, y: draw_headings(canvas, y, columns),
    )
    again = repeat_head(title, (), (f"{facts[0][1]} · {facts[1][1]}",), columns)
    pages = list(pages_of([build_line(columns, line) for line in document["items"]], first, again))
    return pdf_of(pages, hospital=hospital, language=language, title=title, foot=facts[1][1])


def _text(hospital: HospitalProfile, language: str, line: ClosedLineView, column: str) -> str:
    if column == "at":
        return formats.moment(language, line["at"], hospital.zone) if line["at"] else ""
    value = value_of(line, column)
    return formats.quantity(language, value) if isinstance(value, Decimal) else str(value or "")
