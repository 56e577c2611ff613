"""Labels, wristbands and kit cards as PDF.

All positions are on the dot grid of label printers, in dots. Each label is drawn once and repeated.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.page import DRAWING_LOCK
from adapters.documents.pdf.symbols import (
    BAR_DOTS,
    BARS_QUIET,
    DOT,
    DOTS_PER_MM,
    bars_dots,
    draw_bars,
    draw_qr,
    qr_dots,
)
from adapters.documents.pdf.text import BOLD, PLAIN, fitted
from adapters.i18n import formats, messages
from application.labels.ports import KitCardLine, LabelSize, LabelSubject, PrintedLabel, PrintedLabels

_SMALLEST, _SMALL, _USUAL, _LARGE = 6.0, 7.0, 8.0, 10.0
_GAP = DOTS_PER_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class _Roll:
    """A label roll or a label sheet, in dots.

    ``places`` are the corners of the labels at the top left, from the left and from the top. ``margin`` is what
    printers cannot reach at the sides.
    """

    page: tuple[float, float]
    width: int
    height: int
    margin: int
    qr_module: int
    places: tuple[tuple[int, int], ...] = ((0, 0),)


def _places(left: float, top: float, right_by: float, down_by: float, across: int, down: int) -> list[tuple[int, int]]:
    return [
        (round((left + right_by * column) * DOTS_PER_MM), round((top + down_by * row) * DOTS_PER_MM))
        for row in range(down)
        for column in range(across)
    ]


_ROLLS = {
    LabelSize.ROLL_50X25: _Roll(page=(50 * mm, 25 * mm), width=400, height=200, margin=12, qr_module=4),
    LabelSize.ROLL_57X32: _Roll(page=(57 * mm, 32 * mm), width=456, height=256, margin=12, qr_module=4),
    LabelSize.A4_3X8: _Roll(
        page=(210 * mm, 297 * mm),
        width=560,
        height=296,
        margin=40,
        qr_module=4,
        places=tuple(_places(0, 0.5, 70, 37, 3, 8)),
    ),
    LabelSize.LETTER_3X10: _Roll(
        page=(215.9 * mm, 279.4 * mm),
        width=533,
        height=203,
        margin=24,
        qr_module=4,
        places=tuple(_places(4.7625, 12.7, 69.85, 25.4, 3, 10)),
    ),
}
# The starts of the QR codes on a wristband, and its length. The ends are for its clasp.
_BANDS = {LabelSize.BAND_ADULT: ((60, 118, 176), 280), LabelSize.BAND_CHILD: ((40, 98), 178)}
_BAND_WIDTH = 25 * DOTS_PER_MM
_BAND_MODULE = 4
_CARD_WIDTH, _CARD_HEIGHT = 105 * DOTS_PER_MM, 148 * DOTS_PER_MM
_CARD_MARGIN, _CARD_MODULE, _CARD_LINE = 8 * DOTS_PER_MM, 6, 40


def bars_fit(text: str, size: LabelSize) -> bool:
    """Return whether a Code 128 of the text fits on a label of this size."""
    roll = _ROLLS.get(size)
    if roll is None:
        return False
    # The quiet zones may be in the margin, which stays white.
    return bars_dots(text) <= roll.width - 2 * max(roll.margin - BARS_QUIET * BAR_DOTS, 0)


def labels_pdf(labels: PrintedLabels, language: str) -> bytes:
    """Return the labels as PDF, one page for each label or label sheet."""
    written = io.BytesIO()
    with DRAWING_LOCK:
        canvas = Canvas(written, pagesize=(10 * mm, 10 * mm), invariant=1, lang=language)
        canvas.setTitle(messages.pdf(language, "labels"))
        canvas.setAuthor("Consumo")
        # Print dialogs that read it keep the actual size.
        canvas.setViewerPreference("PrintScaling", "None")
        _Printer(canvas, language, labels).draw()
        canvas.save()
    return written.getvalue()


@dataclass(slots=True)
class _Printer:
    """Draws labels on a canvas."""

    canvas: Canvas
    language: str
    labels: PrintedLabels

    def draw(self) -> None:
        size = self.labels.size
        if size in _BANDS:
            self._draw_each(self._draw_band, (_BAND_WIDTH * DOT, _BANDS[size][1] * mm))
        elif size is LabelSize.A6:
            self._draw_cards()
        else:
            self._draw_labels(_ROLLS[size])

    def _draw_each(self, draw: Callable[[PrintedLabel], None], page: tuple[float, float]) -> None:
        """Draw one label on each page."""
        for number, label in enumerate(self.labels.labels):
            self._define(number, label, draw)
            for _ in range(label.copies):
                self.canvas.setPageSize(page)
                self.canvas.doForm(_form(number))
                self.canvas.showPage()

    def _define(self, number: int, label: PrintedLabel, draw: Callable[[PrintedLabel], None]) -> None:
        """Define the drawing of a label, to be repeated."""
        self.canvas.beginForm(_form(number), 0, 0, 2_400 * DOT, 2_400 * DOT)
        draw(label)
        self.canvas.endForm()

    # --- labels on rolls and sheets ---

    def _draw_labels(self, roll: _Roll) -> None:
        place = self.labels.start_at - 1
        page_height = round(roll.page[1] / DOT)
        self.canvas.setPageSize(roll.page)
        for number, label in enumerate(self.labels.labels):
            self._define(number, label, lambda each: self._draw_label(each, roll))
            for _ in range(label.copies):
                if place == len(roll.places):
                    self.canvas.showPage()
                    self.canvas.setPageSize(roll.page)
                    place = 0
                left, top = roll.places[place]
                self.canvas.saveState()
                self.canvas.translate(left * DOT, (page_height - top - roll.height) * DOT)
                self.canvas.doForm(_form(number))
                self.canvas.restoreState()
                place += 1
        self.canvas.showPage()

    def _draw_label(self, label: PrintedLabel, roll: _Roll) -> None:
        if self.labels.what is LabelSubject.PATIENT:
            self._draw_patient(label, roll)
        elif label.bars is not None:
            self._draw_bar_label(label, label.bars, roll)
        else:
            left = self._draw_qr_left(label, roll, (roll.height - self._qr_width(label, roll)) // 2)
            texts = [(label.name, BOLD, _USUAL, 4), (label.below, PLAIN, _SMALL, 2), (_code(label), PLAIN, _SMALL, 2)]
            self._write(texts, left, roll.height - _GAP, roll.width - roll.margin - left, _GAP, is_centred=True)

    def _draw_bar_label(self, label: PrintedLabel, bars: str, roll: _Roll) -> None:
        """Draw the name above the bars of the hospital's code."""
        height = 10 * DOTS_PER_MM if roll.height > 250 else 8 * DOTS_PER_MM
        bottom = 5 * DOTS_PER_MM if roll.height > 250 else 4 * DOTS_PER_MM
        draw_bars(self.canvas, bars, (roll.width - bars_dots(bars)) // 2, bottom, height)
        width = roll.width - 2 * roll.margin
        top = roll.height - _GAP - (_GAP if roll.height > 250 else 0)
        self._write([(label.name, BOLD, _USUAL, 3)], roll.margin, top, width, bottom + height + 4)
        self._write([(_code(label), PLAIN, _SMALL, 1)], roll.margin, bottom - 4, width, 0)

    def _draw_patient(self, label: PrintedLabel, roll: _Roll) -> None:
        """Draw the QR beside the patient's data, and bars below if there is room."""
        bottom = 0
        if label.bars is not None:
            draw_bars(self.canvas, label.bars, (roll.width - bars_dots(label.bars)) // 2, 2 * _GAP, 7 * _GAP)
            bottom = 9 * _GAP
        left = self._draw_qr_left(label, roll, (roll.height + bottom - self._qr_width(label, roll)) // 2)
        width = roll.width - roll.margin - left
        self._write(self._identity(label, _USUAL), left, roll.height - _GAP, width, bottom + 4, is_centred=True)

    def _qr_width(self, label: PrintedLabel, roll: _Roll) -> int:
        return qr_dots(label.text, "M", roll.qr_module)

    def _draw_qr_left(self, label: PrintedLabel, roll: _Roll, bottom: int) -> int:
        """Draw the QR at the left margin. Return where the text begins."""
        # The quiet zone reaches into the margin.
        left = roll.margin - 8
        draw_qr(self.canvas, label.text, left, bottom, level="M", module_dots=roll.qr_module)
        return left + self._qr_width(label, roll)

    def _identity(self, label: PrintedLabel, size: float) -> list[tuple[str, str, float, int]]:
        """Return surnames, given names, date of birth and record number."""
        born = formats.day(self.language, label.born) if label.born else ""
        return [
            (label.name, BOLD, size + 1, 2),
            (label.below, BOLD, size, 2),
            (f"{messages.pdf(self.language, 'born_short')} {born}" if born else "", PLAIN, size, 1),
            (label.number, PLAIN, size, 1),
        ]

    # --- wristbands ---

    def _draw_band(self, label: PrintedLabel) -> None:
        """Draw along the band: QR codes, and the patient's data after two of them."""
        starts, length = _BANDS[self.labels.size]
        width = qr_dots(label.text, "Q", _BAND_MODULE)
        bottom = (_BAND_WIDTH - width) // 2
        self.canvas.translate(_BAND_WIDTH * DOT, 0)
        self.canvas.rotate(90)
        ends = [*(start * DOTS_PER_MM for start in starts[1:]), (length - 20) * DOTS_PER_MM]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            left = start * DOTS_PER_MM
            draw_qr(self.canvas, label.text, left, bottom, level="Q", module_dots=_BAND_MODULE)
            if number < 2:
                text_left = left + width + 4
                room = min(end, text_left + 42 * DOTS_PER_MM) - 4 - text_left
                self._write(self._identity(label, _LARGE), text_left, _BAND_WIDTH - _GAP, room, _GAP, is_centred=True)

    # --- kit cards ---

    def _draw_cards(self) -> None:
        """Draw the card of each kit, on several pages if it has many lines."""
        for label in self.labels.labels:
            for _ in range(label.copies):
                rest: Sequence[KitCardLine] = label.lines
                while True:
                    self.canvas.setPageSize((_CARD_WIDTH * DOT, _CARD_HEIGHT * DOT))
                    rest = self._draw_card(label, rest)
                    self.canvas.showPage()
                    if not rest:
                        break

    def _draw_card(self, label: PrintedLabel, lines: Sequence[KitCardLine]) -> Sequence[KitCardLine]:
        """Draw a page of a card. Return the lines for the next page."""
        side = qr_dots(label.text, "M", _CARD_MODULE)
        left, right = _CARD_MARGIN, _CARD_WIDTH - _CARD_MARGIN
        top = _CARD_HEIGHT - _CARD_MARGIN
        draw_qr(self.canvas, label.text, right - side, top - side, level="M", module_dots=_CARD_MODULE)
        head = [(label.name, BOLD, 14.0, 4), (label.below, PLAIN, _LARGE, 2)]
        self._write(head, left, top, right - side - left - _GAP, top - side)
        y: float = top - side - 2 * _GAP
        for place, line in enumerate(lines):
            text = formats.counted(self.language, line.quantity, line.product)
            if line.optional:
                text = f"({text})"
            height = _height([(text, PLAIN, _LARGE, 2)], right - left)
            if y - height < _CARD_MARGIN:
                return lines[place:]
            self._write([(text, PLAIN, _LARGE, 2)], left, y, right - left, _CARD_MARGIN)
            y -= height + 6
        return ()

    def _write(
        self,
        texts: Sequence[tuple[str, str, float, int]],
        left: int,
        top: float,
        width: int,
        bottom: int,
        *,
        is_centred: bool = False,
    ) -> None:
        """Write texts below one another, each with its font, size and lines.

        They shrink until all fit above ``bottom``; a text that is still too long is cut.
        """
        texts = [text for text in texts if text[0]]
        while _height(texts, width) > top - bottom and max(size for _, _, size, _ in texts) > _SMALLEST:
            texts = [(text, font, max(size - 0.5, _SMALLEST), most) for text, font, size, most in texts]
        while _height(texts, width) > top - bottom:
            longest = max(range(len(texts)), key=lambda place: len(_lines(texts[place], width)))
            text, font, size, _ = texts[longest]
            if (most := len(_lines(texts[longest], width)) - 1) == 0:
                break
            texts[longest] = (text, font, size, most)
        y = top - (max(top - bottom - _height(texts, width), 0) / 2 if is_centred else 0)
        for each in texts:
            _, font, size, _ = each
            self.canvas.setFont(font, size)
            for line in _lines(each, width):
                y -= _leading(size)
                self.canvas.drawString(left * DOT, (y + _leading(size) * 0.25) * DOT, line)


def _form(number: int) -> str:
    return f"label-{number}"


def _code(label: PrintedLabel) -> str:
    return " · ".join(filter(None, (label.number, label.unit)))


def _lines(text: tuple[str, str, float, int], width: int) -> list[str]:
    words, font, size, most = text
    return fitted(words, font, size, width * DOT, most)


def _leading(size: float) -> float:
    """Return the height of a line, in dots."""
    return size * 1.15 / float(DOT)


def _height(texts: Sequence[tuple[str, str, float, int]], width: int) -> float:
    return sum(len(_lines(text, width)) * _leading(text[2]) for text in texts)
