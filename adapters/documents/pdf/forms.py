"""Contingency forms as PDF: one A4 page each, without prices.

All positions are on the dot grid of the label printers. Neighbouring symbols are at least 17 mm apart, so that a
scanner reads only the one it is held on.
"""

import io
from collections.abc import Sequence
from datetime import tzinfo

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.page import DRAWING_LOCK
from adapters.documents.pdf.symbols import DOT, DOTS_PER_MM, draw_qr, qr_dots
from adapters.documents.pdf.text import BOLD, PLAIN, fitted
from adapters.i18n import formats, messages
from application.forms.print_forms import MAX_FORM_PRODUCTS, FormPatient, FormProduct, PrintedForm
from domain.hospital.use_reason import UseReason

_PAGE_WIDTH, _PAGE_HEIGHT = 210 * DOTS_PER_MM, 297 * DOTS_PER_MM
_MARGIN = 10 * DOTS_PER_MM
_LEVEL = "Q"
# Larger than on label sheets: pages are also read from pictures of 150 dots per inch.
_MODULE = 4
_COLUMNS = 2
_COLUMN_WIDTH = (_PAGE_WIDTH - 2 * _MARGIN) // _COLUMNS
_ROW_HEIGHT = 17 * DOTS_PER_MM
_HEAD_HEIGHT = 33 * DOTS_PER_MM
_BOXES, _BOX_WIDTH, _BOX_HEIGHT = 6, 11 * DOTS_PER_MM, 7 * DOTS_PER_MM
_FREE_LINES, _FREE_HEIGHT = 6, 8 * DOTS_PER_MM
_TINY, _SMALL, _USUAL, _LARGE = 7.0, 8.0, 10.0, 15.0


def forms_pdf(forms: Sequence[PrintedForm], language: str, zone: tzinfo, letterhead: Sequence[str]) -> bytes:
    """Return the forms as PDF, one page each.

    Of the letterhead they have the first line.
    """
    hospital = next(iter(letterhead), "")
    written = io.BytesIO()
    with DRAWING_LOCK:
        canvas = Canvas(written, pagesize=A4, invariant=1, lang=language)
        canvas.setTitle(messages.pdf(language, "forms"))
        canvas.setAuthor("Consumo")
        # Print dialogs that read it keep the actual size.
        canvas.setViewerPreference("PrintScaling", "None")
        for form in forms:
            _Page(canvas, language, zone, hospital, form).draw()
            canvas.showPage()
        canvas.save()
    return written.getvalue()


