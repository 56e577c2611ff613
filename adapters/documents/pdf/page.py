"""PDF pages: heads, feet, tables and page breaks."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock
from typing import Generic, TypeVar

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.text import BOLD, PLAIN, fitted, printable, wrapped
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import messages
from domain.hospital.settings import Logo

WIDTH, HEIGHT = A4
MARGIN = 42.0
LEFT, RIGHT = MARGIN, WIDTH - MARGIN
TOP, BOTTOM = HEIGHT - MARGIN, MARGIN + 18
SIZE, SMALL, LEADING = 8.5, 7.5, 11.0
# Smallest font size of a table that does not fit otherwise.
SMALLEST = 5.0
# Tolerance for sums of float widths.
SLACK = 0.01
GAP, WIDEST_GAP, HEADINGS = 6.0, 16.0, 18.0
LINE = 0.75
# A logo is small, and never distorted.
MAX_LOGO_WIDTH, MAX_LOGO_HEIGHT, LOGO_GAP = 110.0, 44.0, 12.0
GREY, PALE = 0.35, 0.7

Draw = Callable[[Canvas, float], None]
Row = TypeVar("Row")

# Drawing shares the fonts, so only one document is drawn at a time.
DRAWING_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page with a height, drawn downwards from its top.

    A block that ``stays`` is never the last one of its page. ``continues`` is the line that is printed above the block
    if it is the first one of a page.
    """

    height: float
    draw: Draw
    stays: bool = False
    continues: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell(Generic[Row]):
    """A column: its heading and the text for each row.

    Texts wider than the column are wrapped, and cut after ``max_lines``. ``least`` is the minimum width at the usual
    font size. ``whole`` texts are never wrapped. Numbers are whole and right-aligned.
    """

    name: str
    tells: Callable[[Row], str]
    least: float = 0
    max_lines: int = 20
    numeric: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column with its position and font size."""

    cell: Cell[Row]
    left: float
    width: float
    size: float

    @property
    def leading(self) -> float:
        """Return the line height."""
        return LEADING * self.size / SIZE

    def lines(self, row: Row) -> list[str]:
        """Return the lines of a row's text, wrapped and cut to the column."""
        text = self.cell.tells(row)
        if _is_whole(self.cell):
            return [printable(text)]
        return fitted(text, PLAIN, self.size, self.width, self.cell.max_lines)

    def draw(self, canvas: Canvas, y: float, lines: Sequence[str], font: str, size: float) -> None:
        """Draw the lines, with the first baseline at ``y``."""
        canvas.setFont(font, size)
        for number, line in enumerate(lines):
            baseline = y - number * self.leading
            if self.cell.numeric:
                canvas.drawRightString(self.left + self.width, baseline, line)
            else:
                canvas.drawString(self.left, baseline, line)


def columns_across(
    cells: Sequence[Cell[Row]], rows: Sequence[Row], sums: Mapping[str, str] | None = None
) -> list[Column[Row]]:
    """Lay out columns across the width of the page, by their content.

    ``sums`` are the texts below the columns of these names. If the columns do not fit, the font shrinks until
    unbreakable texts fit and other texts have their minimum width. Remaining space goes between the columns, then to
    the column with the largest minimum.
    """
    wide = [_width_of(cell, rows, (sums or {}).get(cell.name)) for cell in cells]
    room = RIGHT - LEFT - GAP * (len(cells) - 1)

    def least(size: float) -> list[float]:
        needed = (
            each if _is_whole(cell) else min(each, cell.least / SIZE) for cell, each in zip(cells, wide, strict=True)
        )
        return [each * size for each in needed]

    size = SIZE
    while size > SMALLEST and sum(least(size)) > room:
        size -= 0.25
    widths = _share_width(room, least(size), [each * size for each in wide])
    spare = max(room - sum(widths), 0)
    wider = min(spare / len(cells), WIDEST_GAP - GAP)
    widths[max(range(len(cells)), key=lambda number: cells[number].least)] += spare - wider * (len(cells) - 1)
    columns, left = [], LEFT
    for cell, width in zip(cells, widths, strict=True):
        columns.append(Column(cell, left, width, size))
        left += width + GAP + wider
    return columns


def _width_of(cell: Cell[Row], rows: Sequence[Row], sum_below: str | None) -> float:
    """Return the width of a column's widest text at a font size of 1 point."""
    widths: list[float] = [stringWidth(printable(text), PLAIN, 1) for text in set(map(cell.tells, rows))]
    below: float = stringWidth(sum_below or "", BOLD, 1) * (SIZE + 1) / SIZE
    name: float = stringWidth(cell.name, PLAIN, 1) * SMALL / SIZE
    return max(*widths, below, name) + SLACK


def _is_whole(cell: Cell[Row]) -> bool:
    return cell.whole or cell.numeric


def _share_width(room: float, least: Sequence[float], wanted: Sequence[float]) -> list[float]:
    """Give each column its minimum, then share the rest until all fit."""
    widths = list(least)
    while True:
        over = room - sum(widths)
        wanting = [number for number, width in enumerate(widths) if wanted[number] - width > SLACK]
        if over <= SLACK or not wanting:
            return widths
        for number in wanting:
            widths[number] += min(over / len(wanting), wanted[number] - widths[number])


