"""The consumption report as XLSX and PDF, which agree with the screen."""

import io
import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from httpx import Response
from pypdf import PdfReader

from adapters.documents import lists as exports
from adapters.i18n import formats
from application.reports.views import ConsumptionBy
from domain.common.day import day_of
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, Unbilled
from tests.http.accounts.signed_in import audit
from tests.http.files.test_reports import REPORT, lines
from tests.http.files.workbooks import Table, table_of, workbook_of
from tests.http.hospital import ON_ANY_DATABASE, ZONE, Hospital, exact, refused

EVERY_KIND = pytest.mark.parametrize("by", list(ConsumptionBy))


@pytest.fixture
def used(timed_hospital: Hospital) -> Hospital:
    """A hospital with two months of random lines."""
    hospital = timed_hospital
    chance = random.Random(7)
    hospital.open_sheet()
    hospital.open_sheet(patient_id=hospital.other_patient)
    now = hospital.clock()
    with hospital.store.begin() as work:
        for number in range(300):
            at = now - timedelta(days=chance.randrange(60), minutes=chance.randrange(600))
            work.details.add(
                Detail(
                    sheet_id=chance.choice([1, 2]),
                    product_id=chance.choice([hospital.gauze, hospital.cannula, hospital.retired]),
                    staff_id=chance.choice([None, hospital.nurse.staff_id]),
                    user_id=hospital.nurse.user_id,
                    area_id=chance.choice([None, hospital.theatre, hospital.emergency]),
                    quantity=Decimal(chance.randrange(1, 20_000)).scaleb(-3),
                    unit_price=Decimal("2.50"),
                    total=Decimal(chance.randrange(10**7)).scaleb(-2),
                    created_at=at,
                    day=day_of(at, ZONE),
                    room_id=(None, hospital.room, hospital.theatre_room)[number % 3],
                    use_reason=UseReason.OPENED if number % 10 == 0 else None,
                )
            )
    return hospital


def since(hospital: Hospital) -> date:
    return day_of(hospital.clock(), ZONE) - timedelta(days=70)


def text_of(answer: Response) -> str:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def split(table: Table) -> tuple[Table, tuple[Any, ...], Table, tuple[Any, ...]]:
    """Lines above the table, its headings, its rows, and its sums."""
    head = next(number for number, row in enumerate(table) if "Líneas" in row)
    return table[:head], table[head], table[head + 1 : -1], table[-1]


def cents(cell: float) -> Decimal:
    return Decimal(str(cell)).quantize(Decimal("0.01"))


@ON_ANY_DATABASE
@EVERY_KIND
def test_screen_csv_workbook_and_pdf_agree_to_the_cent(used: Hospital, by: str) -> None:
    asked = f"{REPORT}?by={by}&from={since(used)}"
    screen = exact(used.admin.get(f"{asked}&limit=100"))
    totals = [row["total"] for row in screen["items"]]
    assert sum(totals) == screen["sums"]["total"] > 0
    assert [Decimal(row["total"]) for row in lines(used.admin.get(f"{asked}&format=csv"))] == totals
    _, headings, rows, sums = split(table_of(used.admin.get(f"{asked}&format=xlsx")))
    at = headings.index("Total")
    assert [cents(row[at]) for row in rows] == totals
    assert cents(sums[at]) == screen["sums"]["total"]
    records = headings.index("Líneas")
    assert [row[records] for row in rows] == [row["details"] for row in screen["items"]]
    assert sums[records] == screen["sums"]["details"] == 300
    paper = text_of(used.admin.get(f"{asked}&format=pdf"))
    for amount in (*totals, screen["sums"]["total"]):
        assert formats.money("es", amount, "MXN") in paper


@pytest.fixture
def divided(used: Hospital) -> Hospital:
    """The same hospital, with lines of areas and waste."""
    with used.store.begin() as work:
        for number, line in enumerate(work.details.on_sheet(1)):
            if number % 3 == 0:
                line.use_reason = UseReason.DROPPED
            if number % 4 == 0:
                line.unbilled, line.total = Unbilled.AREA, Decimal("0.00")
            work.details.save(line)
    return used


PARTS = {"treatment": "Tratamiento", "area": "Gasto del área", "wasted": "Desechado"}


