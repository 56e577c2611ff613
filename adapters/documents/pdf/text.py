"""Fonts for the names of most languages, and line wrapping."""

import unicodedata
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont

PLAIN, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
_FONTS = {name: TTFont(name, str(Path(__file__).parent / "fonts" / f"{name}.ttf")) for name in (PLAIN, BOLD)}
for _font in _FONTS.values():
    registerFont(_font)

# Characters beyond this cannot be searched for or copied from the PDF.
_LAST = "\uffff"
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
# Arabic and Hebrew would be printed in the wrong direction. A name that can be misread is worse than one that is
# visibly missing.
_FROM_THE_RIGHT = frozenset({"R", "AL", "AN"})


def printable(text: str, font: str = PLAIN) -> str:
    """Replace characters that the font lacks by a visible sign."""
    known = _FONTS[font].face.charToGlyph
    return "".join(
        each
        if each <= _LAST and ord(each) in known and unicodedata.bidirectional(each) not in _FROM_THE_RIGHT
        else _UNKNOWN
        for each in unicodedata.normalize("NFC", text)
        if unicodedata.category(each) not in ("Cc", "Cf")
    )


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """Wrap the text at ``width``. Words longer than a line are broken."""
    lines: list[str] = []
    line = ""
    for word in (word for part in text.splitlines() for word in printable(part, font).split()):
        longer = f"{line} {word}" if line else word
        if stringWidth(longer, font, size) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while stringWidth(line, font, size) > width and len(line) > 1:
            fitting = next(
                n for n in range(len(line) - 1, 0, -1) if n == 1 or stringWidth(line[:n], font, size) <= width
            )
            lines.append(line[:fitting])
            line = line[fitting:]
    return [*lines, line] if line else lines


def fitted(text: str, font: str, size: float, width: float, most: int) -> list[str]:
    """Wrap the text into at most ``most`` lines; an ellipsis marks a cut."""
    lines = wrapped(text, font, size, width)
    if len(lines) <= most:
        return lines
    last = " ".join(lines[most - 1 :])
    while last and stringWidth(f"{last}…", font, size) > width:
        last = last[:-1]
    return [*lines[: most - 1], f"{last.rstrip()}…"]
