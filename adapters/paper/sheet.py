"""A consumption sheet on paper: A4, as many pages as it takes."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from decimal import Decimal
from threading import Lock

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from adapters import words
from adapters.paper import formats
from adapters.paper.text import BOLD, PLAIN, printable, wrapped
from application.views import DetailView, PersonView, PrintedSheetView

_WIDTH, _HEIGHT = A4
_MARGIN = 42.0
_LEFT, _RIGHT = _MARGIN, _WIDTH - _MARGIN
_TOP, _BOTTOM = _HEIGHT - _MARGIN, _MARGIN + 18
_SIZE, _SMALL, _LEADING = 8.5, 7.5, 11.0
_GAP, _HEADINGS = 6.0, 18.0
_LINE = 0.75
_GREY = 0.35

Draw = Callable[[Canvas, float], None]

# What draws shares its fonts.
_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True, slots=True)
class _Block:
    """Something of a height, drawn from its top down; one that ``stays`` is never the last on its page."""

    height: float
    draw: Draw
    stays: bool = False


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the lines: what it is called and what it tells of each."""

    name: str
    left: float
    width: float
    tells: Callable[[DetailView], str]
    numeric: bool = False

    def draw(self, canvas: Canvas, y: float, lines: Sequence[str], font: str = PLAIN, size: float = _SIZE) -> None:
        """Write those lines, the first one on ``y``."""
        canvas.setFont(font, size)
        for number, line in enumerate(lines):
            baseline = y - number * _LEADING
            if self.numeric:
                canvas.drawRightString(self.left + self.width, baseline, line)
            else:
                canvas.drawString(self.left, baseline, line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The hospital's paper: its letterhead, line by line, its currency and its time zone."""

    letterhead: tuple[str, ...]
    currency: str
    zone: tzinfo

    def sheet(self, view: PrintedSheetView, language: str) -> bytes:
        """The sheet as PDF. It carries no title of its own that tells whose it is."""
        with _ONE_AT_A_TIME:
            return _SheetOnPaper(self, view, language).pdf()


@dataclass(slots=True)
class _SheetOnPaper:
    """One sheet, while it is laid out and drawn."""

    paper: Paper
    view: PrintedSheetView
    language: str
    columns: list[_Column] = field(default_factory=list)

    def pdf(self) -> bytes:
        """Lay it out, then draw it: how many pages there are stands on each."""
        self.columns = list(self._columns())
        pages = list(self._pages([*self._blocks(), *self._ending()]))
        written = io.BytesIO()
        canvas = Canvas(written, pagesize=A4, invariant=1, lang=self.language)
        canvas.setTitle(self._title())
        canvas.setAuthor(printable(self.paper.letterhead[0]) if self.paper.letterhead else "Consumo")
        for number, placed in enumerate(pages, 1):
            for y, block in placed:
                canvas.setFillGray(0)
                canvas.setStrokeGray(0.7)
                canvas.setLineWidth(_LINE)
                block.draw(canvas, y)
            self._foot(canvas, number, len(pages))
            canvas.showPage()
        canvas.save()
        return written.getvalue()

    def _pages(self, blocks: Sequence[_Block]) -> Iterator[list[tuple[float, _Block]]]:
        """The blocks of each page, each with its top."""
        head, again = self._head(), self._head_again()
        placed, y = [(_TOP, head)], _TOP - head.height
        at = 0
        while at < len(blocks):
            run = [blocks[at]]
            while run[-1].stays and at + len(run) < len(blocks):
                run.append(blocks[at + len(run)])
            if y - sum(block.height for block in run) < _BOTTOM:
                yield placed
                placed, y = [(_TOP, again)], _TOP - again.height
            for block in run:
                placed.append((y, block))
                y -= block.height
            at += len(run)
        yield placed

    # --- what stands above the lines ---

    def _head(self) -> _Block:
        """Letterhead, title, whose sheet it is, and the names of the columns."""
        room = _RIGHT - _LEFT - 190
        names = wrapped(self.paper.letterhead[0], BOLD, 13, room) if self.paper.letterhead else []
        others = [part for line in self.paper.letterhead[1:] for part in wrapped(line, PLAIN, _SIZE, room)]
        facts = self._facts()
        top = max(len(names) * 16 + len(others) * _LEADING, 18 + 18 * len(self._marks())) + 14
        height = top + sum(height for _, height in facts) + 8 + _HEADINGS

        def draw(canvas: Canvas, y: float) -> None:
            baseline = y - 12
            for line in names:
                canvas.setFont(BOLD, 13)
                canvas.drawString(_LEFT, baseline, line)
                baseline -= 16
            for line in others:
                canvas.setFont(PLAIN, _SIZE)
                canvas.drawString(_LEFT, baseline, line)
                baseline -= _LEADING
            canvas.setFont(BOLD, 12)
            canvas.drawRightString(_RIGHT, y - 12, self._title())
            self._draw_marks(canvas, y - 30)
            below = y - top + 4
            canvas.line(_LEFT, below, _RIGHT, below)
            for write, row in facts:
                write(canvas, below)
                below -= row
            self._headings(canvas, below - 8)

        return _Block(height, draw)

    def _head_again(self) -> _Block:
        """What every other page begins with: a page alone still tells whose it is."""
        whose = wrapped(_name(self.view["sheet"]["patient"]), PLAIN, _SIZE, 260)[:1]
        top = 18.0 + 18 * len(self._marks())

        def draw(canvas: Canvas, y: float) -> None:
            canvas.setFont(BOLD, 10)
            canvas.drawRightString(_RIGHT, y - 10, self._title())
            canvas.setFont(PLAIN, _SIZE)
            for line in whose:
                canvas.drawString(_LEFT, y - 10, line)
            self._draw_marks(canvas, y - 28)
            self._headings(canvas, y - top)

        return _Block(top + _HEADINGS, draw)

    def _title(self) -> str:
        return self._word("title", number=self.view["sheet"]["id"])

    def _marks(self) -> list[str]:
        """What must not be overlooked: that this is not the end of it, or that there was a paper before."""
        open_mark = [] if self.view["sheet"]["closed"] else [self._word("open")]
        return [*open_mark, *([self._word("copy")] if self.view["reopened"] else [])]

    def _draw_marks(self, canvas: Canvas, baseline: float) -> None:
        for number, mark in enumerate(self._marks()):
            y = baseline - 18 * number
            width = canvas.stringWidth(mark, BOLD, 10) + 12
            canvas.setStrokeGray(0)
            canvas.rect(_RIGHT - width, y - 4, width, 14)
            canvas.setFont(BOLD, 10)
            canvas.drawRightString(_RIGHT - 6, y, mark)
            canvas.setStrokeGray(0.7)

    def _facts(self) -> list[tuple[Draw, float]]:
        view, sheet, language = self.view, self.view["sheet"], self.language
        born, closed_at = view["date_of_birth"], sheet["deleted_at"]
        pairs = [
            ("patient", _name(sheet["patient"])),
            ("record_number", view["record_number"] or ""),
            ("born", formats.day(language, born) if born else ""),
            ("room", f"{sheet['room']['name']} ({view['area']})" if view["area"] else sheet["room"]["name"]),
            ("admission", formats.day(language, sheet["admission_date"])),
            ("closed_at", formats.moment(language, closed_at, self.paper.zone) if closed_at else ""),
            ("doctor", sheet["doctor"]),
        ]
        half = (_RIGHT - _LEFT) / 2
        told = [(self._word(label), value) for label, value in pairs if value]
        rows = [self._fact_row(told[at : at + 2], half) for at in range(0, len(told), 2)]
        if sheet["diagnosis"]:
            rows.append(self._fact_row([(self._word("diagnosis"), sheet["diagnosis"])], 2 * half))
        return rows

    def _fact_row(self, facts: Sequence[tuple[str, str]], width: float) -> tuple[Draw, float]:
        label_width = 82.0
        wrapped_facts = [
            (label, wrapped(value, PLAIN, _SIZE + 0.5, width - label_width - 10)) for label, value in facts
        ]
        height = max(len(lines) for _, lines in wrapped_facts) * _LEADING + 3

        def draw(canvas: Canvas, y: float) -> None:
            for number, (label, lines) in enumerate(wrapped_facts):
                left = _LEFT + number * width
                canvas.setFillGray(_GREY)
                canvas.setFont(PLAIN, _SMALL)
                canvas.drawString(left, y - _LEADING, label)
                canvas.setFillGray(0)
                canvas.setFont(PLAIN, _SIZE + 0.5)
                for at, line in enumerate(lines):
                    canvas.drawString(left + label_width, y - _LEADING * (at + 1), line)

        return draw, height

    # --- the lines ---

    def _columns(self) -> Iterator[_Column]:
        language, zone = self.language, self.paper.zone
        cells: list[tuple[str, float, Callable[[DetailView], str], bool]] = [
            ("time", 28, lambda each: formats.time(each["created_at"], zone), False),
            ("product", 0, lambda each: each["product"]["name"], False),
            ("staff", 74, lambda each: _name(each["staff"]) if each["staff"] else "", False),
            ("area", 54, lambda each: each["area"]["name"] if each["area"] else "", False),
            ("quantity", 46, lambda each: formats.quantity(language, each["quantity"]), True),
        ]
        if "total" in self.view:
            cells += [
                ("price", 62, lambda each: self._money(each["unit_price"]), True),
                ("total", 72, lambda each: self._money(each["total"]), True),
            ]
        taken = sum(width for _, width, _, _ in cells) + _GAP * (len(cells) - 1)
        left = _LEFT
        for name, width, tells, numeric in cells:
            width = width or _RIGHT - _LEFT - taken
            yield _Column(self._word(name), left, width, tells, numeric)
            left += width + _GAP

    def _headings(self, canvas: Canvas, y: float) -> None:
        canvas.setFillGray(_GREY)
        for column in self.columns:
            column.draw(canvas, y - 9, [column.name], size=_SMALL)
        canvas.setFillGray(0)
        canvas.setStrokeGray(0)
        canvas.line(_LEFT, y - 14, _RIGHT, y - 14)
        canvas.setStrokeGray(0.7)

    def _blocks(self) -> Iterator[_Block]:
        """The days, in them the categories, in them the lines."""
        for day in self.view["days"]:
            yield self._heading(formats.day(self.language, day["day"]), day.get("total"), BOLD, 10, 24)
            for category in day["categories"]:
                yield self._heading(category["category"]["name"], category.get("total"), BOLD, _SIZE, 16)
                for detail in category["details"]:
                    yield self._line(detail)
        if not self.view["days"]:
            yield _Block(30, lambda canvas, y: _write(canvas, y - 20, self._word("nothing")))

    def _heading(self, text: str, total: Decimal | None, font: str, size: float, height: float) -> _Block:
        at = next((column for column in self.columns if column.name == self._word("total")), None)
        lines = wrapped(text, font, size, (at.left if at else _RIGHT) - _LEFT - _GAP)
        below = (len(lines) - 1) * _LEADING

        def draw(canvas: Canvas, y: float) -> None:
            baseline = y - height + 5
            canvas.setFont(font, size)
            for number, line in enumerate(lines):
                canvas.drawString(_LEFT, baseline - number * _LEADING, line)
            if at and total is not None:
                canvas.drawRightString(at.left + at.width, baseline, self._money(total))

        return _Block(height + below, draw, stays=True)

    def _line(self, detail: DetailView) -> _Block:
        cells = [(column, wrapped(column.tells(detail), PLAIN, _SIZE, column.width)) for column in self.columns]
        height = max(len(lines) for _, lines in cells) * _LEADING + 3

        def draw(canvas: Canvas, y: float) -> None:
            for column, lines in cells:
                column.draw(canvas, y - 9, lines)
            canvas.line(_LEFT, y - height + 0.5, _RIGHT, y - height + 0.5)

        return _Block(height, draw)

    # --- what stands below them ---

    def _ending(self) -> Iterator[_Block]:
        """What it comes to, and who answers for it: together on one page."""
        lines = self._word("lines", number=formats.quantity(self.language, Decimal(self.view["lines"])))
        total = self.view.get("total")

        def draw_total(canvas: Canvas, y: float) -> None:
            canvas.setFont(PLAIN, _SIZE)
            canvas.drawString(_LEFT, y - 22, lines)
            if total is not None:
                canvas.setFont(BOLD, 12)
                canvas.drawRightString(_RIGHT, y - 22, f"{self._word('total')}  {self._money(total)}")

        def draw_signatures(canvas: Canvas, y: float) -> None:
            width = (_RIGHT - _LEFT - 40) / 2
            canvas.setStrokeGray(0)
            for number, who in enumerate(("responsible", "recipient")):
                left = _LEFT + number * (width + 40)
                canvas.line(left, y - 54, left + width, y - 54)
                canvas.setFont(PLAIN, _SIZE)
                canvas.drawString(left, y - 66, self._word(who))
                canvas.setFont(PLAIN, _SMALL)
                canvas.setFillGray(_GREY)
                canvas.drawString(left, y - 77, self._word("signature"))
                canvas.setFillGray(0)

        yield _Block(30, draw_total, stays=True)
        yield _Block(82, draw_signatures)

    def _foot(self, canvas: Canvas, number: int, pages: int) -> None:
        canvas.setFillGray(_GREY)
        canvas.setFont(PLAIN, _SMALL)
        printed = formats.moment(self.language, self.view["printed_at"], self.paper.zone)
        canvas.drawString(_LEFT, _MARGIN, self._word("printed_at", moment=printed))
        canvas.drawRightString(_RIGHT, _MARGIN, self._word("page", number=number, pages=pages))

    def _word(self, name: str, **told: object) -> str:
        return words.paper(self.language, name).format(**told)

    def _money(self, amount: Decimal) -> str:
        return formats.money(self.language, amount, self.paper.currency)


def _write(canvas: Canvas, baseline: float, text: str) -> None:
    canvas.setFont(PLAIN, _SIZE)
    canvas.drawString(_LEFT, baseline, text)


def _name(person: PersonView) -> str:
    return " ".join(filter(None, (person["name"], person["first_surname"], person["second_surname"])))
