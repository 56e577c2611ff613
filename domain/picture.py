"""Pictures of products: kind and size are read from the file itself."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from domain.errors import Code, Reason, Refused

MAX_PICTURE_BYTES = 300_000
# The maximum width and height: browsers unpack a picture before they show it.
MAX_PICTURE_SIDE = 2_000

PICTURE_TYPES = ("image/jpeg", "image/png", "image/webp")

_PNG = b"\x89PNG\r\n\x1a\n"
# JPEG segments that begin a frame; their data has the height and the width.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# JPEG markers without a length.
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD8)})


class PictureHeader(NamedTuple):
    """The media type and the dimensions of a picture."""

    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductPicture:
    """The picture of a product. ``digest`` is that of its content."""

    product_id: int
    digest: str
    media_type: str
    width: int
    height: int
    content: bytes
    at: datetime


def read_picture(product_id: int, content: bytes, at: datetime) -> ProductPicture:
    """Check the content of an uploaded picture. Raise ``Refused``."""
    if len(content) > MAX_PICTURE_BYTES:
        raise picture_too_large(len(content))
    header = read_header(content)
    if header is None:
        raise Refused(Reason(Code.PICTURE_KIND_UNKNOWN, "picture"))
    media_type, width, height = header
    if max(width, height) > MAX_PICTURE_SIDE:
        raise Refused(
            Reason(Code.PICTURE_TOO_WIDE, "picture", {"most": MAX_PICTURE_SIDE, "width": width, "height": height})
        )
    return ProductPicture(
        product_id=product_id,
        digest=hashlib.sha256(content).hexdigest()[:32],
        media_type=media_type,
        width=width,
        height=height,
        content=content,
        at=at,
    )


def picture_too_large(size: int) -> Refused:
    """Return the refusal of a picture with this number of bytes or more."""
    # Rounded up: a picture that is too large never seems small enough.
    return Refused(
        Reason(Code.PICTURE_TOO_LARGE, "picture", {"most": MAX_PICTURE_BYTES // 1_000, "size": -(-size // 1_000)})
    )


def read_header(content: bytes) -> PictureHeader | None:
    """Read a JPEG, PNG or WebP header; None for anything else."""
    found = _png(content) or _jpeg(content) or _webp(content)
    return found if found and found.width and found.height else None


def _png(content: bytes) -> PictureHeader | None:
    if not content.startswith(_PNG) or content[12:16] != b"IHDR" or len(content) < 24:
        return None
    width, height = (int.from_bytes(content[at : at + 4]) for at in (16, 20))
    return PictureHeader("image/png", width, height)


def _jpeg(content: bytes) -> PictureHeader | None:
    """Walk the segments up to the first frame."""
    if not content.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF or marker in _JPEG_BARE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _JPEG_FRAMES:
            height, width = (int.from_bytes(content[place : place + 2]) for place in (at + 5, at + 7))
            return PictureHeader("image/jpeg", width, height)
        length = int.from_bytes(content[at + 2 : at + 4])
        if length < 2:
            return None
        at += 2 + length
    return None


def _webp(content: bytes) -> PictureHeader | None:
    """Read the first chunk: lossy, lossless or extended."""
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP" or len(content) < 30:
        return None
    kind, data = content[12:16], content[20:30]
    if kind == b"VP8X":
        width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (4, 7))
    elif kind == b"VP8L" and data[0] == 0x2F:
        packed = int.from_bytes(data[1:5], "little")
        width, height = 1 + (packed & 0x3FFF), 1 + (packed >> 14 & 0x3FFF)
    elif kind == b"VP8 " and data[3:6] == b"\x9d\x01\x2a":
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    else:
        return None
    return PictureHeader("image/webp", width, height)
