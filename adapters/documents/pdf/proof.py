"""The symbol that proves a paper, with the same text to be typed."""

from reportlab.pdfgen.canvas import Canvas

from adapters.documents.pdf.page import LEADING, LEFT, RIGHT, SMALL, Block
from adapters.documents.pdf.symbols import DOT, QR_QUIET, draw_qr, qr_dots
from adapters.documents.pdf.text import PLAIN, wrapped

# The modules of the symbol, and how many characters of its text are in a group.
PROOF_MODULE_DOTS, PROOF_GROUP = 3, 16


def proof_block(text: str, hint: str) -> Block:
    """Return the symbol, and beside it a hint and the text in groups."""
    side = qr_dots(text, "M", PROOF_MODULE_DOTS) * DOT
    # The groups are short enough for typing.
    groups = "  ".join(text[at : at + PROOF_GROUP] for at in range(0, len(text), PROOF_GROUP))
    left = LEFT + side
    lines = [*wrapped(hint, PLAIN, SMALL, RIGHT - left), groups]

    def draw(canvas: Canvas, y: float) -> None:
        canvas.setFillGray(0)
        canvas.saveState()
        # Its quiet zone may be in the margin.
        canvas.translate(LEFT - QR_QUIET * PROOF_MODULE_DOTS * DOT, y - side)
        draw_qr(canvas, text, 0, 0, level="M", module_dots=PROOF_MODULE_DOTS)
        canvas.restoreState()
        canvas.setFont(PLAIN, SMALL)
        for number, line in enumerate(lines):
            canvas.drawString(left, y - side / 2 + 2 - (number - len(lines) / 2 + 0.5) * LEADING, line)

    return Block(side, draw)
