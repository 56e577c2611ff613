"""A closed month on paper and as a workbook: the numbers of the API, read by other programs."""

import io
import re
from datetime import UTC, datetime
from decimal import Decimal

import pypdfium2
import pytest
import zxingcpp
from openpyxl import load_workbook

from adapters.documents.month_xlsx import month_workbook
from adapters.documents.pdf import month as on_paper
from adapters.documents.pdf.month import month_pdf
from adapters.i18n import messages
from application.catalogue.products import ProductDraft
from application.reports.month_views import PrintedMonthView
from application.reports.months import MonthDraft
from tests.builders import Ward
from tests.documents.test_account_pdf import QR, text_of
from tests.documents.test_implant_card import HOSPITAL
from tests.use_cases.sheets.test_month_changes import ACTS

D = Decimal


@pytest.fixture
def printed(ward: Ward) -> PrintedMonthView:
    """Return a month that every act changed later; a product was renamed."""
    ward.clock.now = datetime(2091, 5, 31, 20, tzinfo=UTC)
    lines = [
        (act, ward.detail(ward.sheet(patient_id=ward.patient("Ramona", "Secreta").id)["id"], "3", area_id=area))
        for act in ACTS
        for area in (None, ward.area_id)
    ]
    page = ward.use_cases.area_sheets.open(ward.admin, ward.area_id).view["id"]
    ward.detail(page, "1.5", use_reason="cleaning")
    ward.detail(lines[0][1]["consumption_sheet_id"], "2", use_reason="dropped")
    ward.clock.advance(hours=20)
    month = ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2091-05", turn=1))
    for act, line in lines:
        ACTS[act][0](ward, line)
    ward.use_cases.products.update(
        ward.admin, ward.product_id, ProductDraft(name="Otro nombre", price=D("12.50"), category_id=ward.category_id)
    )
    ward.clock.advance(minutes=7, milliseconds=123)
    return ward.use_cases.reports.export_month(ward.admin, month["id"])


def amounts(text: str) -> set[Decimal]:
    found = re.findall(r"(−|\+)?\$([0-9.]+,[0-9]{2})", text)
    return {D(amount.replace(".", "").replace(",", ".")) * (-1 if sign == "−" else 1) for sign, amount in found}


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_paper_has_the_numbers_and_its_code(ward: Ward, printed: PrintedMonthView, language: str) -> None:
    month = printed["month"]
    pdf = month_pdf(HOSPITAL, printed, language)
    told = text_of(pdf)
    for kind in {change["kind"] for change in month["changes"]["items"]}:
        assert messages.pdf(language, f"month.kind.{kind}") in told, kind
    assert "Gasa" in told
    for secret in ("Ramona", "Secreta", "Otro nombre"):
        assert secret not in told
    if language == "es":
        shown = {
            *(month["total"], month["changes"]["total"], month["total"] + month["changes"]["total"]),
            *(part[name] for part in month["sums"].values() for name in ("total", "value")),  # type: ignore[index]
            *(month["accounts"][name]["total"] for name in ("closed", "open")),
            *(row[name] for row in month["categories"] for name in ("total", "value")),
            *(one["total"] for one in month["changes"]["items"]),
        }
        assert amounts(told) == shown
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    pictures = (page.render(scale=300 / 72).to_pil() for page in document)
    [found] = [code.text for each in pictures for code in zxingcpp.read_barcodes(each, formats=QR)]
    assert found == month["proof"]
    check = ward.use_cases.sheets.check_paper(ward.admin, found)
    assert (check["kind"], check["same"], check["month"] and check["month"]["id"]) == ("month", True, month["id"])


def test_a_month_is_one_page_and_a_long_one_is_cut(printed: PrintedMonthView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_paper, "MAX_CHANGES", 5)
    changes = printed["month"]["changes"]
    rest = sum((one["total"] for one in changes["items"][5:]), D(0))
    pdf = month_pdf(HOSPITAL, printed, "es")
    told = text_of(pdf)
    assert len(pypdfium2.PdfDocument(io.BytesIO(pdf))) == 1
    assert f"El resto: {changes['count'] - 5}" in told
    assert rest in amounts(told)


def test_the_workbook_has_the_numbers(printed: PrintedMonthView) -> None:
    month = printed["month"]
    with month_workbook(HOSPITAL, printed, "es") as file:
        sheets = {sheet.title: [*sheet.iter_rows(values_only=True)] for sheet in load_workbook(file)}
    assert [*sheets] == [
        *("Sumas", "Productos", "Áreas", "Días", "Cambios desde el cierre", "Cambios de meses anteriores"),
    ]

    def figures(rows: list[tuple[object, ...]], names: int) -> list[list[Decimal]]:
        return [[D(str(cell)) for cell in row[names:]] for row in rows[1:]]

    def of(rows: object) -> list[list[Decimal]]:
        order = ("lines", "quantity", "returned", "total", "value")
        return [[D(row[name]) for name in order] for row in rows]  # type: ignore[attr-defined]

    assert figures(sheets["Productos"], 3) == of(month["products"])
    assert figures(sheets["Áreas"], 1) == of(month["areas"])
    assert figures(sheets["Días"], 1) == of(month["days"])
    assert [row[1] for row in sheets["Productos"][1:]] == [row["name"] for row in month["products"]]
    changes = [(D(str(row[4])), D(str(row[5])), row[6], row[7]) for row in sheets["Cambios desde el cierre"][1:]]
    assert changes == [
        (one["quantity"], one["total"], one["sheet_id"], one["detail_id"]) for one in month["changes"]["items"]
    ]
    [sums] = [n for n, row in enumerate(sheets["Sumas"]) if row[0] == "Uso"]
    assert figures(sheets["Sumas"][sums : sums + 4], 1) == of(month["sums"].values())
    assert not [cell for rows in sheets.values() for row in rows for cell in row if "Ramona" in str(cell)]
