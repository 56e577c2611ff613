"""Bar codes and QR codes, drawn on the dot grid of label printers.

Label printers have 8 dots per millimetre. Each module is a whole number of dots, so that a printer never rounds it.
"""

from functools import lru_cache

from reportlab.graphics.barcode.code128 import Code128
from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

DOTS_PER_MM = 8
DOT = mm / DOTS_PER_MM
BAR_DOTS = 2
# Quiet zones, in modules.
QR_QUIET, BARS_QUIET, DATA_MATRIX_QUIET = 4, 10, 2
DataMatrix = tuple[tuple[bool, ...], ...]
# Rasterizers paint every pixel that a shape touches, so that bars would grow at the cost of the spaces.
_BAR_INSET = 0.1 * DOT


def bars_dots(text: str) -> int:
    """Return the width of a Code 128 symbol with its quiet zones, in dots."""
    return (sum(_bar_widths(text)) + 2 * BARS_QUIET) * BAR_DOTS


def qr_dots(text: str, level: str, module_dots: int) -> int:
    """Return the width of a QR code with its quiet zone, in dots."""
    return (len(_qr_rows(text, level)) + 2 * QR_QUIET) * module_dots


def draw_bars(canvas: Canvas, text: str, left: int, bottom: int, height: int) -> None:
    """Draw a Code 128 symbol.

    ``left`` is where its quiet zone begins, in dots.
    """
    at = left + BARS_QUIET * BAR_DOTS
    for place, modules in enumerate(_bar_widths(text)):
        width = modules * BAR_DOTS
        if place % 2 == 0:
            canvas.rect(at * DOT + _BAR_INSET, bottom * DOT, width * DOT - 2 * _BAR_INSET, height * DOT, 0, 1)
        at += width


def draw_qr(canvas: Canvas, text: str, left: int, bottom: int, *, level: str, module_dots: int) -> None:
    """Draw a QR code.

    ``left`` and ``bottom`` are the corner of its quiet zone, in dots. Cells touch: with gaps some printers leave white
    lines.
    """
    _draw_cells(canvas, _qr_rows(text, level), left, bottom, QR_QUIET, module_dots)


def data_matrix_dots(rows: DataMatrix, module_dots: int) -> int:
    """Return the width of a DataMatrix symbol with its quiet zone, in dots."""
    return (len(rows) + 2 * DATA_MATRIX_QUIET) * module_dots


def draw_data_matrix(canvas: Canvas, rows: DataMatrix, left: int, bottom: int, *, module_dots: int) -> None:
    """Draw a DataMatrix symbol.

    ``left`` and ``bottom`` are the corner of its quiet zone, in dots. Cells touch, as those of QR codes.
    """
    _draw_cells(canvas, rows, left, bottom, DATA_MATRIX_QUIET, module_dots)


def _draw_cells(
    canvas: Canvas, rows: tuple[tuple[bool, ...], ...], left: int, bottom: int, quiet: int, module_dots: int
) -> None:
    side = module_dots * DOT
    for number, row in enumerate(rows):
        y = bottom * DOT + (quiet + len(rows) - 1 - number) * side
        for start, cells in _runs(row):
            canvas.rect(left * DOT + (quiet + start) * side, y, cells * side, side, 0, 1)


def _runs(row: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return start and length of the dark runs in a row."""
    runs: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if dark and runs and sum(runs[-1]) == place:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((place, 1))
    return runs


@lru_cache(maxsize=512)
def _bar_widths(text: str) -> tuple[int, ...]:
    """Return the widths of bars and spaces in turn, in modules."""
    symbol = Code128(text, quiet=0)
    symbol.validate()
    symbol.encode()
    symbol.decompose()
    return tuple(ord(width.upper()) - ord("A") + 1 for width in symbol.decomposed)


@lru_cache(maxsize=512)
def _qr_rows(text: str, level: str) -> tuple[tuple[bool, ...], ...]:
    symbol = QRCode(None, getattr(QRErrorCorrectLevel, level))
    symbol.addData(text)
    symbol.make()
    return tuple(map(tuple, symbol.modules))
