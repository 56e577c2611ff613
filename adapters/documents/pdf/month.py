"""A closed month as PDF, A4: sums, accounts, categories, and what changed since."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from reportlab.pdfgen.canvas import Canvas

from adapters.documents.closed_month import (
    Table,
    accounts_of,
    categories_of,
    changes_of,
    facts_of,
    money,
    number_of,
    parts_of,
    sentence_of,
    title_of,
)
from adapters.documents.columns import Value
from adapters.documents.pdf.page import (
    GAP,
    GREY,
    HEADINGS,
    LEFT,
    RIGHT,
    SIZE,
    SMALL,
    Block,
    Cell,
    build_line,
    columns_across,
    draw_headings,
    head,
    kept_together,
    pages_of,
    pdf_of,
    repeat_head,
)
from adapters.documents.pdf.proof import proof_block
from adapters.documents.pdf.text import BOLD, PLAIN, fitted, wrapped
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.reports.month_views import PrintedMonthView

_LARGE, _TEXT, _HEADING = 16.0, 11.0, 10.0
# The largest categories are printed one by one.
MAX_CATEGORIES = 12
# How many changes are printed one by one.
MAX_CHANGES = 500
_WIDE = {"product": 120.0, "by": 60.0, "name": 150.0, "category": 150.0}
_NUMBERS = frozenset({"details", "quantity", "total", "value", "sheet", "line"})

_Row = tuple[Value, ...]


def month_pdf(hospital: HospitalProfile, view: PrintedMonthView, language: str) -> bytes:
    """Return the month as PDF."""
    with formats.numbers_as(hospital.number_format):
        return _MonthOnPaper(hospital, view, language).pdf()


@dataclass(frozen=True, slots=True)
class _MonthOnPaper:
    """Layout of one month."""

    hospital: HospitalProfile
    view: PrintedMonthView
    language: str

    def pdf(self) -> bytes:
        month, language = self.view["month"], self.language
        title, number = title_of(language, month), number_of(language, month)
        printed = formats.moment(language, self.view["printed_at"], self.hospital.zone)
        facts = facts_of(language, month, self.hospital.zone)
        first = head(self.hospital, title, [], [facts], 0, lambda _canvas, _y: None)
        again = repeat_head(title, [], [" · ".join(text for _, text in facts)], [])
        return pdf_of(
            list(pages_of(kept_together([*self._blocks()], [*self._ending()]), first, again)),
            hospital=self.hospital,
            language=language,
            title=title,
            foot=f"{number} · {messages.pdf(language, 'month.printed').format(moment=printed)}",
            keywords=month["proof"] or "",
            created_at=self.view["printed_at"],
        )

    def _blocks(self) -> Iterator[Block]:
        month, language = self.view["month"], self.language
        yield self._sentence(sentence_of(language, self.hospital, month))
        yield self._parts()
        yield from self._table(accounts_of(language, month))
        yield from self._table(categories_of(language, month, MAX_CATEGORIES))
        for table in changes_of(language, month, MAX_CHANGES):
            yield from self._table(table)

    def _ending(self) -> Iterator[Block]:
        if proof := self.view["month"]["proof"]:
            hint = messages.pdf(self.language, "proof").format(turn=self.view["month"]["turn"])
            yield Block(8, lambda _canvas, _y: None, stays=True)
            yield proof_block(proof, hint)

    def _sentence(self, text: str) -> Block:
        lines = wrapped(text, PLAIN, _TEXT, RIGHT - LEFT)

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(PLAIN, _TEXT)
            for number, line in enumerate(lines):
                canvas.drawString(LEFT, y - 14 - number * _TEXT * 1.3, line)

        return Block(len(lines) * _TEXT * 1.3 + 8, draw)

    def _parts(self) -> Block:
        """Return the sums of the parts in large print, side by side."""
        parts = parts_of(self.language, self.view["month"])
        width = (RIGHT - LEFT) / len(parts)

        def draw(canvas: Canvas, y: float) -> None:
            for number, (name, sums) in enumerate(parts):
                left = LEFT + number * width
                below = messages.pdf(self.language, "month.of_value").format(
                    value=self._money(sums["value"]), lines=formats.whole(self.language, sums["lines"])
                )
                canvas.setFillGray(GREY)
                for font, size, at, text in (
                    (PLAIN, SIZE, 14.0, name),
                    (BOLD, _LARGE, 33.0, self._money(sums["total"])),
                    (PLAIN, SMALL, 46.0, below),
                ):
                    canvas.setFont(font, size)
                    canvas.setFillGray(0 if font == BOLD else GREY)
                    for line in fitted(text, font, size, width - GAP, 1):
                        canvas.drawString(left, y - at, line)
                canvas.setFillGray(0)

        return Block(56, draw)

    def _table(self, table: Table) -> Iterator[Block]:
        if not table.rows:
            return

        def cell(number: int, kind: str, name: str) -> Cell[_Row]:
            return Cell(
                name=name,
                tells=lambda row: self._text(kind, row[number]),
                least=_WIDE.get(kind, 40.0),
                max_lines=4,
                numeric=kind in _NUMBERS,
                whole=kind in ("moment", "day"),
            )

        cells = [cell(number, kind, name) for number, (kind, name) in enumerate(table.columns)]
        columns = columns_across(cells, table.rows)

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(BOLD, _HEADING)
            canvas.drawString(LEFT, y - 18, table.title)
            draw_headings(canvas, y - 24, columns)

        yield Block(24 + HEADINGS, draw, stays=True)
        continued = messages.pdf(self.language, "continued").format(heading=table.title)
        for number, row in enumerate(table.rows):
            yield build_line(columns, row, continued if number else "")

    def _text(self, kind: str, cell: Value) -> str:
        match cell:
            case None:
                return ""
            case Decimal() if kind == "quantity":
                return formats.quantity(self.language, cell).replace("-", "−")
            case Decimal():
                return self._money(cell)
            case int() if kind == "details":
                return formats.whole(self.language, cell)
            case datetime():
                return formats.moment(self.language, cell, self.hospital.zone)
            case date():
                return formats.day(self.language, cell)
            case _:
                return str(cell)

    def _money(self, amount: Decimal) -> str:
        return money(self.language, self.hospital, amount)
