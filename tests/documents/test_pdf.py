"""PDFs of sheets and reports, read back in both languages."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any, NamedTuple

import pypdfium2
import pytest
import zxingcpp
from pypdf import PdfReader
from pypdf.generic import ContentStream
from reportlab.pdfbase.pdfmetrics import stringWidth

from adapters.documents.pdf.consumption import consumption_pdf
from adapters.documents.pdf.page import LEFT, MAX_LOGO_HEIGHT, MAX_LOGO_WIDTH, RIGHT
from adapters.documents.pdf.sample import sample_sheet
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.documents.pdf.text import BOLD, PLAIN, fitted, printable, wrapped
from adapters.files.images import read_logo
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats
from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.people.patients import PatientDraft
from application.reports.views import Compare, ConsumptionBy, ConsumptionQuery
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.offline.late_entries import LateEntryDraft
from application.sheets.offline.unlisted_items import UnlistedItemDraft
from domain.common.policy import Actor
from domain.hospital.settings import NumberFormat
from tests.builders import TODAY, ZONE, Ward, a_ward, an_image, proof_of

LETTERHEAD = ("Hospital San José", "Av. Amazonas 123, Quito")


@pytest.fixture
def ward() -> Ward:
    return a_ward()


def a_house(currency: str = "USD") -> HospitalProfile:
    return HospitalProfile(letterhead=LETTERHEAD, currency=currency, zone=ZONE)


def pages_of(ward: Ward, sheet_id: int, *, by: Actor | None = None, language: str = "es") -> list[str]:
    pdf = sheet_pdf(a_house(), ward.use_cases.sheets.print(by or ward.supervisor, sheet_id), language)
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


class Box(NamedTuple):
    """A text and its position."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: "Box") -> bool:
        beside = self.right <= other.left + 0.1 or other.right <= self.left + 0.1
        return not beside and self.bottom < other.top and other.bottom < self.top


def boxes_of(pdf: bytes) -> Iterator[list[Box]]:
    """The texts of each page with their positions."""
    for page in PdfReader(io.BytesIO(pdf)).pages:
        boxes: list[Box] = []

        def see(text: str, _: Any, at: Sequence[float], font: Any, size: float, boxes: list[Box] = boxes) -> None:
            if text.strip():
                reported = text.rstrip("\n").replace("\N{NO-BREAK SPACE}", " ")
                width = stringWidth(reported, BOLD if font["/BaseFont"].endswith("-Bold") else PLAIN, size)
                boxes.append(Box(reported, at[4], at[5] - 0.2 * size, at[4] + width, at[5] + 0.7 * size))

        page.extract_text(visitor_text=see)
        yield boxes


def must_be_tidy(pdf: bytes) -> list[str]:
    """Check that no text overlaps another or the margins; returns all texts."""
    texts = []
    for boxes in boxes_of(pdf):
        assert len(boxes) > 5
        for box in boxes:
            assert box.left >= LEFT - 0.1, box
            assert box.right <= RIGHT + 0.1, box
            assert box.bottom > 30, box
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other), (one, other)
        texts += [box.text for box in boxes]
    return texts


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


def test_days_without_lines_and_categories_follow_the_lines(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    (page,) = pages_of(ward, sheet_id)
    assert "Días sin líneas" not in page
    ward.clock.advance(days=3)
    category = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="A", name="Accesos")).id
    ward.detail(sheet_id, product_id=ward.product("Catéter", "3", category_id=category, unit="pieza").id)
    (page,) = pages_of(ward, sheet_id)
    assert "Días sin líneas: 4 may 2091, 5 may 2091" in page
    assert "Catéter · pieza" in page
    lines = page[page.index("Por categoría") :].splitlines()
    assert lines[1:5] == ["Accesos · Líneas: 1", "$3,00", "Curación · Líneas: 1", "$25,00"]
    (page,) = pages_of(ward, sheet_id, by=ward.nurse)
    assert "Accesos · Líneas: 1\nCuración · Líneas: 1" in page
    assert "$" not in page


