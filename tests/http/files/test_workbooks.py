"""Lists as XLSX: the data of the CSV in typed cells and translated words."""

import io
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from errno import ENOSPC
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from openpyxl import load_workbook
from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError

from adapters.documents import xlsx
from adapters.documents.columns import field_name
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import messages
from application.common.store_errors import StoreUnavailable, UnavailableReason
from tests.http.accounts.signed_in import audit
from tests.http.files.test_csv import EVERY_LIST, LISTS, export, furnish, plus, seen_by_ward_staff
from tests.http.files.workbooks import XLSX, table_of, workbook_of
from tests.http.hospital import DETAILS, ON_ANY_DATABASE, SHEETS, ZONE, Hospital, refused

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
# Texts that text files or spreadsheets read as formulas, and texts that could break the workbook's XML.
NASTY = [
    *("=1+1", "+52 55 5555", "-2", "@SUM(A1)", '=HYPERLINK("http://x.test";"y")', "'=1+1", "http://x.test", "0012"),
    *("1e5", "{=1+1}", "<r><t>x</t></r>", "<r>&</r>", "<r>", "a & b < c", "_x0041_", "TRUE", "#N/A", "ñ 漢字 🧻"),
]


@ON_ANY_DATABASE
def test_every_list_is_exported_as_a_workbook(hospital: Hospital) -> None:
    furnish(hospital)
    for path, columns in LISTS.items():
        lines = export(hospital.admin, path)
        for language in ("es", "en"):
            answer = hospital.admin.speaking(language).get(plus(path, "format=xlsx"))
            assert answer.headers["content-disposition"] == "attachment"
            assert answer.headers["cache-control"] == "no-store"
            headings, *rows = table_of(answer)
            assert list(headings) == [messages.column(language, column) for column in columns.split(",")]
            # Each export adds an entry to the audit log, which the next export contains.
            assert 0 <= len(rows) - len(lines) <= (3 if path == "/api/audit" else 0)
            if path != "/api/audit":
                assert [row[0] for row in rows] == [int(line["id"]) for line in lines]
        assert table_of(hospital.admin.get(path, accept=XLSX))[0][0] == "Id"


@EVERY_LIST
def test_a_workbook_for_ward_staff_has_no_price_columns(hospital: Hospital, path: str) -> None:
    furnish(hospital)
    answer = hospital.nurse.get(plus(path, "format=xlsx"))
    if answer.status_code == 403:
        return
    assert list(table_of(answer)[0]) == [messages.column("es", column) for column in seen_by_ward_staff(path)]


@pytest.mark.parametrize("query", ["category_id=2", "active=0", "q=canula", "name=gasa&sort=-name", "page=7&limit=1"])
def test_filters_apply_to_a_workbook(hospital: Hospital, query: str) -> None:
    path = plus("/api/products", query)
    assert [str(row[0]) for row in table_of(hospital.admin.get(plus(path, "format=xlsx")))[1:]] == [
        line["id"] for line in export(hospital.admin, path)
    ]


def test_an_invalid_query_for_a_workbook_is_refused(hospital: Hospital) -> None:
    answer = hospital.admin.get("/api/products?format=xlsx&sort=nothing")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query")


# --- cells -----------------------------------------------------------------------------------------------------------


