"""What drawn symbols say, and the pictures as files."""

import re
from io import BytesIO

from PIL import Image

from tests.photos.heap import Symbol


def gtin_of(symbol: Symbol) -> str:
    """Return the GTIN of a symbol in 14 digits."""
    [digits] = re.findall(r"^\](?:d2|C1)01(\d{14})|^\]E0(\d{13})", symbol.text)
    return str(max(digits)).zfill(14)


def lot_of(symbol: Symbol) -> str | None:
    """Return the lot in a symbol."""
    found = re.search(r"(?<=\d)10(L?\d{4,6})(?:\x1d|$)", symbol.text)
    return found[1] if found else None


def as_file(image: Image.Image, kind: str = "JPEG") -> bytes:
    """Return the picture as a camera stores it."""
    file = BytesIO()
    image.save(file, kind, quality=90)
    return file.getvalue()
