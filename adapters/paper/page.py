"""Pages: what stands at the top and the foot of each, what comes between, and where one ends and the next begins."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from adapters import words
from adapters.house import House
from adapters.paper.text import BOLD, PLAIN, printable, wrapped

WIDTH, HEIGHT = A4
MARGIN = 42.0
LEFT, RIGHT = MARGIN, WIDTH - MARGIN
TOP, BOTTOM = HEIGHT - MARGIN, MARGIN + 18
SIZE, SMALL, LEADING = 8.5, 7.5, 11.0
GAP, HEADINGS = 6.0, 18.0
LINE = 0.75
GREY, PALE = 0.35, 0.7

Draw = Callable[[Canvas, float], None]
Row = TypeVar("Row")

# What draws shares its fonts.
_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True, slots=True)
class Block:
    """Something of a height, drawn from its top down; one that ``stays`` is never the last on its page.

    Where it is the first on a page, ``continues`` says what goes on there.
    """

    height: float
    draw: Draw
    stays: bool = False
    continues: str = ""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of the lines: what it is called and what it tells of each."""

    name: str
    left: float
    width: float
    tells: Callable[[Row], str]
    numeric: bool = False

    def draw(self, canvas: Canvas, y: float, lines: Sequence[str], font: str = PLAIN, size: float = SIZE) -> None:
        """Write those lines, the first one on ``y``."""
        canvas.setFont(font, size)
        for number, line in enumerate(lines):
            baseline = y - number * LEADING
            if self.numeric:
                canvas.drawRightString(self.left + self.width, baseline, line)
            else:
                canvas.drawString(self.left, baseline, line)


Cell = tuple[str, float, Callable[[Row], str], bool]


def columns_across(cells: Sequence[Cell[Row]]) -> Iterator[Column[Row]]:
    """Columns from left to right: name, width, what it tells, whether that is a number. Width 0 takes what is left."""
    taken = sum(width for _, width, _, _ in cells) + GAP * (len(cells) - 1)
    left = LEFT
    for name, given, tells, numeric in cells:
        width = given or RIGHT - LEFT - taken
        yield Column(name, left, width, tells, numeric)
        left += width + GAP


def line_of(columns: Sequence[Column[Row]], row: Row, continues: str = "") -> Block:
    """One line of a table, as high as its longest cell."""
    cells = [(column, wrapped(column.tells(row), PLAIN, SIZE, column.width)) for column in columns]
    height = max(len(lines) for _, lines in cells) * LEADING + 3

    def draw(canvas: Canvas, y: float) -> None:
        for column, lines in cells:
            column.draw(canvas, y - 9, lines)
        canvas.line(LEFT, y - height + 0.5, RIGHT, y - height + 0.5)

    return Block(height, draw, continues=continues)


def draw_headings(canvas: Canvas, y: float, columns: Sequence[Column[Row]]) -> None:
    """The names of the columns over a line."""
    canvas.setFillGray(GREY)
    for column in columns:
        column.draw(canvas, y - 9, [column.name], size=SMALL)
    canvas.setFillGray(0)
    canvas.setStrokeGray(0)
    canvas.line(LEFT, y - 14, RIGHT, y - 14)
    canvas.setStrokeGray(PALE)


def head(
    house: House,
    title: str,
    marks: Sequence[str],
    facts: Sequence[Sequence[tuple[str, str]]],
    below: float,
    draw_below: Draw,
) -> Block:
    """What the first page begins with: letterhead, title, marks, rows of facts, and what is drawn below them."""
    room = RIGHT - LEFT - 190
    names = wrapped(house.letterhead[0], BOLD, 13, room) if house.letterhead else []
    others = [part for line in house.letterhead[1:] for part in wrapped(line, PLAIN, SIZE, room)]
    rows = [_fact_row(row, (RIGHT - LEFT) / len(row)) for row in facts]
    top = max(len(names) * 16 + len(others) * LEADING, 18 + 18 * len(marks)) + 14

    def draw(canvas: Canvas, y: float) -> None:
        baseline = y - 12
        for line in names:
            canvas.setFont(BOLD, 13)
            canvas.drawString(LEFT, baseline, line)
            baseline -= 16
        for line in others:
            canvas.setFont(PLAIN, SIZE)
            canvas.drawString(LEFT, baseline, line)
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


def head_again(title: str, marks: Sequence[str], about: str, columns: Sequence[Column[Row]]) -> Block:
    """What every other page begins with: a page alone still tells what it belongs to."""
    told = wrapped(about, PLAIN, SIZE, 300)[:1]
    top = 18.0 + 18 * len(marks)

    def draw(canvas: Canvas, y: float) -> None:
        canvas.setFont(BOLD, 10)
        canvas.drawRightString(RIGHT, y - 10, title)
        canvas.setFont(PLAIN, SIZE)
        for line in told:
            canvas.drawString(LEFT, y - 10, line)
        _draw_marks(canvas, y - 28, marks)
        draw_headings(canvas, y - top, columns)

    return Block(top + HEADINGS, draw)


def pages_of(blocks: Sequence[Block], first: Block, again: Block) -> Iterator[list[tuple[float, Block]]]:
    """The blocks of each page, each with its top."""
    placed, y = [(TOP, first)], TOP - first.height
    at = 0
    while at < len(blocks):
        run = [blocks[at]]
        while run[-1].stays and at + len(run) < len(blocks):
            run.append(blocks[at + len(run)])
        if y - sum(block.height for block in run) < BOTTOM:
            yield placed
            placed, y = [(TOP, again)], TOP - again.height
            if run[0].continues:
                run.insert(0, _continuing(run[0].continues))
                at -= 1
        for block in run:
            placed.append((y, block))
            y -= block.height
        at += len(run)
    yield placed


def pdf_of(
    pages: Sequence[Sequence[tuple[float, Block]]], *, house: House, language: str, title: str, foot: str
) -> bytes:
    """Draw the pages; how many there are stands on each."""
    written = io.BytesIO()
    with _ONE_AT_A_TIME:
        canvas = Canvas(written, pagesize=A4, invariant=1, lang=language)
        canvas.setTitle(title)
        canvas.setAuthor(printable(house.letterhead[0]) if house.letterhead else "Consumo")
        for number, placed in enumerate(pages, 1):
            for y, block in placed:
                canvas.setFillGray(0)
                canvas.setStrokeGray(PALE)
                canvas.setLineWidth(LINE)
                block.draw(canvas, y)
            canvas.setFillGray(GREY)
            canvas.setFont(PLAIN, SMALL)
            canvas.drawString(LEFT, MARGIN, printable(foot))
            page = words.paper(language, "page").format(number=number, pages=len(pages))
            canvas.drawRightString(RIGHT, MARGIN, page)
            canvas.showPage()
        canvas.save()
    return written.getvalue()


def write(canvas: Canvas, baseline: float, text: str) -> None:
    """A line of text at the left."""
    canvas.setFont(PLAIN, SIZE)
    canvas.drawString(LEFT, baseline, text)


def _continuing(text: str) -> Block:
    line = wrapped(text, BOLD, SIZE, RIGHT - LEFT)[:1]

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
