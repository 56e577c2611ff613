"""Uploaded images: their kind is read from the file, and metadata are dropped."""

import io
from typing import Any

import pytest
from PIL import Image

from adapters.images import read_logo, read_picture
from domain.errors import Code, Reason, Refused
from domain.picture import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE
from tests.builders import an_image

KINDS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}


def a_photograph() -> bytes:
    """A JPEG that a camera held upright took, with the place in its metadata."""
    written, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6  # rotated by 90 degrees
    exif.get_ifd(0x8825)[1] = "N"
    Image.new("RGB", (300, 200), "teal").save(written, "JPEG", exif=exif, comment=b"Quito")
    return written.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_keeps_its_kind_and_size(kind: str) -> None:
    picture = read_picture(an_image(kind, (300, 200)))
    assert (picture.media_type, picture.width, picture.height) == (KINDS[kind], 300, 200)
    with Image.open(io.BytesIO(picture.content)) as stored:
        assert (stored.format, stored.size) == (kind, (300, 200))
    assert read_picture(an_image(kind, (300, 200))).digest == picture.digest


def test_metadata_are_dropped_and_the_orientation_is_applied() -> None:
    photograph = a_photograph()
    assert b"Exif" in photograph
    for read in (read_picture, read_logo):
        picture = read(photograph)
        assert (picture.width, picture.height) == (200, 300)
    picture = read_picture(photograph)
    assert b"Exif" not in picture.content
    assert b"Quito" not in picture.content


def test_a_large_picture_is_reduced() -> None:
    picture = read_picture(an_image("JPEG", (2_400, 1_200)))
    assert (picture.width, picture.height) == (MAX_PICTURE_SIDE, MAX_PICTURE_SIDE // 2)
    noise = io.BytesIO()
    Image.effect_noise((600, 600), 90).convert("RGB").save(noise, "PNG")
    assert len(read_picture(noise.getvalue()).content) <= MAX_PICTURE_BYTES


@pytest.mark.parametrize(
    "content",
    [
        b"",
        an_image("GIF"),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><title>x</title>" + an_image(),
        b"%PDF-1.7",
        an_image()[:60],
        an_image("WEBP")[:40],
        b"\xff\xd8\xff\xe0\x00\x00" + bytes(40),
        # It would unpack to 25 megapixels.
        an_image(size=(5_000, 5_000)),
    ],
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read_picture(content)
    assert refused.value.reasons == (Reason(Code.PICTURE_UNREADABLE, "picture"),)


def test_a_jpeg_is_reduced_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, convert = [], Image.Image.convert

    def note(image: Image.Image, *args: Any, **kwargs: Any) -> Image.Image:
        loaded.append(max(image.size))
        return convert(image, *args, **kwargs)

    large = an_image("JPEG", (4_000, 3_000))
    monkeypatch.setattr(Image.Image, "convert", note)
    assert read_picture(large).width == MAX_PICTURE_SIDE
    assert max(loaded) < 2 * MAX_PICTURE_SIDE
