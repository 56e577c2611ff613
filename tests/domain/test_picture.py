"""Headers of pictures, and which pictures are refused."""

from datetime import UTC, datetime

import pytest

from domain.errors import Code, Reason, Refused
from domain.picture import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, PictureHeader, read_header, read_picture
from tests.builders import a_png

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_jpeg(width: int, height: int, frame: int = 0xC0) -> bytes:
    """A JPEG up to its first frame, with a comment and padding before it."""
    comment = b"\xff\xfe" + (7).to_bytes(2) + b"hello"
    body = b"\x08" + height.to_bytes(2) + width.to_bytes(2) + b"\x03"
    return b"\xff\xd8" + comment + b"\xff\xff" + bytes((frame,)) + (17).to_bytes(2) + body


def a_webp(kind: bytes, data: bytes) -> bytes:
    return b"RIFF" + (99).to_bytes(4, "little") + b"WEBP" + kind + (30).to_bytes(4, "little") + data.ljust(30, b"\0")


LOSSY = b"\x30\x01\x00\x9d\x01\x2a" + (300).to_bytes(2, "little") + (200).to_bytes(2, "little")
LOSSLESS = b"\x2f" + (299 | 199 << 14).to_bytes(4, "little")
EXTENDED = bytes(4) + (299).to_bytes(3, "little") + (199).to_bytes(3, "little")


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (a_png(300, 200), "image/png"),
        (a_jpeg(300, 200), "image/jpeg"),
        (a_jpeg(300, 200, 0xC2), "image/jpeg"),
        (a_webp(b"VP8 ", LOSSY), "image/webp"),
        (a_webp(b"VP8L", LOSSLESS), "image/webp"),
        (a_webp(b"VP8X", EXTENDED), "image/webp"),
    ],
)
def test_type_and_size_are_read_from_the_header(content: bytes, media_type: str) -> None:
    assert read_header(content) == PictureHeader(media_type, 300, 200)
    # A header that is cut off is none, and never an error.
    assert all(read_header(content[:end]) is None for end in range(16))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a" + bytes(40),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><title>x</title>" + a_png(),
        b"%PDF-1.7",
        b"RIFF\0\0\0\0WAVEfmt " + bytes(40),
        a_webp(b"VP8 ", bytes(10)),
        a_webp(b"VP8L", bytes(10)),
        a_webp(b"ICCP", bytes(10)),
        b"\xff\xd8\xff\xe0\x00\x00" + bytes(40),
        b"\xff\xd8" + b"\xff\xfe\xff\xff",
        a_jpeg(0, 200),
    ],
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read_picture(1, content, NOW)
    assert refused.value.reasons == (Reason(Code.PICTURE_KIND_UNKNOWN, "picture"),)


def test_a_picture_with_too_many_bytes_is_refused() -> None:
    content = a_png().ljust(MAX_PICTURE_BYTES, b"\0")
    assert read_picture(1, content, NOW).content == content
    with pytest.raises(Refused) as refused:
        read_picture(1, content + b"\0", NOW)
    [reason] = refused.value.reasons
    assert (reason.code, reason.params) == (Code.PICTURE_TOO_LARGE, {"most": 300, "size": 301})


@pytest.mark.parametrize("size", [(MAX_PICTURE_SIDE + 1, 1), (1, MAX_PICTURE_SIDE + 1)])
def test_a_picture_with_too_many_pixels_is_refused(size: tuple[int, int]) -> None:
    assert read_picture(1, a_jpeg(MAX_PICTURE_SIDE, MAX_PICTURE_SIDE), NOW).width == MAX_PICTURE_SIDE
    with pytest.raises(Refused) as refused:
        read_picture(1, a_jpeg(*size), NOW)
    [reason] = refused.value.reasons
    assert (reason.params["width"], reason.params["height"]) == size
