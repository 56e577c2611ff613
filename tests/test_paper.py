"""What is handed over on paper: read back from the PDF, in both languages, with whatever names there are."""

import io
from decimal import Decimal

import pytest
from pypdf import PdfReader

from adapters import formats
from adapters.house import House
from adapters.paper.sheet import sheet_pdf
from adapters.paper.text import PLAIN, printable, wrapped
from application.patients import PatientDraft
from application.sheets.reopen_sheet import ReopenDraft
from domain.policy import Actor
from tests.builders import ZONE, Ward, a_ward

LETTERHEAD = ("Hospital San José", "Av. Amazonas 123, Quito")


@pytest.fixture
def ward() -> Ward:
    return a_ward()


def pages_of(ward: Ward, sheet_id: int, *, by: Actor | None = None, language: str = "es") -> list[str]:
    house = House(letterhead=LETTERHEAD, currency="USD", zone=ZONE)
    pdf = sheet_pdf(house, ward.use_cases.print_sheet(by or ward.supervisor, sheet_id), language)
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def test_a_sheet_is_printed_in_the_readers_language(ward: Ward) -> None:
    sheet_id = ward.sheet(diagnosis="Neumonía", doctor="Dra. Peña")["id"]
    ward.detail(sheet_id, "100.5")
    (spanish,) = pages_of(ward, sheet_id)
    for text in (*LETTERHEAD, "Ana Ríos", "Neumonía", "Dra. Peña", "101 (Urgencias)", "3 may 2091", "100,5",
                 "Curación", "Gasa estéril", "$12,50", "$1.256,25", "06:00", "Página 1 de 1"):  # fmt: skip
        assert text in spanish, text
    (english,) = pages_of(ward, sheet_id, language="en")
    for text in ("Patient", "May 3, 2091", "100.5", "$1,256.25", "Page 1 of 1"):
        assert text in english, text


def test_paper_says_whether_the_sheet_is_open_and_whether_there_was_a_paper_before(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    marks = ("ABIERTA", "COPIA")
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [True, False]
    ward.use_cases.close_sheet(ward.nurse, sheet_id)
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [False, False]
    ward.use_cases.reopen_sheet(ward.admin, sheet_id, ReopenDraft(reason="Faltó una gasa"))
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [True, True]
    ward.use_cases.close_sheet(ward.nurse, sheet_id)
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [False, True]


def test_ward_staff_get_paper_without_any_price(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "3")
    (page,) = pages_of(ward, sheet_id, by=ward.nurse)
    assert "Gasa estéril" in page
    for secret in ("$", "12,50", "37,50", "Total", "Precio", "CUR"):
        assert secret not in page, secret


def test_every_page_tells_whose_it_is_and_how_many_there_are(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(120):
        ward.detail(sheet_id)
    pages = pages_of(ward, sheet_id)
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert f"Página {number} de {len(pages)}" in page
        assert "Ana Ríos" in page
        assert "Producto" in page
    assert sum(page.count("Gasa estéril") for page in pages) == 120
    assert "$1.500,00" in pages[-1]
    assert "Nombre, firma y fecha" in pages[-1]


def test_a_page_that_begins_within_a_category_says_of_which_day_and_which_it_is(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for number in range(120):
        ward.detail(sheet_id)
        if number == 70:
            ward.clock.advance(days=1)
    first, *others = pages_of(ward, sheet_id)
    assert "continúa" not in first
    assert len(others) > 1
    days = ["3 may 2091", "4 may 2091"]
    assert [day for page in others for day in days if f"{day} · Curación (continúa)" in page] == days[: len(others)]
    assert "(continued)" in pages_of(ward, sheet_id, language="en")[1]


def test_an_empty_sheet_is_printed_too(ward: Ward) -> None:
    (page,) = pages_of(ward, ward.sheet()["id"])
    assert "No se registró ningún consumo." in page


@pytest.mark.parametrize("name", ["Ștefan Łukasz", "Ἀθηνᾶ", "Юлия", "Nguyễn Thị Ánh", "O’Brien"])
def test_names_are_written_as_they_are(ward: Ward, name: str) -> None:
    patient = ward.use_cases.create_patient(ward.admin, PatientDraft(name=name, first_surname="Ñ"))
    (page,) = pages_of(ward, ward.sheet(patient_id=patient.id)["id"])
    assert f"{name} Ñ" in page


@pytest.mark.parametrize("name", ["李小龍", "فاطمة", "אברהם", "😀", "x" * 200, "https://" + "é" * 190])
def test_what_cannot_be_written_is_seen_to_be_missing_and_nothing_breaks(ward: Ward, name: str) -> None:
    patient = ward.use_cases.create_patient(ward.admin, PatientDraft(name=name, first_surname="Ñ"))
    sheet_id = ward.sheet(patient_id=patient.id, diagnosis="largo " * 300, doctor=name)["id"]
    ward.detail(sheet_id, product_id=ward.product(name).id)
    pages = pages_of(ward, sheet_id)
    if not name.isascii() and "é" not in name:
        assert "\N{REPLACEMENT CHARACTER}" in pages[0]


def test_lines_fit() -> None:
    assert wrapped("", PLAIN, 8, 30) == []
    assert "".join(wrapped("x" * 50, PLAIN, 8, 20)) == "x" * 50
    assert printable("a\x00b\u202ec") == "abc"


@pytest.mark.parametrize(
    ("language", "expected"),
    [("es", ["$1.234.567,80", "CHF\N{NO-BREAK SPACE}0,00", "1.234,125", "2"]),
     ("en", ["$1,234,567.80", "CHF\N{NO-BREAK SPACE}0.00", "1,234.125", "2"])],
)  # fmt: skip
def test_numbers_are_written_as_on_the_screen(language: str, expected: list[str]) -> None:
    assert [
        formats.money(language, Decimal("1234567.80"), "USD"),
        formats.money(language, Decimal(0), "CHF"),
        formats.quantity(language, Decimal("1234.125")),
        formats.quantity(language, Decimal("2.000")),
    ] == expected
