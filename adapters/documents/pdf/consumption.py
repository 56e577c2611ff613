"""Consumption report as PDF: a chart, then the table with sums."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from adapters.documents.consumption_report import (
    PARTS,
    Bars,
    bars_of,
    change_text,
    columns_of,
    facts_of,
    heading_of,
    name_of_row,
    name_of_sums,
    printed_by,
    title_of,
    value_of,
)
from adapters.documents.pdf.page import (
    GAP,
    GREY,
    HEADINGS,
    LEADING,
    LEFT,
    PALE,
    RIGHT,
    SIZE,
    SMALL,
    Block,
    Cell,
    Column,
    build_line,
    columns_across,
    draw_headings,
    head,
    kept_together,
    pages_of,
    pdf_of,
    repeat_head,
    write,
)
from adapters.documents.pdf.text import BOLD, PLAIN, fitted, wrapped
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.reports.views import EXTRA_SUMS, ConsumptionReportView, ConsumptionRowView, ConsumptionTotalsView

# Some hundred pages. Larger reports are available as a workbook.
MAX_PAPER_ROWS = 5_000

_BAR, _BAR_BEFORE = HexColor(0x1C7ED6), HexColor(0xC9CED6)
_MIN_WIDTHS = {"name": 150.0, "unit": 40.0, "code": 80.0}
_MEASURES = ("details", "total", *EXTRA_SUMS)
_NUMBERS = {*_MEASURES, *(f"previous_{name}" for name in _MEASURES), "quantity", *PARTS, "change"}
_CHART_HEIGHT = 150.0


def consumption_pdf(hospital: HospitalProfile, report: ConsumptionReportView, language: str) -> bytes:
    """Return the report as PDF."""
    with formats.numbers_as(hospital.number_format):
        return _ConsumptionOnPaper(hospital, report, language).pdf()


@dataclass(slots=True)
class _ConsumptionOnPaper:
    """Layout of one report."""

    hospital: HospitalProfile
    report: ConsumptionReportView
    language: str
    columns: list[Column[ConsumptionRowView]] = field(default_factory=list)

    def pdf(self) -> bytes:
        cells = [self._cell(column) for column in columns_of(self.report)]
        self.columns = columns_across(cells, self.report["items"], self._formatted_sums())
        title = title_of(self.language, self.report)
        facts = facts_of(self.language, self.report, self.hospital.currency)
        bars = bars_of(self.language, self.report)
        tall = _height_of(bars)

        def below(canvas: Canvas, y: float) -> None:
            if bars.bars:
                self._draw_chart(canvas, y, bars)
            draw_headings(canvas, y - tall, self.columns)

        first = head(self.hospital, title, (), [[fact] for fact in facts], HEADINGS + tall, below)
        again = repeat_head(title, (), (f"{facts[0][1]} · {facts[2][1]}",), self.columns)
        pages = list(pages_of(kept_together([*self._blocks()], [self._sums()]), first, again))
        foot = printed_by(self.language, self.report, self.hospital.zone)
        return pdf_of(pages, hospital=self.hospital, language=self.language, title=title, foot=foot)

    def _cell(self, column: str) -> Cell[ConsumptionRowView]:
        name = heading_of(self.language, self.report, column)
        return Cell(
            name=name,
            tells=lambda row: self._text_of(row, column),
            least=_MIN_WIDTHS.get(column, 56.0),
            numeric=column in _NUMBERS,
        )

    def _text_of(self, row: ConsumptionRowView, column: str) -> str:
        if column == "name":
            return name_of_row(self.language, self.report, row)
        return self._figure(row, column) if column in _NUMBERS else str(row.get(column) or "")

    def _figure(self, row: ConsumptionRowView | ConsumptionTotalsView, column: str) -> str:
        value = value_of(row, column, self.report["by"])
        if column in PARTS:
            column = "details" if isinstance(value, int) else "quantity"
        match column.removeprefix("previous_"):
            case "details":
                return formats.whole(self.language, value)
            case "quantity":
                return formats.quantity(self.language, value)
            case "change":
                return change_text(value)
            case _:
                return self._money(value)

    def _blocks(self) -> Iterator[Block]:
        for row in self.report["items"]:
            yield build_line(self.columns, row)
        if not self.report["items"]:
            yield Block(30, lambda canvas, y: write(canvas, y - 20, messages.pdf(self.language, "report.none")))

    def _sums(self) -> Block:
        """Return the row of sums, below the columns that are added up."""
        sums = self._formatted_sums()
        numbers = [column for column in self.columns if column.cell.numeric]
        size = numbers[0].size + 1
        lines = wrapped(name_of_sums(self.language, self.report), BOLD, size, numbers[0].left - LEFT - GAP)

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(BOLD, size)
            for number, line in enumerate(lines):
                canvas.drawString(LEFT, y - 16 - number * LEADING, line)
            for column in numbers:
                canvas.drawRightString(column.left + column.width, y - 16, sums[column.cell.name])

        return Block(13 + len(lines) * LEADING, draw)

    def _formatted_sums(self) -> dict[str, str]:
        """Return the formatted sums by heading."""
        return {
            heading_of(self.language, self.report, column): self._figure(self.report["sums"], column)
            for column in columns_of(self.report)
            if column in _NUMBERS
        }

    # --- the chart ---

    def _draw_chart(self, canvas: Canvas, y: float, drawn: Bars) -> None:
        canvas.setFont(BOLD, SIZE + 0.5)
        canvas.drawString(LEFT, y - 12, drawn.title)
        canvas.setFont(PLAIN, SMALL)
        canvas.setFillGray(GREY)
        canvas.drawRightString(RIGHT, y - 12, drawn.note)
        if drawn.in_time:
            self._draw_vertical(canvas, y - 24, drawn)
        else:
            self._draw_horizontal(canvas, y - 24, drawn)
        canvas.setFillGray(0)
        canvas.setStrokeGray(PALE)

    def _draw_horizontal(self, canvas: Canvas, y: float, drawn: Bars) -> None:
        """Draw horizontal bars: the name on the left, the amount on the right."""
        most = drawn.highest
        amounts = [self._amount(drawn, amount) for _, amount in drawn.bars]
        begin = LEFT + 170
        room = RIGHT - begin - max(stringWidth(text, PLAIN, SMALL) for text in amounts) - 6
        for number, (name, amount) in enumerate(drawn.bars):
            baseline = y - 10 - 14 * number
            canvas.setFont(PLAIN, SMALL)
            canvas.setFillGray(0)
            canvas.drawRightString(begin - 6, baseline, "".join(fitted(name, PLAIN, SMALL, 160, 1)))
            long = room * float(amount / most) if most else 0.0
            if drawn.previous:
                before = room * float(drawn.previous[number] / most) if most else 0.0
                canvas.setFillColor(_BAR_BEFORE)
                canvas.rect(begin, baseline - 4, max(before, 0.5), 13, stroke=0, fill=1)
            canvas.setFillColor(_BAR)
            canvas.rect(begin, baseline - 2.5, max(long, 0.5), 10, stroke=0, fill=1)
            canvas.setFillGray(0)
            canvas.drawString(begin + long + 4, baseline, amounts[number])

    def _draw_vertical(self, canvas: Canvas, y: float, drawn: Bars) -> None:
        """Draw vertical bars in order of time, over a scale."""
        floor, tall = y - _CHART_HEIGHT + 14, _CHART_HEIGHT - 26
        step, steps = _scale(drawn.highest)
        marks = [self._amount(drawn, step * number) for number in range(steps + 1)]
        begin = LEFT + max(stringWidth(text, PLAIN, SMALL) for text in marks) + 6
        canvas.setFont(PLAIN, SMALL)
        canvas.setStrokeGray(0.85)
        for number, text in enumerate(marks):
            at = floor + tall * number / steps
            canvas.setFillGray(GREY)
            canvas.drawRightString(begin - 5, at - 2.5, text)
            canvas.line(begin, at, RIGHT, at)
        place = (RIGHT - begin) / len(drawn.bars)
        wide = min(place * 0.72, 34)
        canvas.setFillColor(_BAR_BEFORE)
        # Wider than the bars in front of them.
        around = wide * 1.3
        for number, amount in enumerate(drawn.previous):
            high = tall * float(amount / (step * steps))
            canvas.rect(begin + place * (number + 0.5) - around / 2, floor, around, high, stroke=0, fill=1)
        canvas.setFillColor(_BAR)
        for number, (_, amount) in enumerate(drawn.bars):
            high = tall * float(amount / (step * steps))
            canvas.rect(begin + place * (number + 0.5) - wide / 2, floor, wide, high, stroke=0, fill=1)
        every = _label_interval(
            len(drawn.bars), max(stringWidth(name, PLAIN, SMALL) for name, _ in drawn.bars) + 8, place
        )
        canvas.setFillGray(GREY)
        for number in range(0, len(drawn.bars), every):
            canvas.drawCentredString(begin + place * (number + 0.5), floor - 11, drawn.bars[number][0])

    def _amount(self, drawn: Bars, amount: Decimal) -> str:
        return self._money(amount) if drawn.money else formats.whole(self.language, int(amount))

    def _money(self, amount: Decimal) -> str:
        return formats.money(self.language, amount, self.hospital.currency)


def _height_of(drawn: Bars) -> float:
    if not drawn.bars:
        return 0
    return (_CHART_HEIGHT if drawn.in_time else 14.0 * len(drawn.bars)) + 38


def _scale(most: Decimal) -> tuple[Decimal, int]:
    """Return a round step for a scale up to ``most``, and the number of steps."""
    if most <= 0:
        return Decimal(1), 1
    rough = most / 4
    power = Decimal(10) ** rough.adjusted()
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return step, ceil(most / step)


def _label_interval(count: int, wide: float, place: float) -> int:
    """Return n if every n-th label below the bars has room."""
    return min(max(1, ceil(wide / place)), count)