def build_line(columns: Sequence[Column[Row]], row: Row, continues: str = "", note: str = "") -> Block:
    """Return one line of a table, with a ``note`` about the row below it.

    The line is as high as its longest cell. The note begins below the second column and uses the rest of the width, so
    it never narrows a column.
    """
    cells = [(column, column.lines(row)) for column in columns]
    notes_at, size = columns[1].left, min(columns[1].size, SMALL)
    notes = wrapped(note, PLAIN, size, RIGHT - notes_at)
    cells_height = max(len(lines) * column.leading for column, lines in cells)
    height = cells_height + len(notes) * LEADING + 3

    def draw(canvas: Canvas, y: float) -> None:
        for column, lines in cells:
            column.draw(canvas, y - 9, lines, PLAIN, column.size)
        canvas.setFont(PLAIN, size)
        for number, text in enumerate(notes):
            canvas.drawString(notes_at, y - 9 - cells_height - number * LEADING, text)
        canvas.line(LEFT, y - height + 0.5, RIGHT, y - height + 0.5)

    return Block(height, draw, continues=continues)


def kept_together(blocks: Sequence[Block], ending: Sequence[Block]) -> list[Block]:
    """Join the ending to the last two blocks so that it never starts a page."""
    return [*blocks[:-2], *(replace(block, stays=True) for block in blocks[-2:]), *ending]


def draw_headings(canvas: Canvas, y: float, columns: Sequence[Column[Row]]) -> None:
    """Draw the headings of the columns above a line."""
    canvas.setFillGray(GREY)
    for column in columns:
        column.draw(canvas, y - 9, [column.cell.name], PLAIN, SMALL * column.size / SIZE)
    canvas.setFillGray(0)
    canvas.setStrokeGray(0)
    canvas.line(LEFT, y - 14, RIGHT, y - 14)
    canvas.setStrokeGray(PALE)


def head(
    hospital: HospitalProfile,
    title: str,
    marks: Sequence[str],
    facts: Sequence[Sequence[tuple[str, str]]],
    below: float,
    draw_below: Draw,
) -> Block:
    """Return the head of the first page: letterhead, title, marks and facts.

    ``draw_below`` draws what follows the facts; its height is ``below``.
    """
    logo = hospital.logo
    wide, high = _logo_size(logo) if logo else (0.0, 0.0)
    left = LEFT + (wide + LOGO_GAP if logo else 0)
    room = RIGHT - left - stringWidth(title, BOLD, 12) - 24
    names = wrapped(hospital.letterhead[0], BOLD, 13, room) if hospital.letterhead else []
    others = [part for line in hospital.letterhead[1:] for part in wrapped(line, PLAIN, SIZE, room)]
    rows = [_fact_row(row, (RIGHT - LEFT) / len(row)) for row in facts]
    top = max(len(names) * 16 + len(others) * LEADING, 18 + 18 * len(marks), high) + 14

    def draw(canvas: Canvas, y: float) -> None:
        baseline = y - 12
        if logo:
            canvas.drawImage(ImageReader(io.BytesIO(logo.image)), LEFT, y - high, wide, high, mask="auto")
        for line in names:
            canvas.setFont(BOLD, 13)
            canvas.drawString(left, baseline, line)
            baseline -= 16
        for line in others:
            canvas.setFont(PLAIN, SIZE)
            canvas.drawString(left, baseline, line)
            baseline -= LEADING
        canvas.setFont(BOLD, 12)
        canvas.drawRightString(RIGHT, y - 12, title)
        _draw_marks(canvas, y - 30, marks)
        at = y - top + 4
        canvas.line(LEFT, at, RIGHT, at)
        for write, height in rows:
            write(canvas, at)
            at -= height
        draw_below(canvas, at - 8)

    return Block(top + sum(height for _, height in rows) + 8 + below, draw)


def _logo_size(logo: Logo) -> tuple[float, float]:
    """Return width and height on paper, in proportion."""
    scale = min(MAX_LOGO_WIDTH / logo.width, MAX_LOGO_HEIGHT / logo.height)
    return logo.width * scale, logo.height * scale


def repeat_head(title: str, marks: Sequence[str], about: Sequence[str], columns: Sequence[Column[Row]]) -> Block:
    """Return the head of the other pages: the title and the page's subject.

    Each text of ``about`` begins a line of its own and takes at most two.
    """
    beside = max([stringWidth(title, BOLD, 10), *(stringWidth(mark, BOLD, 10) + 12 for mark in marks)])
    lines = [line for text in about for line in fitted(text, PLAIN, SIZE, RIGHT - LEFT - beside - 24, 2)]
    top = max(18.0 + 18 * len(marks), 7 + LEADING * len(lines))

    def draw(canvas: Canvas, y: float) -> None:
        canvas.setFont(BOLD, 10)
        canvas.drawRightString(RIGHT, y - 10, title)
        canvas.setFont(PLAIN, SIZE)
        for number, line in enumerate(lines):
            canvas.drawString(LEFT, y - 10 - number * LEADING, line)
        _draw_marks(canvas, y - 28, marks)
        draw_headings(canvas, y - top, columns)

    return Block(top + HEADINGS, draw)