@EVERY_KIND
def test_the_parts_in_files_are_those_of_the_screen(divided: Hospital, by: str) -> None:
    asked = f"{REPORT}?by={by}&from={since(divided)}&used_for=all"
    screen = exact(divided.admin.get(f"{asked}&limit=100"))
    assert all(part["details"] for part in screen["sums"]["parts"].values()) or by == "patient"
    figure = "quantity" if by == "product" else "details"
    csv = lines(divided.admin.get(f"{asked}&format=csv"))
    above, headings, rows, sums = split(table_of(divided.admin.get(f"{asked}&format=xlsx")))
    assert "Uso: Todo" in [row[0] for row in above]
    paper = text_of(divided.admin.get(f"{asked}&format=pdf"))
    for row, cells, texts in zip(screen["items"], rows, csv, strict=True):
        assert Decimal(texts["value"]) == cents(cells[headings.index("Valor")]) == row["value"]
        assert formats.money("es", row["value"], "MXN") in paper
        for part, heading in PARTS.items():
            assert cells[headings.index(heading)] == pytest.approx(float(row["parts"][part][figure]))
            assert Decimal(texts[f"parts_{part}_quantity"]) == row["parts"][part]["quantity"]
    assert cents(sums[headings.index("Valor")]) == screen["sums"]["value"]
    compared = divided.admin.get(f"{asked}&compare=previous&format=xlsx")
    assert {"Valor antes", "Cambio"} <= set(split(table_of(compared))[1])
    assert "Valor antes" in text_of(divided.admin.get(f"{asked}&compare=previous&format=pdf")).replace("\n", " ")


@pytest.mark.parametrize("used_for", ["all", "area", "wasted"])
def test_files_of_all_use_show_ward_staff_no_amount(divided: Hospital, used_for: str) -> None:
    asked = f"{REPORT}?by=product&from={since(divided)}&used_for={used_for}&compare=previous"
    [heading, *_] = divided.nurse.get(f"{asked}&format=csv").text.splitlines()
    assert not any(word in heading.lower() for word in ("total", "value"))
    for sheet in workbook_of(divided.nurse.get(f"{asked}&format=xlsx")).worksheets:
        for row in sheet.iter_rows(values_only=True):
            assert not {"Total", "Valor", "Total antes", "Valor antes"} & set(row)
    paper = text_of(divided.nurse.get(f"{asked}&format=pdf"))
    assert "$" not in paper
    assert "Valor" not in paper
    answer = divided.nurse.get(asked).json()
    assert "value" not in str(answer)


def test_a_report_workbook_names_period_filters_and_time(used: Hospital) -> None:
    path = f"{REPORT}?by=product&from=2091-01-05&to=2091-12-31&area_id={used.theatre}&format=xlsx"
    above, headings, *_ = split(table_of(used.supervisor.get(path)))
    reported = [row[0] for row in above if row[0]]
    assert reported[:4] == [
        "Informe de consumo",
        "Período: 5 ene 2091 – 31 dic 2091",
        "Agrupado por: Producto",
        "Área: Quirófano",
    ]
    assert reported[4] == "Días-paciente: 0"
    assert reported[5].startswith("Impreso: ")
    assert headings == ("Producto", "Código", "Unidad", "Líneas", "Cantidad", "Total")


def test_report_files_use_the_readers_language(used: Hospital) -> None:
    answer = used.admin.speaking("en").get(f"{REPORT}?by=area&from={since(used)}&format=xlsx")
    book = workbook_of(answer)
    assert book.sheetnames == ["Consumption report", "Chart"]
    names = [row[0] for row in book.worksheets[0].iter_rows(values_only=True)]
    assert {"Area", "No area", "Quirófano", "Total of 3 rows"} <= set(names)
    paper = text_of(used.admin.speaking("en").get(f"{REPORT}?by=area&from={since(used)}&format=pdf"))
    for text in ("Consumption report", "Total by area", "No area", "Total of 3 rows", "Page 1 of 1", "Printed: "):
        assert text in paper, text


def test_days_and_months_are_dates_in_a_workbook(used: Hospital) -> None:
    for by, day in (("day", None), ("month", 1)):
        *_, rows, _ = split(table_of(used.admin.get(f"{REPORT}?by={by}&from={since(used)}&format=xlsx")))
        assert all(isinstance(row[0], datetime) for row in rows)
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)
        assert day is None or {row[0].day for row in rows} == {day}


