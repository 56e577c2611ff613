"""Labels as PDF: every size is read back from one-bit pictures, as printers draw them."""

import io
from datetime import date
from decimal import Decimal
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from adapters.documents.pdf.labels import bars_fit, labels_pdf
from adapters.symbols.scan import read_scan
from application.labels.ports import KitCardLine, LabelSize, LabelSubject, PrintedLabel, PrintedLabels
from application.labels.print_labels import LABEL_SIZES
from domain.common.text import one_line
from domain.scanning.label import Label, LabelKind, label_text, read_label

INSTALLATION = 123_456
LONG = "Catéter venoso central Ñ de tres lúmenes " * 5
NAMES = ("Gasa estéril 10 × 10", LONG.strip(), "مريم 😀", "W" * 200)
SIZES = [(what, size) for what, sizes in LABEL_SIZES.items() for size in sizes]
# The dots per inch of label printers, and of office printers.
RESOLUTIONS = (203, pytest.param(300, marks=pytest.mark.walk))
SYMBOLS = zxingcpp.BarcodeFormats((zxingcpp.BarcodeFormat.QRCode, zxingcpp.BarcodeFormat.Code128))


def a_label(place: int = 7, name: str = NAMES[0], **more: Any) -> PrintedLabel:
    return PrintedLabel(text=label_text(LabelKind.PATIENT, place, INSTALLATION), name=name, **more)


def a_pdf(what: LabelSubject, size: LabelSize, *labels: PrintedLabel, start_at: int = 1) -> bytes:
    return labels_pdf(PrintedLabels(what=what, size=size, start_at=start_at, labels=labels), "es")


def pictures(pdf: bytes, dots_per_inch: float) -> list[Image.Image]:
    """Return the pages in black and white."""
    pages = pypdfium2.PdfDocument(io.BytesIO(pdf))
    return [page.render(scale=dots_per_inch / 72).to_pil().convert("L").convert("1", dither=0) for page in pages]


def texts_on(picture: Image.Image) -> list[str]:
    return [found.text for found in symbols_on(picture)]


def symbols_on(picture: Image.Image) -> list[zxingcpp.Barcode]:
    return zxingcpp.read_barcodes(picture.convert("L"), formats=SYMBOLS, try_downscale=False, try_invert=False)


def texts_of(pdf: bytes) -> str:
    return "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(io.BytesIO(pdf)))


@pytest.mark.parametrize("dots_per_inch", RESOLUTIONS)
@pytest.mark.parametrize(("what", "size"), SIZES)
def test_each_symbol_is_read_back(what: LabelSubject, size: LabelSize, dots_per_inch: int) -> None:
    more: dict[str, Any] = {"below": "Ofelia", "number": "EXP-1", "born": date(1951, 2, 3)}
    labels = [a_label(number, name, **more) for number, name in enumerate(NAMES, start=1)]
    found = [text for picture in pictures(a_pdf(what, size, *labels), dots_per_inch) for text in texts_on(picture)]
    times = {LabelSize.BAND_ADULT: 3, LabelSize.BAND_CHILD: 2}.get(size, 1)
    assert sorted(found) == sorted(label.text for label in labels for _ in range(times))
    for text in found:
        assert isinstance(read_label(read_scan(text).text, INSTALLATION), Label)


@pytest.mark.parametrize("dots_per_inch", RESOLUTIONS)
@pytest.mark.parametrize("size", LABEL_SIZES[LabelSubject.PRODUCT])
def test_the_code_of_a_product_is_read_back(size: LabelSize, dots_per_inch: int) -> None:
    codes = [code for code in ("MC-0005", "12-34", "A b#7", "x" * 13, "12345678901234567890") if bars_fit(code, size)]
    labels = [a_label(name=LONG, bars=code, has_qr=False, number=code, unit="caja") for code in codes]
    pages = pictures(a_pdf(LabelSubject.PRODUCT, size, *labels), dots_per_inch)
    assert sorted(text for page in pages for text in texts_on(page)) == sorted(codes)


@pytest.mark.parametrize("dots_per_inch", RESOLUTIONS)
def test_a_patient_label_has_bars_beside_its_qr(dots_per_inch: int) -> None:
    label = a_label(name=LONG, below=LONG, number="EXP-2025-0923", bars="EXP-2025-0923", born=date(1951, 2, 3))
    [picture] = pictures(a_pdf(LabelSubject.PATIENT, LabelSize.ROLL_57X32, label), dots_per_inch)
    assert sorted(texts_on(picture)) == [label.text, "EXP-2025-0923"]


@pytest.mark.parametrize("size", [LabelSize.A4_3X8, LabelSize.LETTER_3X10])
def test_a_used_sheet_continues_at_its_first_free_place(size: LabelSize) -> None:
    places = {LabelSize.A4_3X8: 24, LabelSize.LETTER_3X10: 30}[size]
    first, second = pictures(a_pdf(LabelSubject.PRODUCT, size, a_label(copies=3), start_at=places - 1), 203)
    assert (len(texts_on(first)), len(texts_on(second))) == (2, 1)
    across = sorted(found.position.top_left.x for found in symbols_on(first))
    assert across[0] > first.width / 4


def test_pages_are_as_large_as_the_labels() -> None:
    for (what, size), expected in {
        (LabelSubject.PRODUCT, LabelSize.ROLL_50X25): (50, 25),
        (LabelSubject.PRODUCT, LabelSize.ROLL_57X32): (57, 32),
        (LabelSubject.PRODUCT, LabelSize.A4_3X8): (210, 297),
        (LabelSubject.PRODUCT, LabelSize.LETTER_3X10): (215.9, 279.4),
        (LabelSubject.BAND, LabelSize.BAND_ADULT): (25, 280),
        (LabelSubject.BAND, LabelSize.BAND_CHILD): (25, 178),
        (LabelSubject.KIT, LabelSize.A6): (105, 148),
    }.items():
        pages = pypdfium2.PdfDocument(io.BytesIO(a_pdf(what, size, a_label())))
        assert [side / 72 * 25.4 for side in pages[0].get_size()] == pytest.approx(expected, abs=0.1)


def test_a_kit_card_has_all_lines_on_as_many_pages_as_needed() -> None:
    lines = tuple(KitCardLine(Decimal(number), f"Producto {number} {LONG}", number % 2 == 0) for number in range(1, 61))
    text = one_line(texts_of(a_pdf(LabelSubject.KIT, LabelSize.A6, a_label(lines=lines))))
    assert all(f"{number} Producto {number} " in text for number in range(1, 61))
    assert "(2 Producto 2 " in text


def test_what_a_font_lacks_is_visibly_missing() -> None:
    text = texts_of(a_pdf(LabelSubject.PRODUCT, LabelSize.ROLL_50X25, a_label(name="مريم 😀 Gasa")))
    assert "\N{REPLACEMENT CHARACTER}" in text
    assert "Gasa" in text


def test_a_patient_is_not_named_in_the_metadata() -> None:
    pdf = a_pdf(LabelSubject.BAND, LabelSize.BAND_ADULT, a_label(name="Zamudio"))
    told = pypdfium2.PdfDocument(io.BytesIO(pdf)).get_metadata_dict()
    assert "Zamudio" not in str(told)
    assert told["Title"] == "Etiquetas"
    assert b"/PrintScaling /None" in pdf
