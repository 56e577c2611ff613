"""Reads uploaded images with Pillow: logos, and pictures of products."""

import io
import warnings
from collections.abc import Mapping
from contextlib import suppress

from PIL import Image, ImageChops, ImageCms, ImageMath, ImageOps

from domain.catalogue.picture import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, Picture
from domain.common.errors import Code, Reason, Refused
from domain.hospital.settings import MAX_LOGO_BYTES, Logo

# Enough for paper and dense screens.
_MAX_LOGO_SIZE = (1200, 600)
# A small file may unpack to an enormous image.
_MAX_PIXELS = 16_000_000
_LOGO_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}
# Grey of 16 bits, in the modes in which Pillow opens it.
_DEEP_GREYS = frozenset({"I", "I;16", "I;16B", "I;16L", "I;16N"})
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
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=tuple(types)) as opened:
                # A JPEG file with several images, as phones write for depth and brightness: the first one is shown.
                kind = "JPEG" if opened.format == "MPO" else str(opened.format)
                if opened.width * opened.height > _MAX_PIXELS:
                    raise Refused(reason)
                if kind == "JPEG" and opened.mode != "CMYK":
                    opened.draft("RGB", square)
                opened.load()
                shown = _as_shown(opened, "RGB" if kind == "JPEG" else "RGBA")
                shown.thumbnail(square)
                return shown, kind
    except Refused:
        raise
    except Exception:  # noqa: BLE001 - Pillow raises errors of any kind for damaged files
        raise Refused(reason) from None


def _as_shown(image: Image.Image, mode: str) -> Image.Image:
    """Return the image in the colours and the orientation that viewers show."""
    profile, info = image.info.get("icc_profile"), image.info
    # Cameras store the orientation in the metadata.
    with suppress(Exception):
        image = ImageOps.exif_transpose(image)
    if image.mode == "CMYK" and "adobe" not in info:
        # Pillow takes every image of four inks for one of Adobe, which stores them inverted.
        image = ImageChops.invert(image)
    if image.mode in _DEEP_GREYS:
        return _in_eight_bits(image, info.get("transparency")).convert(mode)
    if profile:
        image = _in_srgb(image, profile, mode)
    return image.convert(mode)


def _in_eight_bits(image: Image.Image, transparent: object) -> Image.Image:
    """Return a grey image of 16 bits with 8, with its transparent grey."""
    deep = image.convert("I")
    grey = deep.point(lambda value: value * (1 / 257) + 0.5).convert("L")
    if isinstance(transparent, int):
        is_seen = ImageMath.lambda_eval(
            lambda args: args["convert"]((args["deep"] != transparent) * 255, "L"), deep=deep
        )
        grey.putalpha(is_seen)
    return grey


def _in_srgb(image: Image.Image, profile: bytes, mode: str) -> Image.Image:
    """Convert the colours of the embedded profile; keep those of a broken one."""
    alpha = image.convert("RGBA").getchannel("A") if mode == "RGBA" else None
    if image.mode not in ("RGB", "CMYK", "L"):
        image = image.convert("RGB")
    try:
        embedded = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        image = ImageCms.profileToProfile(image, embedded, ImageCms.createProfile("sRGB"), outputMode="RGB") or image
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        image = image.convert("RGB")
    if alpha is not None:
        image.putalpha(alpha)
    return image


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