def test_a_pdf_is_marked_as_open_or_as_a_copy(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    marks = ("ABIERTA", "COPIA")
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [True, False]
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [False, False]
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una gasa"))
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [True, True]
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert [mark in pages_of(ward, sheet_id)[0] for mark in marks] == [False, True]


def test_a_pdf_is_a_copy_after_an_undone_closing(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
    assert "COPIA" in pages_of(ward, sheet_id)[0]


def test_a_pdf_counts_voided_lines_and_late_entries(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    lines = [ward.detail(sheet_id)["id"] for _ in range(3)]
    assert "anulada" not in pages_of(ward, sheet_id)[0]
    ward.use_cases.details.delete(ward.admin, lines[0])
    assert "1 línea anulada" in pages_of(ward, sheet_id)[0]
    ward.use_cases.details.delete(ward.admin, lines[1])
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    for number, said in enumerate(("1 línea llegó después del cierre", "2 líneas llegaron después del cierre")):
        draft = LateEntryDraft(items=(ward.detail_draft("3"),), occurred_at=ward.clock.now)
        key = IdempotencyKey(f"late {number}", "x")
        ward.use_cases.late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=key)
        page = pages_of(ward, sheet_id)[0]
        assert "2 líneas anuladas" in page
        assert said in page


def test_a_pdf_for_ward_staff_has_no_price(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "3")
    (page,) = pages_of(ward, sheet_id, by=ward.nurse)
    assert "Gasa estéril" in page
    for secret in ("$", "12,50", "37,50", "Total", "Precio", "CUR"):
        assert secret not in page, secret


def test_every_page_names_patient_and_number_of_pages(ward: Ward) -> None:
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


def test_every_page_of_the_demonstration_is_marked(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(60):
        ward.detail(sheet_id)
    printed = ward.use_cases.sheets.print(ward.supervisor, sheet_id)
    for is_demonstration in (True, False):
        hospital = replace(a_house(), is_demonstration=is_demonstration)
        pages = [page.extract_text() for page in PdfReader(io.BytesIO(sheet_pdf(hospital, printed, "es"))).pages]
        assert len(pages) > 1
        assert ["Demostración: datos ficticios" in page for page in pages] == [is_demonstration] * len(pages)


def test_pack_data_is_printed_below_the_line(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    assert "Lote" not in pages_of(ward, sheet_id)[0]
    record_pack(ward, sheet_id, "1", lot="L-2091/07", expiry=date(2092, 1, 31), serial="SN 0001")
    record_pack(ward, sheet_id, "2", lot="L-9")
    pdf = sheet_pdf(a_house(), ward.use_cases.sheets.print(ward.nurse, sheet_id), "es")
    texts = must_be_tidy(pdf)
    assert "Lote: L-2091/07 · Vence: 31 ene 2092 · N.º de serie: SN 0001" in texts
    assert "Lote: L-9" in texts
    (english,) = pages_of(ward, sheet_id, language="en")
    assert "Lot: L-2091/07 · Expires: Jan 31, 2092 · Serial no.: SN 0001" in english


def record_pack(ward: Ward, sheet_id: int, quantity: str, **pack: Any) -> None:
    draft = replace(ward.detail_draft(quantity), **pack)
    ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id)


def test_three_hundred_lines_with_long_texts_do_not_overlap(ward: Ward) -> None:
    long = PatientDraft(
        name="María del Carmen " * 11,
        first_surname="Fernández de la Vega " * 9,
        second_surname="W" * 200,
        date_of_birth=date(1950, 5, 3),
        record_number="HC-000123456",
    )
    patient = ward.use_cases.patients.create(ward.admin, long)
    sheet_id = ward.sheet(patient_id=patient.id)["id"]
    items = [
        replace(ward.detail_draft("1"), lot="W" * 50, expiry=date(2092, 1, 31), serial=f"{number:050}")
        for number in range(300)
    ]
    for start in range(0, 300, 100):
        draft = DetailsDraft(items=tuple(items[start : start + 100]))
        ward.use_cases.details.record_many(ward.supervisor, sheet_id, draft)
    pdf = sheet_pdf(a_house(), ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es")
    texts = must_be_tidy(pdf)
    assert sum("Lote: " + "W" * 50 in text for text in texts) == 300
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    assert len(pages) > 5
    for page in pages:
        for text in ("María del Carmen", "HC-000123456", "3 may 1950", "101 (Urgencias)"):
            assert text in page, text


def test_unlisted_items_are_printed_without_a_price(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    heading = "Fuera de catálogo: pendiente, sin precio y fuera del total"
    assert heading not in pages_of(ward, sheet_id)[0]
    for number in range(80):
        item = UnlistedItemDraft(description=f"bisturí {number} {'W' * 180}", quantity=Decimal("1.5"))
        ward.use_cases.unlisted_items.note(ward.nurse, sheet_id, item)
    pdf = sheet_pdf(a_house(), ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es")
    texts = must_be_tidy(pdf)
    assert texts.count(heading) == 1
    assert sum(text.startswith("3 may 2091, 06:00 · 1,5 bisturí") for text in texts) == 80
    assert f"{heading} (continúa)" in texts
    assert [text for text in texts if "$" in text] == ["$25,00", "$12,50", "$25,00", "$25,00", "Total  $25,00"]


# The maximum price. It is also the most that one sheet can hold; a report can hold more.
MOST = "999999999.99"


@pytest.fixture(scope="module")
def dear() -> Ward:
    """A ward with the largest amounts and the longest names."""
    ward = a_ward()
    for number in range(6):
        name = ("Sonda Foley de silicona con globo, estéril, de un solo uso, para drenaje vesical", "x" * 200)[
            number % 2
        ]
        category = ward.use_cases.categories.create(ward.admin, CategoryDraft(code=f"C{number}", name=name))
        place = ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"{number} {name}"[:200])).id
        code, unit = f"CLAVE-DEL-HOSPITAL-{number:09}", "caja con cien sobres"
        costly = ward.product(f"{number} {name}"[:200], MOST, category_id=category.id, code=code, unit=unit)
        free = ward.product(f"Gasa {number}", "0", category_id=category.id, unit=unit)
        sheet_id = ward.sheet(doctor=name, diagnosis="largo " * 300)["id"]
        ward.detail(sheet_id, "1", product_id=costly.id, area_id=place, by=ward.nurse)
        for _ in range(12):
            ward.detail(sheet_id, "9999.999", product_id=free.id, area_id=place, by=ward.nurse)
    return ward


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("currency", ["USD", "CHF", "GTQ"])
def test_the_largest_amounts_and_longest_names_do_not_overlap(dear: Ward, currency: str, language: str) -> None:
    most, everything = (
        formats.money(language, amount, currency).replace("\N{NO-BREAK SPACE}", " ")
        for amount in (Decimal(MOST), 6 * Decimal(MOST))
    )
    quantity = formats.quantity(language, Decimal("9999.999"))
    for who in (dear.supervisor, dear.nurse):
        sees_prices = who is dear.supervisor
        for sheet_id in (1, 2):
            printed = dear.use_cases.sheets.print(who, sheet_id)
            texts = must_be_tidy(sheet_pdf(a_house(currency), printed, language))
            assert quantity in texts
            assert (most in texts) is sees_prices
        for by in ConsumptionBy:
            if by is ConsumptionBy.STAFF and not sees_prices:
                continue
            for compare in (None, Compare.PREVIOUS):
                query = ConsumptionQuery(by=by, compare=compare)
                report = dear.use_cases.reports.consumption.full_report(who, query, most=100)
                texts = must_be_tidy(consumption_pdf(a_house(currency), report, language))
                assert (everything in texts) is sees_prices


def test_a_comparison_is_printed_with_changes_in_percent(ward: Ward) -> None:
    sheet_id = ward.sheet(admission_date=TODAY - timedelta(days=1))["id"]
    ward.detail(sheet_id, "3")
    ward.clock.advance(days=1)
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "1", product_id=ward.product("Venda", "1.00").id)
    query = ConsumptionQuery(by=ConsumptionBy.PRODUCT, since=TODAY + timedelta(days=1), compare=Compare.PREVIOUS)
    report = ward.use_cases.reports.consumption.full_report(ward.supervisor, query, most=99)
    texts = must_be_tidy(consumption_pdf(a_house(), report, "es"))
    for text in ("Total antes", "Cambio", "$37,50", "-33%", "—", "-31%", "Comparado con", "3 may 2091"):
        assert any(text in one for one in texts), text
    report = ward.use_cases.reports.consumption.full_report(ward.nurse, query, most=99)
    texts = must_be_tidy(consumption_pdf(a_house(), report, "es"))
    assert "Líneas antes" in texts
    assert not any("$" in one or "Total antes" in one for one in texts)


def test_small_amounts_keep_the_normal_font_size(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "3")
    pdf = sheet_pdf(a_house(), ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es")
    (boxes,) = boxes_of(pdf)
    (product,) = [box for box in boxes if box.text == "Gasa estéril"]
    assert product.top - product.bottom == pytest.approx(8.5 * 0.9)


def test_a_pdf_names_product_codes_and_the_printing_user(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    (page,) = pages_of(ward, sheet_id)
    assert "Código" not in page
    assert "Impreso: 3 may 2091, 06:00, por supervisor@consumo.test" in page
    ward.detail(sheet_id, product_id=ward.product("Venda", code="00017").id)
    (page,) = pages_of(ward, sheet_id, by=ward.nurse, language="en")
    for text in ("Code", "00017", "Printed: May 3, 2091, 06:00, by Nuria Paz"):
        assert text in page, text


@pytest.mark.parametrize("role", ["nurse", "supervisor"])
def test_signatures_and_sums_are_never_alone_on_a_page(ward: Ward, role: str) -> None:
    who: Actor = getattr(ward, role)
    sheet_id = ward.sheet()["id"]
    lengths = set()
    for number in range(70):
        ward.detail(sheet_id)
        ward.clock.advance(days=number % 9 == 8)
        if number >= 60:
            pages = pages_of(ward, sheet_id, by=who)
            lengths.add(len(pages))
            assert "Gasa estéril" in pages[-1] or "Por categoría" in pages[-1], number
            assert "Nombre, firma y fecha" in pages[-1]
            assert sum(page.count("Gasa estéril") for page in pages) == number + 1
    assert lengths == {2, 3}


def test_the_sums_of_a_report_follow_some_rows_on_their_page(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    lengths = set()
    for number in range(34):
        ward.detail(sheet_id, product_id=ward.product(f"Venda {number}").id)
        if number > 25:
            report = ward.use_cases.reports.consumption.full_report(
                ward.nurse, ConsumptionQuery(by=ConsumptionBy.PRODUCT), most=99
            )
            pages = [
                page.extract_text() for page in PdfReader(io.BytesIO(consumption_pdf(a_house(), report, "es"))).pages
            ]
            lengths.add(len(pages))
            assert pages[-1].count("Venda") >= 2, number
            assert f"Total de {number + 1} filas" in pages[-1]
    assert lengths >= {1, 2}


def test_a_header_higher_than_a_page_is_printed(ward: Ward) -> None:
    name = "y " * 100
    place = ward.use_cases.areas.create(ward.admin, AreaDraft(name="m" * 200)).id
    category = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="Y", name=name)).id
    sheet_id = ward.sheet(diagnosis="larguísimo " * 180, doctor="W" * 200)["id"]
    for number in range(3):
        product = ward.product(f"{number} {'W' * 198}", category_id=category)
        ward.detail(sheet_id, product_id=product.id, area_id=place)
    texts = must_be_tidy(sheet_pdf(a_house(), ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es"))
    assert [text for text in texts if text.startswith("Nombre, firma")]


def test_a_page_within_a_day_repeats_the_day(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for number in range(120):
        ward.detail(sheet_id)
        if number == 70:
            ward.clock.advance(days=1)
    first, *others = pages_of(ward, sheet_id)
    assert "continúa" not in first
    assert len(others) > 1
    days = ["3 may 2091", "4 may 2091"]
    assert [day for page in others for day in days if f"{day} (continúa)" in page] == days[: len(others)]
    assert "(continued)" in pages_of(ward, sheet_id, language="en")[1]


def test_an_empty_sheet_is_printed_too(ward: Ward) -> None:
    (page,) = pages_of(ward, ward.sheet()["id"])
    assert "No se registró ningún consumo." in page


@pytest.mark.parametrize("name", ["Ștefan Łukasz", "Ἀθηνᾶ", "Юлия", "Nguyễn Thị Ánh", "O’Brien"])
def test_names_in_supported_scripts_are_printed(ward: Ward, name: str) -> None:
    patient = ward.use_cases.patients.create(ward.admin, PatientDraft(name=name, first_surname="Ñ"))
    (page,) = pages_of(ward, ward.sheet(patient_id=patient.id)["id"])
    assert f"{name} Ñ" in page


@pytest.mark.parametrize("name", ["李小龍", "فاطمة", "אברהם", "😀", "x" * 200, "https://" + "é" * 190])
def test_unsupported_characters_are_replaced(ward: Ward, name: str) -> None:
    patient = ward.use_cases.patients.create(ward.admin, PatientDraft(name=name, first_surname="Ñ"))
    sheet_id = ward.sheet(patient_id=patient.id, diagnosis="largo " * 300, doctor=name)["id"]
    ward.detail(sheet_id, product_id=ward.product(name).id)
    pages = pages_of(ward, sheet_id)
    if not name.isascii() and "é" not in name:
        assert "\N{REPLACEMENT CHARACTER}" in pages[0]


@pytest.mark.parametrize(
    ("text", "most"), [("uno dos tres", 1), ("x" * 200, 1), ("día · " + "x" * 200, 1), ("a b " * 90, 3)]
)
def test_a_cut_text_ends_with_an_ellipsis(text: str, most: int) -> None:
    lines = fitted(text, PLAIN, 8, 40, most)
    assert len(lines) == most
    assert lines[-1].endswith("…")
    assert all(stringWidth(line, PLAIN, 8) <= 40 for line in lines)
    assert len("".join(lines)) > 6 * most
    assert fitted("uno", PLAIN, 8, 40, most) == ["uno"]


def test_long_words_are_wrapped_and_control_characters_removed() -> None:
    assert wrapped("", PLAIN, 8, 30) == []
    assert "".join(wrapped("x" * 50, PLAIN, 8, 20)) == "x" * 50
    assert printable("a\x00b\u202ec") == "abc"


@pytest.mark.parametrize(
    ("language", "expected"),
    [("es", ["$1.234.567,80", "CHF\N{NO-BREAK SPACE}0,00", "1.234,125", "2"]),
     ("en", ["$1,234,567.80", "CHF\N{NO-BREAK SPACE}0.00", "1,234.125", "2"])],
)  # fmt: skip
def test_numbers_are_formatted_as_on_the_screen(language: str, expected: list[str]) -> None:
    assert [
        formats.money(language, Decimal("1234567.80"), "USD"),
        formats.money(language, Decimal(0), "CHF"),
        formats.quantity(language, Decimal("1234.125")),
        formats.quantity(language, Decimal("2.000")),
    ] == expected


@pytest.mark.parametrize("size", [(320, 80), (60, 240), (100, 100)])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_logo_is_printed_small_and_in_proportion(ward: Ward, kind: str, size: tuple[int, int]) -> None:
    house = replace(a_house(), logo=read_logo(an_image(kind, size)))
    sheet_id = ward.sheet()["id"]
    sheet = sheet_pdf(house, ward.use_cases.sheets.print(ward.supervisor, sheet_id), "es")
    query = ConsumptionQuery(by=ConsumptionBy.DAY)
    report = consumption_pdf(
        house, ward.use_cases.reports.consumption.full_report(ward.supervisor, query, most=99), "es"
    )
    for pdf in (sheet, report):
        (page, *_) = PdfReader(io.BytesIO(pdf)).pages
        assert [image.image.size for image in page.images if image.image] == [size]
        (wide, high) = next(
            (float(matrix[0]), float(matrix[3]))
            for matrix, operator in ContentStream(page.get_contents(), page.pdf).operations
            if operator == b"cm" and float(matrix[0]) > 1
        )
        assert wide / high == pytest.approx(size[0] / size[1], rel=0.01)
        assert wide <= MAX_LOGO_WIDTH + 0.01
        assert high <= MAX_LOGO_HEIGHT + 0.01
        must_be_tidy(pdf)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(
    ("number_format", "amount"), [(NumberFormat.COMMA, "$2.500,00"), (NumberFormat.POINT, "$2,500.00")]
)
def test_the_hospital_decides_how_amounts_are_printed(language: str, number_format: NumberFormat, amount: str) -> None:
    house = replace(a_house(), number_format=number_format)
    pdf = sheet_pdf(house, sample_sheet(language), language)
    assert amount in PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    # Only there.
    assert formats.money("es", Decimal(2500), "USD") == "$2.500,00"


def test_the_sample_sheet_is_of_no_patient() -> None:
    assert (
        "Paciente de Ejemplo"
        in PdfReader(io.BytesIO(sheet_pdf(a_house(), sample_sheet("es"), "es"))).pages[0].extract_text()
    )


@pytest.mark.parametrize("dots_per_inch", [150, 300])
def test_the_paper_of_a_closed_sheet_proves_itself(ward: Ward, dots_per_inch: int) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    printed = ward.use_cases.sheets.print(ward.nurse, sheet_id)
    pdf = sheet_pdf(a_house(), printed, "es")
    pages = [page.render(scale=dots_per_inch / 72).to_pil() for page in pypdfium2.PdfDocument(io.BytesIO(pdf))]
    [symbol] = [found for page in pages for found in zxingcpp.read_barcodes(page.convert("L"), try_downscale=False)]
    assert symbol.text == printed["proof"] == proof_of(ward, sheet_id)
    corners = symbol.position
    side = (corners.top_right.x - corners.top_left.x) / dots_per_inch * 25.4
    assert side == pytest.approx(10.9, abs=0.4)
    reader = PdfReader(io.BytesIO(pdf))
    assert "".join(symbol.text.split()) in "".join("".join(page.extract_text() for page in reader.pages).split())
    assert reader.metadata
    assert str(reader.metadata["/Keywords"]) == printed["proof"]
    assert reader.metadata.creation_date == printed["printed_at"].replace(microsecond=0)
    must_be_tidy(pdf)


def test_an_open_sheet_has_no_symbol(ward: Ward) -> None:
    pdf = sheet_pdf(a_house(), ward.use_cases.sheets.print(ward.nurse, ward.sheet()["id"]), "es")
    pages = [page.render(scale=3).to_pil() for page in pypdfium2.PdfDocument(io.BytesIO(pdf))]
    assert not any(zxingcpp.read_barcodes(page) for page in pages)