def test_numbers_dates_and_times_are_typed_cells(hospital: Hospital) -> None:
    hospital.set_price(hospital.gauze, "1234567.10")
    sheet = hospital.open_sheet(admission_date="2026-05-04")
    detail = hospital.add_detail(sheet, quantity=0.125)
    rows = workbook_of(hospital.admin.get(f"{DETAILS}?format=xlsx")).worksheets[0]
    cells = dict(zip([field_name(column) for column in LISTS[DETAILS].split(",")], rows[2], strict=True))
    assert Decimal(str(cells["unit_price"].value)) == Decimal("1234567.10")
    assert Decimal(str(cells["total"].value)) == Decimal("154320.89")
    assert cells["quantity"].value == 0.125
    assert cells["quantity"].number_format == "#,##0.0##_)"
    assert cells["total"].number_format == '"$"#,##0.00_)'
    local = datetime.fromisoformat(detail["created_at"]).astimezone(ZONE).replace(tzinfo=None, microsecond=0)
    assert abs((cells["created_at"].value - local).total_seconds()) < 1
    assert cells["area_name"].value is None
    (line,) = workbook_of(hospital.admin.get(f"{SHEETS}?format=xlsx")).worksheets[0].iter_rows(min_row=2)
    reported = dict(zip(LISTS[SHEETS].split(","), line, strict=True))
    assert reported["admission_date"].value == datetime(2026, 5, 4)
    assert reported["admission_date"].is_date
    assert (reported["closed"].value, reported["deleted_at"].value) == ("No", None)


@pytest.mark.parametrize("amount", ["0.01", "0.29", "999999999999.99", "123456789012.35", "1.10"])
def test_money_is_exact_to_the_cent(hospital: Hospital, amount: str) -> None:
    hospital.set_price(hospital.gauze, amount)
    answer = hospital.admin.get("/api/products?format=xlsx&q=gasa esteril")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as parts:
        root = ET.fromstring(parts.read("xl/worksheets/sheet1.xml"))  # noqa: S314
    (cell,) = [cell for cell in root.iter(f"{SHEET}c") if cell.get("r") == "D2"]
    assert cell.get("t") is None
    assert Decimal(cell.findtext(f"{SHEET}v") or "") == Decimal(amount)


def test_states_roles_and_booleans_are_words(hospital: Hospital) -> None:
    rooms = table_of(hospital.admin.speaking("en").get("/api/rooms?format=xlsx"))
    assert {(row[1], row[3]) for row in rooms[1:]} == {("Urgencias 1", "Available"), ("Sala A", "Being cleaned")}
    products = table_of(hospital.admin.get("/api/products?format=xlsx"))
    active = products[0].index("Activo")
    assert {(row[2], row[active]) for row in products[1:]} >= {("Gasa estéril", "Sí"), ("Gasa con yodo", "No")}
    patients = table_of(hospital.admin.get("/api/patients?format=xlsx"))
    assert {(row[2], row[-1]) for row in patients[1:]} >= {("Inés", "Sí"), ("Carla", "No")}
    users = table_of(hospital.admin.get("/api/users?format=xlsx"))
    assert {row[2] for row in users[1:]} == {"Usuario", "Supervisor", "Administrador"}


@pytest.mark.parametrize("text", NASTY)
def test_any_text_is_stored_as_text_and_not_as_a_formula(hospital: Hospital, text: str) -> None:
    hospital.admin.post("/api/areas", {"name": text})
    answer = hospital.admin.get("/api/areas?format=xlsx")
    cells = [row[1] for row in workbook_of(answer).worksheets[0].iter_rows(min_row=2)]
    (cell,) = [cell for cell in cells if cell.value not in ("Urgencias", "Quirófano")]
    assert cell.value == text or (text == "_x0041_" and "0041" in cell.value)
    assert cell.data_type != "f"
    assert cell.hyperlink is None
    with zipfile.ZipFile(io.BytesIO(answer.content)) as parts:
        for name in parts.namelist():
            assert b"<f>" not in parts.read(name), name


@pytest.mark.parametrize("text", ["\ttab", "\rreturn", "two\nlines", " blank "])
def test_leading_whitespace_makes_no_formula(hospital: Hospital, text: str) -> None:
    hospital.open_sheet(diagnosis=f"x{text}=1+1")
    (_, row) = table_of(hospital.admin.get(f"{SHEETS}?format=xlsx"))
    assert row[9].startswith("x")


