"""Uploaded images: their kind is read from the file, and metadata are dropped."""

import io
from typing import Any

import pytest
from PIL import Image, ImageCms

from adapters.files.images import read_logo, read_picture
from domain.catalogue.picture import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE
from domain.common.errors import Code, Reason, Refused
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


def a_picture(mode: str, colour: object, kind: str, **saved: object) -> bytes:
    written = io.BytesIO()
    Image.new(mode, (30, 20), colour).save(written, kind, **saved)  # type: ignore[arg-type]
    return written.getvalue()


def without_adobe(content: bytes) -> bytes:
    start = content.index(b"Adobe") - 4
    return content[:start] + content[start + 2 + int.from_bytes(content[start + 2 : start + 4]) :]


_INKS = a_picture("CMYK", (0, 255, 255, 0), "JPEG")
_SHOWN = {
    "two images": (
        a_picture("RGB", "teal", "MPO", save_all=True, append_images=[Image.new("RGB", (30, 20), "red")]),
        (0, 128, 128, 255),
    ),
    "grey of 16 bits": (a_picture("I;16", 0x8080, "PNG"), (128, 128, 128, 255)),
    "dark grey of 16 bits": (a_picture("I;16", 0x1414, "PNG"), (20, 20, 20, 255)),
    "transparent grey of 16 bits": (a_picture("I;16", 0x8080, "PNG", transparency=0x8080), (128, 128, 128, 0)),
    "inks": (_INKS, (254, 0, 0, 255)),
    # Stored inverted only with the mark of Adobe.
    "inks as they are": (without_adobe(_INKS), (0, 0, 0, 255)),
    "grey": (a_picture("L", 77, "JPEG"), (77, 77, 77, 255)),
    "black and white": (a_picture("1", 1, "PNG"), (255, 255, 255, 255)),
    "a palette": (a_picture("P", 0, "PNG", transparency=0), (0, 0, 0, 0)),
}


@pytest.mark.parametrize("case", _SHOWN)
def test_a_picture_has_the_colours_that_viewers_show(case: str) -> None:
    content, colour = _SHOWN[case]
    for encoded in (read_picture(content).content, read_logo(content).image):
        with Image.open(io.BytesIO(encoded)) as stored:
            shown = stored.convert("RGBA").getpixel((9, 9))
        assert shown is not None
        assert all(abs(one - other) <= 5 for one, other in zip(shown, colour, strict=True))  # type: ignore[arg-type]


def test_colours_of_an_embedded_profile_are_converted() -> None:
    usual = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = usual.replace(b"rXYZ", b"?").replace(b"gXYZ", b"rXYZ").replace(b"?", b"gXYZ")
    for profile, colour in ((usual, (200, 40, 40)), (swapped, (40, 200, 40)), (b"broken", (200, 40, 40))):
        picture = read_picture(a_picture("RGB", (200, 40, 40), "PNG", icc_profile=profile))
        with Image.open(io.BytesIO(picture.content)) as stored:
            shown = stored.convert("RGB").getpixel((9, 9))
        assert shown == colour
        assert b"iCCP" not in picture.content


def test_damaged_metadata_do_not_cost_the_picture() -> None:
    picture = read_picture(a_picture("RGB", "teal", "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff"))
    assert (picture.width, picture.height) == (30, 20)


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
