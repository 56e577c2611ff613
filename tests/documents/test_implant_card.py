"""The patient's card of implants as PDF: its symbols are read back from pictures of its pages."""

import io
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any, cast
from zoneinfo import ZoneInfo

import pypdfium2
import pytest
import zxingcpp

from adapters.documents.pdf.gs1_data_matrix import gs1_data_matrix
from adapters.documents.pdf.implant_card import implant_card_pdf
from adapters.hospital.profile import HospitalProfile
from adapters.symbols.scan import read_scan
from application.common.scanning import ScanResult
from application.sheets.implant_views import CardImplantView, ImplantCardView
from domain.scanning.udi import udi_elements, udi_symbol_text, udi_text

GTIN = "07501234567893"
SYMBOLS = zxingcpp.BarcodeFormats((zxingcpp.BarcodeFormat.DataMatrix,))
EXPIRY = date(datetime.now(UTC).year + 3, 2, 28)
# Printed on office printers, and photographed by phones.
RESOLUTIONS = (150, pytest.param(300, marks=pytest.mark.walk))
# What GS1 allows in lots and serial numbers.
CHARACTERS = "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
HOSPITAL = HospitalProfile(letterhead=("Hospital San Judas",), currency="MXN", zone=ZoneInfo("America/Mexico_City"))


def an_implant(
    gtin: str | None = GTIN,
    lot: str | None = "AB-12",
    serial: str | None = "SN/77001",
    expiry: date | None = EXPIRY,
    **more: Any,
) -> CardImplantView:
    elements = udi_elements(gtin, expiry, lot, serial)
    filled_in: dict[str, Any] = {
        "product": "Marcapasos bicameral",
        "code": "MP-2",
        "unit": "pieza",
        "quantity": Decimal(1),
        "day": date(2026, 11, 26),
        "lot": lot,
        "serial": serial,
        "expiry": expiry,
        "implant_reason": None,
        "udi": udi_text(elements),
        "has_gtin": gtin is not None,
        "symbol": udi_symbol_text(elements),
    }
    return cast("CardImplantView", filled_in | more)


def a_pdf(*implants: CardImplantView, language: str = "es") -> bytes:
    card = ImplantCardView(
        sheet_id=7,
        patient={
            "id": 1,
            "name": "Inés",
            "first_surname": "Álvarez",
            "second_surname": "Núñez",
        },
        record_number="HC-0001",
        date_of_birth=date(1950, 3, 2),
        doctor="Dra. Vega",
        closed_at=datetime(2026, 11, 27, 3, tzinfo=UTC),
        printed_at=datetime(2026, 11, 27, 4, tzinfo=UTC),
        implants=list(implants),
    )
    return implant_card_pdf(HOSPITAL, card, language)


def scans(pdf: bytes, dots_per_inch: int = 150) -> list[ScanResult]:
    """Read the symbols on all pages with the application's own reader."""
    found: list[zxingcpp.Barcode] = []
    for page in pypdfium2.PdfDocument(io.BytesIO(pdf)):
        picture = page.render(scale=dots_per_inch / 72).to_pil().convert("L")
        symbols = zxingcpp.read_barcodes(picture, formats=SYMBOLS)
        found += sorted(symbols, key=lambda symbol: symbol.position.top_left.y)
    assert {symbol.symbology_identifier for symbol in found} <= {"]d2"}
    return [read_scan(symbol.symbology_identifier + symbol.bytes.decode()) for symbol in found]


def text_of(pdf: bytes) -> str:
    return "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(io.BytesIO(pdf)))


def pack_of(scan: ScanResult) -> tuple[object, ...]:
    return scan.gtin, scan.lot, scan.expiry, scan.serial


@pytest.mark.parametrize("dots_per_inch", RESOLUTIONS)
def test_the_symbol_has_all_elements_of_the_udi(dots_per_inch: int) -> None:
    packs: list[tuple[Any, ...]] = [
        (GTIN, "AB-12", EXPIRY, "SN/77001"),
        (GTIN, None, EXPIRY, "0012345678"),
        (GTIN, "123", None, None),
        (GTIN, None, None, None),
        (GTIN, "LOT12345678901234567", EXPIRY, "12345678901234567890"),
    ]
    pdf = a_pdf(*(an_implant(gtin, lot, serial, expiry) for gtin, lot, expiry, serial in packs))
    assert [pack_of(scan) for scan in scans(pdf, dots_per_inch)] == packs


def test_symbols_of_every_size_are_read_back() -> None:
    random, sizes = Random(7), set()
    for start in range(0, 60, 12):
        packs = []
        for length in range(start // 3, start // 3 + 6):
            lot, serial = (
                "".join(random.choices(CHARACTERS, k=min(length, 20))) or None,
                "".join(random.choices("0123456789", k=min(length, 20))) or None,
            )
            expiry = EXPIRY if random.random() < 0.5 else None
            text = udi_symbol_text(udi_elements(GTIN, expiry, lot, serial))
            if text and (symbol := gs1_data_matrix(text)):
                sizes.add(len(symbol))
                packs.append((GTIN, lot, expiry, serial))
        pdf = a_pdf(*(an_implant(gtin, lot, serial, expiry) for gtin, lot, expiry, serial in packs))
        assert [pack_of(scan) for scan in scans(pdf)] == packs
    assert sizes == {18, 20, 22, 24, 26}


@pytest.mark.parametrize("text", ["1", "123", "01234567", "A1B2C3D4", "ABCDEFGHIJK"])
def test_short_texts_have_small_symbols(text: str) -> None:
    symbol = gs1_data_matrix(text)
    assert symbol is not None
    assert len(symbol) <= 16
    assert {len(row) for row in symbol} == {len(symbol)}


def test_a_udi_without_symbol_is_text_with_the_reason() -> None:
    without_gtin = a_pdf(an_implant(gtin=None))
    assert scans(without_gtin) == []
    assert "el producto no tiene GTIN" in text_of(without_gtin)
    assert "(10)AB-12(21)SN/77001" in text_of(without_gtin)
    for lot, serial in (
        ("Ñ-1", "S1"),
        ("L" * 21, "S1"),
        ("ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst"),
        ("A B", "S"),
    ):
        unfit = a_pdf(an_implant(lot=lot, serial=serial))
        assert scans(unfit) == []
        assert "no cabe en él" in text_of(unfit)


@pytest.mark.parametrize(("language", "title"), [("es", "Tarjeta de implantes"), ("en", "Implant card")])
def test_the_card_names_patient_hospital_and_what_is_missing(language: str, title: str) -> None:
    told = an_implant(lot=None, implant_reason="La etiqueta no lo trae", quantity=Decimal("2.5"))
    text = text_of(a_pdf(told, language=language))
    for part in (title, "Hospital San Judas", "Inés Álvarez Núñez", "HC-0001", "Marcapasos bicameral", "SN/77001"):
        assert part in text
    assert "La etiqueta no lo trae" in text
    assert ("sin dato" if language == "es" else "not known") in text
    pdf = pypdfium2.PdfDocument(io.BytesIO(a_pdf(told)))
    assert "Inés" not in str(pdf.get_metadata_dict())


def test_many_implants_continue_on_further_pages() -> None:
    pdf = a_pdf(*(an_implant(serial=f"S{number}", product=f"Tornillo {'largo ' * 30}{number}") for number in range(23)))
    assert len(pypdfium2.PdfDocument(io.BytesIO(pdf))) > 2
    assert sorted(scan.serial or "" for scan in scans(pdf)) == sorted(f"S{number}" for number in range(23))