def test_dates_before_1900_are_written_as_text(hospital: Hospital) -> None:
    patient = {"name": "Eva", "first_surname": "Luna"}
    for day in ("1899-12-31", "1900-01-01", "1900-03-01"):
        assert hospital.admin.post("/api/patients", {**patient, "date_of_birth": day}).status_code == 201
    rows = table_of(hospital.admin.get("/api/patients?format=xlsx&q=luna&sort=date_of_birth"))
    reported = [cell.date() if isinstance(cell, datetime) else cell for *_, cell, _ in rows[1:]]
    assert reported == ["1899-12-31", date(1900, 1, 1), date(1900, 3, 1)]


def test_a_diagnosis_of_2000_characters_fits_a_cell(hospital: Hospital) -> None:
    hospital.open_sheet(diagnosis="ñ" * 2_000)
    (_, row) = table_of(hospital.admin.get(f"{SHEETS}?format=xlsx"))
    assert row[9] == "ñ" * 2_000


# --- the sheet around the cells --------------------------------------------------------------------------------------


def test_headings_are_frozen_with_filters_and_wide_columns(hospital: Hospital) -> None:
    sheet = workbook_of(hospital.admin.get("/api/products?format=xlsx")).worksheets[0]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == f"A1:Q{sheet.max_row}"
    for column in sheet.columns:
        longest = max(len(str(cell.value or "")) for cell in column)
        assert sheet.column_dimensions[column[0].column_letter].width >= min(longest, 48)


def test_the_workbook_of_an_empty_list_has_only_headings(hospital: Hospital) -> None:
    assert len(table_of(hospital.nurse.get(f"{DETAILS}?format=xlsx"))) == 1


def test_a_list_over_the_row_limit_is_refused(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MAX_ROWS", 3)
    answer = hospital.admin.get("/api/products?format=xlsx")
    assert refused(answer) == [(None, "list.too_long")]
    assert "2" in answer.json()["message"][0]
    assert len(table_of(hospital.admin.get("/api/products?format=xlsx&q=gasa"))) == 3


def test_a_failed_workbook_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has a status code, because a workbook is sent when complete."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[Path] = []

    def broken() -> Iterator[dict[str, object]]:
        for number in range(2_000):
            yield {"id": number, "name": "Gasa" * 100}
        seen.extend(tmp_path.iterdir())
        raise StoreUnavailable(UnavailableReason.UNREACHABLE)

    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
    with pytest.raises(StoreUnavailable):
        xlsx.list_workbook(broken(), ("id", "name"), "es", hospital)
    assert seen
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("is_demonstration", [False, True])
def test_printed_workbooks_of_the_demonstration_are_marked(is_demonstration: bool) -> None:
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE, is_demonstration=is_demonstration)
    with xlsx.list_workbook(iter([{"id": 1}]), ("id",), "en", hospital) as file:
        head = load_workbook(file).worksheets[0].oddHeader.center.text
    assert head == ("Demonstration: fictional data" if is_demonstration else None)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_full_disk_is_507(hospital: Hospital, monkeypatch: pytest.MonkeyPatch, wrapped: bool) -> None:
    def full(*_: object) -> None:
        error = OSError(ENOSPC, "No space left on device")
        raise FileCreateError(error) if wrapped else error

    monkeypatch.setattr(Workbook, "close", full)
    answer = hospital.admin.get("/api/areas?format=xlsx")
    assert (answer.status_code, answer.json()["code"]) == (507, "store_full")


def test_an_exported_workbook_is_audited(hospital: Hospital) -> None:
    hospital.supervisor.get("/api/patients?format=xlsx")
    newest = audit(hospital)[0]
    assert (newest["action"], newest["user"]["id"]) == ("patient.exported", hospital.supervisor.user_id)


@EVERY_LIST
def test_csv_headings_use_an_explicitly_requested_language(hospital: Hospital, path: str) -> None:
    furnish(hospital)
    for language in ("es", "en"):
        head = hospital.admin.speaking(language).get(plus(path, "format=csv")).text.partition("\r\n")[0]
        assert head.removeprefix("\ufeff").split(",") == [messages.column(language, c) for c in LISTS[path].split(",")]