def pages_of(blocks: Sequence[Block], first: Block, again: Block) -> Iterator[list[tuple[float, Block]]]:
    """Yield the blocks of each page, each with its top."""
    placed, y = [(TOP, first)], TOP - first.height
    fresh = TOP - again.height
    at = 0
    while at < len(blocks):
        run = [blocks[at]]
        while run[-1].stays and at + len(run) < len(blocks):
            run.append(blocks[at + len(run)])
        at += len(run)
        if y - _height_of(run) < BOTTOM:
            yield placed
            placed, y = [(TOP, again)], fresh
            if run[0].continues:
                run.insert(0, _continuation(run[0].continues))
            if y - _height_of(run) < BOTTOM:
                # The run does not fit on one page: its last blocks go to the next page.
                at -= len(run) - 1
                del run[1:]
        for block in run:
            placed.append((y, block))
            y -= block.height
    yield placed


def _height_of(blocks: Sequence[Block]) -> float:
    return sum(block.height for block in blocks)


def pdf_of(
    pages: Sequence[Sequence[tuple[float, Block]]],
    *,
    hospital: HospitalProfile,
    language: str,
    title: str,
    foot: str,
    keywords: str = "",
    created_at: datetime | None = None,
) -> bytes:
    """Draw the pages, with page numbers and the total number of pages."""
    written = io.BytesIO()
    with DRAWING_LOCK:
        canvas = Canvas(written, pagesize=A4, invariant=1, lang=language)
        canvas.setTitle(title)
        canvas.setAuthor(printable(hospital.letterhead[0]) if hospital.letterhead else "Consumo")
        canvas.setKeywords(keywords)
        if created_at:
            canvas.setDateFormatter(lambda *_: f"D:{created_at.astimezone(UTC):%Y%m%d%H%M%S}+00'00'")
        for number, placed in enumerate(pages, 1):
            for y, block in placed:
                canvas.setFillGray(0)
                canvas.setStrokeGray(PALE)
                canvas.setLineWidth(LINE)
                block.draw(canvas, y)
            canvas.setFillGray(GREY)
            canvas.setFont(PLAIN, SMALL)
            if hospital.is_demonstration:
                canvas.drawCentredString(WIDTH / 2, TOP + 14, messages.pdf(language, "demonstration"))
            page = messages.pdf(language, "page").format(number=number, pages=len(pages))
            canvas.drawRightString(RIGHT, MARGIN, page)
            room = RIGHT - LEFT - stringWidth(page, PLAIN, SMALL) - 24
            for line in fitted(foot, PLAIN, SMALL, room, 1):
                canvas.drawString(LEFT, MARGIN, line)
            canvas.showPage()
        canvas.save()
    return written.getvalue()


def write(canvas: Canvas, baseline: float, text: str) -> None:
    """Draw a line of text at the left margin."""
    canvas.setFont(PLAIN, SIZE)
    canvas.drawString(LEFT, baseline, text)


def _continuation(text: str) -> Block:
    line = fitted(text, BOLD, SIZE, RIGHT - LEFT, 1)

    def draw(canvas: Canvas, y: float) -> None:
        canvas.setFont(BOLD, SIZE)
        canvas.setFillGray(GREY)
        for each in line:
            canvas.drawString(LEFT, y - 11, each)
        canvas.setFillGray(0)

    return Block(16, draw)


def _draw_marks(canvas: Canvas, baseline: float, marks: Sequence[str]) -> None:
    for number, mark in enumerate(marks):
        y = baseline - 18 * number
        width = canvas.stringWidth(mark, BOLD, 10) + 12
        canvas.setStrokeGray(0)
        canvas.rect(RIGHT - width, y - 4, width, 14)
        canvas.setFont(BOLD, 10)
        canvas.drawRightString(RIGHT - 6, y, mark)
        canvas.setStrokeGray(PALE)


def _fact_row(facts: Sequence[tuple[str, str]], width: float) -> tuple[Draw, float]:
    label_width = 82.0
    wrapped_facts = [(label, wrapped(value, PLAIN, SIZE + 0.5, width - label_width - 10)) for label, value in facts]
    height = max(len(lines) for _, lines in wrapped_facts) * LEADING + 3

    def draw(canvas: Canvas, y: float) -> None:
        for number, (label, lines) in enumerate(wrapped_facts):
            left = LEFT + number * width
            canvas.setFillGray(GREY)
            canvas.setFont(PLAIN, SMALL)
            canvas.drawString(left, y - LEADING, label)
            canvas.setFillGray(0)
            canvas.setFont(PLAIN, SIZE + 0.5)
            for at, line in enumerate(lines):
                canvas.drawString(left + label_width, y - LEADING * (at + 1), line)

    return draw, height
