"""The reader of photographs reads what the generator drew."""

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.photos.heap import HEIGHT, WIDTH, Drawn, Setting, Symbol, draw_heap, picture_of
from tests.photos.reader import as_jpeg, compare, photo_reader, read_file

pytestmark = pytest.mark.browser

CLUTTERED = ("cloth", "grid", "print")
HEAPS = {
    "level": Setting(table=40),
    "turned": Setting(table=40, turn=180, kinds=("gs1_128", "ean")),
    "turned and apart": Setting(table=36, turn=180, kinds=("apart", "rectangle", "double")),
    "blurred": Setting(table=30, turn=180, blur=1.4, noise=9),
    "shaded and glossy": Setting(table=34, turn=30, shadow=0.7, glossy=4),
    "equal packs": Setting(table=34, turn=180, packs=10, equal=5, kinds=("matrix", "ean")),
    "on others": Setting(table=34, turn=180, packs=14, overlapping=6, kinds=("ean", "gs1_128", "matrix")),
    "covered": Setting(table=36, turn=30, hidden=5),
    **{f"on {ground}": Setting(table=34, turn=180, ground=ground) for ground in CLUTTERED},
}


@pytest.fixture(scope="module")
def reader(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page = browser.new_page()
    with photo_reader(page, tmp_path_factory.mktemp("reader")):
        yield page
    page.close()


@pytest.mark.parametrize("name", HEAPS)
def test_what_is_visible_is_read_and_counted_once(reader: Page, name: str) -> None:
    drawn = draw_heap(58, HEAPS[name])
    found = compare(drawn, read_file(reader, as_jpeg(drawn.image))["progress"]["symbols"])
    assert (found.missed, found.wrong, found.doubled, found.hidden, found.imagined) == ([], [], [], [], 0)
    assert len(found.read) > 3
    hidden = [one for one in drawn.symbols if one.hidden]
    assert bool(hidden) == (name in {"on others", "covered"})
    # Some are covered so much that nothing looks like a code.
    assert bool(found.unread) == bool(hidden)


def test_a_picture_is_read_as_its_camera_was_held(reader: Page) -> None:
    drawn = draw_heap(58, Setting(table=40, packs=4))
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = as_jpeg(drawn.image.transpose(Image.Transpose.ROTATE_90), exif=exif)
    answer = read_file(reader, turned)
    assert (answer["width"], answer["height"]) == (WIDTH, HEIGHT)
    assert len(compare(drawn, answer["progress"]["symbols"]).read) == len(drawn.symbols)


def test_a_page_of_sixty_symbols_is_read(reader: Page) -> None:
    page = Image.new("L", (WIDTH, HEIGHT), 255)
    texts = [f"PAGINA-{place}" for place in range(60)]
    for place, text in enumerate(texts):
        page.paste(matrix(text, zxingcpp.BarcodeFormat.QRCode), (60 + place % 10 * 390, 60 + place // 10 * 480))
    seen = read_file(reader, as_jpeg(page))["progress"]["symbols"]
    assert sorted(one["text"][3:] for one in seen if one["text"]) == sorted(texts)


def test_a_rectangular_symbol_has_a_scanner_s_identifier(reader: Page) -> None:
    page = Image.new("L", (800, 600), 255)
    # An extended rectangle, of 8 by 48 modules.
    page.paste(matrix("(01)07501031311309(10)L1", zxingcpp.BarcodeFormat.DataMatrix, gs1=True, version=31), (200, 200))
    [symbol] = read_file(reader, as_jpeg(page))["progress"]["symbols"]
    assert symbol["text"] == "]d8010750103131130910L1"


def moved(one: Symbol, across: int, down: int) -> Symbol:
    corners = tuple((x + across, y + down) for x, y in one.corners)
    return replace(one, x=one.x + across, y=one.y + down, corners=corners)


def matrix(text: str, kind: zxingcpp.BarcodeFormat, **how: int) -> Image.Image:
    return picture_of(zxingcpp.create_barcode(text, kind, **how), add_quiet_zones=True, scale=6)


def png_head(width: int, height: int) -> bytes:
    """Return a PNG file that is only as large as it says."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def saved(image: Image.Image, kind: str, **how: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


EMPTY = Image.new("L", (600, 400), 200)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "notAPicture"),
        (b"%PDF-1.7 no picture", "notAPicture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200), "notAPicture"),
        (as_jpeg(EMPTY)[:150], "notAPicture"),
        (png_head(10_000, 10_000), "tooLarge"),
        (png_head(4_000_000_000, 4_000_000_000), "tooLarge"),
    ],
    ids=["nothing", "no picture", "HEIC", "damaged", "100 megapixels", "larger than memory"],
)
def test_a_picture_that_cannot_be_read_gets_one_error(reader: Page, content: bytes, error: str) -> None:
    answer = read_file(reader, content)
    assert (answer["error"], answer["passes"]) == (error, 0)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_picture_without_symbols_has_none(reader: Page, kind: str) -> None:
    more = {"save_all": True, "append_images": [Image.new("L", EMPTY.size, 90)]} if kind == "GIF" else {}
    answer = read_file(reader, saved(EMPTY, kind, **more))
    assert answer["end"]
    assert answer["progress"]["symbols"] == []


def test_a_large_picture_is_read_in_parts(reader: Page) -> None:
    small = draw_heap(58, Setting(table=40, packs=6))
    large = Image.new("L", (WIDTH + 600, HEIGHT + 100), 150)
    large.paste(small.image, (600, 100))
    drawn = Drawn(large, [moved(one, 600, 100) for one in small.symbols])
    found = compare(drawn, read_file(reader, as_jpeg(large))["progress"]["symbols"])
    assert (found.missed, found.wrong, found.doubled) == ([], [], [])
