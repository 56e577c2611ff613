"""Reads logos with Pillow."""

import io
import warnings

from PIL import Image, UnidentifiedImageError

from domain.errors import Code, Reason, Refused
from domain.hospital import MAX_LOGO_BYTES, Logo

# Enough for paper and dense screens.
_MAX_WIDTH, _MAX_HEIGHT = 1200, 600
# A small file may unpack to an enormous image.
_MAX_PIXELS = 16_000_000
_MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}


def read_logo(image: bytes) -> Logo:
    """Return the image, encoded again without metadata, reduced if large.

    Raise ``Refused`` unless it is a PNG or JPEG image.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(image), formats=("PNG", "JPEG")) as opened:
                kind = str(opened.format)
                if opened.width * opened.height > _MAX_PIXELS:
                    raise Refused(Reason(Code.LOGO_UNREADABLE, "logo"))
                picture = opened.convert("RGBA" if kind == "PNG" else "RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning, OSError, ValueError,
            SyntaxError, OverflowError):  # fmt: skip
        raise Refused(Reason(Code.LOGO_UNREADABLE, "logo")) from None
    picture.thumbnail((_MAX_WIDTH, _MAX_HEIGHT))
    while True:
        written = io.BytesIO()
        picture.save(written, kind, optimize=True)
        if written.tell() <= MAX_LOGO_BYTES:
            return Logo(written.getvalue(), _MEDIA_TYPES[kind], picture.width, picture.height)
        picture.thumbnail((picture.width * 3 // 4, picture.height * 3 // 4))