@EVERY_KIND
def test_the_chart_adds_up_to_the_total(used: Hospital, by: str) -> None:
    book = workbook_of(used.admin.get(f"{REPORT}?by={by}&from={since(used)}&format=xlsx"))
    (chart,) = book["Gráfico"]._charts
    bars = [cents(row[1]) for row in book["Gráfico"].iter_rows(min_row=2, values_only=True)]
    assert sum(bars) == exact(used.admin.get(f"{REPORT}?by={by}&from={since(used)}"))["sums"]["total"]
    assert chart.series[0].val.numRef.f == f"Gráfico!$B$2:$B${len(bars) + 1}"
    if by not in ("day", "month"):
        assert bars == sorted(bars, reverse=True)


def test_the_chart_of_many_days_is_by_month(used: Hospital) -> None:
    """That keeps the bars distinguishable; the table still has days."""
    with used.store.begin() as work:
        detail = work.details.get(1)
        assert detail is not None
        long_ago = detail.day - timedelta(days=400)
        work.details.add(
            Detail(
                **{name: getattr(detail, name) for name in detail.__slots__ if name not in ("id", "day")}, day=long_ago
            )
        )
    answer = used.admin.get(f"{REPORT}?by=day&from={long_ago}&format=xlsx")
    months = [row[0] for row in workbook_of(answer)["Gráfico"].iter_rows(min_row=2, values_only=True)]
    assert 14 <= len(months) <= 15
    assert workbook_of(answer)["Gráfico"]["A1"].value == "Mes"
    assert "Total por mes" in text_of(used.admin.get(f"{REPORT}?by=day&from={long_ago}&format=pdf"))


@pytest.mark.parametrize("by", [by for by in ConsumptionBy if by is not ConsumptionBy.STAFF])
def test_report_files_for_ward_staff_have_no_money_or_codes(used: Hospital, by: str) -> None:
    asked = f"{REPORT}?by={by}&from={since(used)}"
    book = workbook_of(used.nurse.get(f"{asked}&format=xlsx"))
    for sheet in book.worksheets:
        for row in sheet.iter_rows(values_only=True):
            assert not {"Total", "Código de categoría"} & set(row)
            assert not any(isinstance(cell, float) and by != "product" for cell in row)
    paper = text_of(used.nurse.get(f"{asked}&format=pdf"))
    assert "Líneas" in paper
    for secret in ("$", "Total por", "CUR-01"):
        assert secret not in paper, secret


def test_a_report_by_staff_needs_supervision(used: Hospital) -> None:
    for form in ("xlsx", "pdf"):
        assert refused(used.nurse.get(f"{REPORT}?by=staff&format={form}")) == [("by", "report.for_supervision")]


def test_an_empty_report_says_so(hospital: Hospital) -> None:
    for by in ConsumptionBy:
        assert "No hay consumo" in text_of(hospital.admin.get(f"{REPORT}?by={by}&format=pdf"))
        assert workbook_of(hospital.admin.get(f"{REPORT}?by={by}&format=xlsx")).sheetnames == ["Informe de consumo"]


@pytest.mark.parametrize(("form", "limit"), [("xlsx", "MAX_REPORT_ROWS"), ("pdf", "MAX_PAPER_ROWS")])
def test_a_report_over_the_row_limit_is_refused(
    used: Hospital, monkeypatch: pytest.MonkeyPatch, form: str, limit: str
) -> None:
    monkeypatch.setattr(exports, limit, 2)
    answer = used.admin.get(f"{REPORT}?by=product&from={since(used)}&format={form}")
    assert refused(answer) == [(None, "list.too_long")]
    assert used.admin.get(f"{REPORT}?by=patient&from={since(used)}&format={form}").status_code == 200


def test_an_exported_report_is_audited(used: Hospital) -> None:
    for form in ("xlsx", "pdf"):
        used.supervisor.get(f"{REPORT}?format={form}")
        newest = audit(used)[0]
        assert (newest["action"], newest["user"]["id"]) == ("consumption.exported", used.supervisor.user_id)


@pytest.mark.parametrize("name", ["=1+1", "<r>&</r>", "x" * 200, "李小龍", "فاطمة"])
def test_a_report_keeps_any_name(used: Hospital, name: str) -> None:
    used.admin.put(f"/api/areas/{used.theatre}", {"name": name})
    asked = f"{REPORT}?by=area&from={since(used)}&area_id={used.theatre}"
    *_, rows, _ = split(table_of(used.admin.get(f"{asked}&format=xlsx")))
    assert [row[0] for row in rows] == [name]
    assert "Total de 1 fila" in text_of(used.admin.get(f"{asked}&format=pdf"))
