"""Reads uploaded images with Pillow: logos, and pictures of products."""

import io
import warnings
from collections.abc import Mapping

from PIL import Image, ImageOps, UnidentifiedImageError

from domain.errors import Code, Reason, Refused
from domain.hospital import MAX_LOGO_BYTES, Logo
from domain.picture import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, Picture

# Enough for paper and dense screens.
_MAX_LOGO_SIZE = (1200, 600)
# A small file may unpack to an enormous image.
_MAX_PIXELS = 16_000_000
_LOGO_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}
_PICTURE_TYPES = {**_LOGO_TYPES, "WEBP": "image/webp"}


def read_logo(content: bytes) -> Logo:
    """Return the logo, encoded again without metadata, reduced if large.

    Raise ``Refused`` unless it is a PNG or JPEG image.
    """
    image, kind = _open(content, _LOGO_TYPES, _MAX_LOGO_SIZE, Reason(Code.LOGO_UNREADABLE, "logo"))
    encoded, (width, height) = _encode(image, kind, _MAX_LOGO_SIZE, MAX_LOGO_BYTES)
    return Logo(encoded, _LOGO_TYPES[kind], width, height)


def read_picture(content: bytes) -> Picture:
    """Return the picture, encoded again without metadata, reduced if large.

    Raise ``Refused`` unless it is a JPEG, PNG or WebP image. A photograph's metadata may say where it was taken.
    """
    size = (MAX_PICTURE_SIDE, MAX_PICTURE_SIDE)
    image, kind = _open(content, _PICTURE_TYPES, size, Reason(Code.PICTURE_UNREADABLE, "picture"))
    encoded, (width, height) = _encode(image, kind, size, MAX_PICTURE_BYTES)
    return Picture(encoded, _PICTURE_TYPES[kind], width, height)


def _open(content: bytes, types: Mapping[str, str], size: tuple[int, int], reason: Reason) -> tuple[Image.Image, str]:
    """Open an image, not much larger than this size if it is reduced anyway.

    A JPEG is reduced while it is read: the whole picture is never in memory.
    """
    # A picture may be turned by its metadata.
    square = (max(size), max(size))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=tuple(types)) as opened:
                kind = str(opened.format)
                if opened.width * opened.height > _MAX_PIXELS:
                    raise Refused(reason)
                if kind == "JPEG":
                    opened.draft("RGB", square)
                image = opened.convert("RGB" if kind == "JPEG" else "RGBA")
                image.thumbnail(square)
                # Cameras store the orientation in the metadata.
                image = ImageOps.exif_transpose(image)
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning, OSError, ValueError,
            SyntaxError, OverflowError):  # fmt: skip
        raise Refused(reason) from None
    return image, kind


def _encode(image: Image.Image, kind: str, size: tuple[int, int], most: int) -> tuple[bytes, tuple[int, int]]:
    """Encode an image in at most this many bytes."""
    image.info.clear()
    image.thumbnail(size)
    while True:
        written = io.BytesIO()
        image.save(written, kind, optimize=True)
        if written.tell() <= most:
            return written.getvalue(), image.size
        image.thumbnail((image.width * 3 // 4, image.height * 3 // 4))