class _Page:
    """Draws one form on a canvas."""

    def __init__(self, canvas: Canvas, language: str, zone: tzinfo, hospital: str, form: PrintedForm) -> None:
        self.canvas, self.language, self.zone, self.hospital, self.form = canvas, language, zone, hospital, form

    def draw(self) -> None:
        """Draw the head, the products, the free lines and the signature."""
        self.canvas.setLineWidth(0.6)
        top = _PAGE_HEIGHT - _MARGIN
        self._draw_head(top)
        top -= _HEAD_HEIGHT
        for place, product in enumerate(self.form.products):
            column, row = divmod(place, MAX_FORM_PRODUCTS // _COLUMNS)
            self._draw_product(product, _MARGIN + column * _COLUMN_WIDTH, top - row * _ROW_HEIGHT)
        self._draw_free_lines(_MARGIN + 12 * DOTS_PER_MM + _FREE_LINES // _COLUMNS * _FREE_HEIGHT)
        self._draw_signature(_MARGIN)

    def _draw_head(self, top: int) -> None:
        form = self.form
        side = qr_dots(form.text, _LEVEL, _MODULE)
        draw_qr(self.canvas, form.text, _MARGIN - 16, top - side + 16, level=_LEVEL, module_dots=_MODULE)
        left = _MARGIN + side - 8
        half = _PAGE_WIDTH // 2 + 2 * DOTS_PER_MM
        self._write(self._word("form", number=form.number), left, top - 45, BOLD, _LARGE, half - left)
        printed = f"{self._word('form_printed')} {formats.moment(self.language, form.printed_at, self.zone)}"
        place = " · ".join(filter(None, (self.hospital, form.area)))
        y = top - 90
        for text, font in ((place, PLAIN), (printed, PLAIN), (self._word("form_once"), BOLD)):
            y = self._write(text, left, y, font, _SMALL, half - left - 16, most=2)
        if form.patient:
            self._draw_patient(form.patient, half, top)
        else:
            self._draw_blank(half, top)
        how = self._word("form_how")
        self._write(how, _MARGIN, top - _HEAD_HEIGHT + 14, PLAIN, _SMALL, _PAGE_WIDTH - 2 * _MARGIN)

    def _draw_patient(self, patient: FormPatient, left: int, top: int) -> None:
        side = qr_dots(patient.text, _LEVEL, _MODULE)
        right = _PAGE_WIDTH - _MARGIN + 16
        draw_qr(self.canvas, patient.text, right - side, top - side + 16, level=_LEVEL, module_dots=_MODULE)
        width = right - side - left
        y = self._write(patient.name, left, top - 24, BOLD, _USUAL, width, most=3)
        born = formats.day(self.language, patient.born) if patient.born else ""
        lines = (f"{self._word('born_short')} {born}" if born else "", patient.record_number, patient.room)
        for text in filter(None, lines):
            y = self._write(text, left, y, PLAIN, _USUAL, width)

    def _draw_blank(self, left: int, top: int) -> None:
        """Draw the room for a patient, and below it what an area used."""
        width, below = _PAGE_WIDTH - _MARGIN - left, top - 27 * DOTS_PER_MM
        self._box(left, below, width, 27 * DOTS_PER_MM)
        self._write(self._word("form_blank_patient"), left + 8, top - 24, PLAIN, _TINY, width - 16)
        y = below + 72
        self.canvas.line(left * DOT, (y + 32) * DOT, (left + width) * DOT, (y + 32) * DOT)
        self._draw_ticks([self._word("form_area", area=self.form.area)], left + 8, y, BOLD)
        reasons = {reason: messages.value(self.language, f"use_reason.{reason}") for reason in UseReason}
        for row, of_waste in enumerate((False, True)):
            words = [word for reason, word in reasons.items() if reason.is_waste is of_waste]
            self._draw_ticks(words, left + 8, y - 32 * (row + 1), PLAIN)

    def _draw_ticks(self, words: Sequence[str], left: int, y: int, font: str) -> None:
        """Draw words side by side, each with a box to tick."""
        for word in words:
            self._box(left, y - 4, 22, 22)
            room = _PAGE_WIDTH - _MARGIN - left - 36
            self._write(word, left + 28, y, font, _TINY, room)
            left += 44 + round(stringWidth(word, font, _TINY) / float(DOT))

    def _draw_product(self, product: FormProduct, left: int, top: int) -> None:
        side = qr_dots(product.text, _LEVEL, _MODULE)
        below = top - _ROW_HEIGHT
        draw_qr(
            self.canvas, product.text, left - 16, below + (_ROW_HEIGHT - side) // 2, level=_LEVEL, module_dots=_MODULE
        )
        text_left = left + 18 * DOTS_PER_MM
        width = _COLUMN_WIDTH - 20 * DOTS_PER_MM
        note = " · ".join(filter(None, (product.code, product.unit)))
        lines = fitted(product.name, BOLD, _TINY, width * DOT, 2)
        y = top - 22
        for line in lines:
            y = self._write(line, text_left, y, BOLD, _TINY, width)
        if len(lines) < 2:
            self._write(note, text_left, y, PLAIN, _TINY, width)
        for box in range(_BOXES):
            self._box(text_left + box * _BOX_WIDTH, below + 6, _BOX_WIDTH, _BOX_HEIGHT)

    def _draw_free_lines(self, top: int) -> None:
        width = _PAGE_WIDTH - 2 * _MARGIN
        self._write(self._word("form_others"), _MARGIN, top + 8, PLAIN, _SMALL, width)
        amount = 2 * _BOX_WIDTH
        for place in range(_FREE_LINES):
            column, row = divmod(place, _FREE_LINES // _COLUMNS)
            left, below = _MARGIN + column * _COLUMN_WIDTH, top - (row + 1) * _FREE_HEIGHT
            self._box(left, below, _COLUMN_WIDTH - amount - 16, _FREE_HEIGHT)
            self._box(left + _COLUMN_WIDTH - amount - 16, below, amount, _FREE_HEIGHT)

    def _draw_signature(self, bottom: int) -> None:
        for column, word in enumerate(("form_by", "form_when")):
            left = _MARGIN + column * _COLUMN_WIDTH
            text = f"{self._word(word)}:"
            self._write(text, left, bottom + 8, PLAIN, _USUAL, _COLUMN_WIDTH)
            self.canvas.line((left + 200) * DOT, bottom * DOT, (left + _COLUMN_WIDTH - 16) * DOT, bottom * DOT)

    def _word(self, name: str, **params: object) -> str:
        text = messages.pdf(self.language, name)
        return text.format(**params) if params else text

    def _box(self, left: int, bottom: int, width: int, height: int) -> None:
        self.canvas.rect(left * DOT, bottom * DOT, width * DOT, height * DOT, 1, 0)

    def _write(self, text: str, left: int, y: int, font: str, size: float, width: int, most: int = 1) -> int:
        """Write the text, cut after ``most`` lines. Return the baseline below."""
        self.canvas.setFont(font, size)
        for line in fitted(text, font, size, width * DOT, most):
            self.canvas.drawString(left * DOT, y * DOT, line)
            y -= round(size * 1.2 / float(DOT))
        return y
