"""Contingency forms as PDF: every symbol is read back from pictures of printed and scanned pages."""

import io
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from adapters.documents.pdf.forms import forms_pdf
from adapters.symbols.scan import read_scan
from application.forms.print_forms import FormPatient, FormProduct, PrintedForm
from domain.common.text import one_line
from domain.scanning.label import Label, LabelKind, label_text, read_label
from tests.builders import NOON

INSTALLATION = 123_456
LONG = "Catéter venoso central Ñ de tres lúmenes " * 5
MM = 25.4


def a_form(number: int = 1_234, **more: Any) -> PrintedForm:
    patient = FormPatient(
        text=label_text(LabelKind.PATIENT, 742, INSTALLATION),
        name="Zoila Ñúñez",
        record_number="EXP-7",
        born=date(1951, 2, 3),
        room="101-A",
    )
    products = tuple(
        FormProduct(
            text=label_text(LabelKind.PRODUCT, product_id, INSTALLATION),
            name=LONG if product_id % 2 else f"Producto {product_id}",
            code=f"MC-{product_id}",
            unit="caja",
        )
        for product_id in (*range(1, 21), 10**5, 10**6, 10**8, 10**9 - 1)
    )
    filled_in: dict[str, Any] = {"patient": patient, "products": products, "area": "Urgencias"}
    text = label_text(LabelKind.FORM, number, INSTALLATION)
    return PrintedForm(number=number, text=text, printed_at=NOON, **filled_in | more)


def a_pdf(*forms: PrintedForm, language: str = "es") -> bytes:
    return forms_pdf(forms, language, ZoneInfo("America/Mexico_City"), ("Hospital San José",))


def picture_of(pdf: bytes, dots_per_inch: float, turned: float = 0) -> Image.Image:
    """Return the first page in black and white, as it comes from a scanner."""
    page = pypdfium2.PdfDocument(io.BytesIO(pdf))[0]
    picture = page.render(scale=dots_per_inch / 72).to_pil().convert("L")
    turned_picture: Image.Image = picture.rotate(turned, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    return turned_picture


def symbols_on(picture: Image.Image) -> list[zxingcpp.Barcode]:
    return zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormats((zxingcpp.BarcodeFormat.QRCode,)))


def texts_of(pdf: bytes) -> list[str]:
    pages = pypdfium2.PdfDocument(io.BytesIO(pdf))
    return [one_line(page.get_textpage().get_text_bounded()) for page in pages]


@pytest.mark.parametrize("dots_per_inch", [150, 200, 300])
@pytest.mark.parametrize("turned", [0, 1.5, 4])
def test_every_symbol_of_a_page_is_read_back(dots_per_inch: int, turned: float) -> None:
    form = a_form()
    assert form.patient is not None
    expected = [form.text, form.patient.text, *(product.text for product in form.products)]
    found = [symbol.text for symbol in symbols_on(picture_of(a_pdf(form), dots_per_inch, turned))]
    assert sorted(found) == sorted(expected)
    assert len(found) == 26
    for text in found:
        assert isinstance(read_label(read_scan(text).text, INSTALLATION), Label)


def test_neighbouring_symbols_are_far_enough_apart() -> None:
    dots_per_inch = 300
    middles = []
    for symbol in symbols_on(picture_of(a_pdf(a_form()), dots_per_inch)):
        corners = symbol.position
        middles.append(
            ((corners.top_left.x + corners.bottom_right.x) / 2, (corners.top_left.y + corners.bottom_right.y) / 2)
        )
    nearest = min(abs(complex(*one) - complex(*other)) for one in middles for other in middles if one is not other)
    # Corners are found to the pixel.
    assert nearest / dots_per_inch * MM >= 16.8


@pytest.mark.parametrize(
    ("language", "number"), [("es", "Hoja de contingencia N.º 1234"), ("en", "Contingency form No. 1234")]
)
def test_a_form_names_the_patient_and_its_number(language: str, number: str) -> None:
    [text] = texts_of(a_pdf(a_form(), language=language))
    for each in (number, "Zoila Ñúñez", "EXP-7", "101-A", "Urgencias", "Hospital San José", "MC-2 · caja"):
        assert each in text


def test_each_form_is_a_page_and_blank_forms_name_no_patient() -> None:
    first, blank = texts_of(a_pdf(a_form(), a_form(1_235, patient=None, products=())))
    assert "Zoila" in first
    assert "Zoila" not in blank
    assert "Paciente (nombre, expediente y habitación)" in blank
    assert "N.º 1235" in blank
    for tick in ("Sin paciente: gasto del área Urgencias", "Carro de paro", "Caído o contaminado", "Vencido"):
        assert tick in blank
        assert tick not in first


def test_no_patient_is_named_in_the_metadata() -> None:
    document = pypdfium2.PdfDocument(io.BytesIO(a_pdf(a_form())))
    assert "Zoila" not in str(document.get_metadata_dict())
