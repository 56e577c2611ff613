"""Lists as CSV: the whole filtered list, with the list's permissions."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from httpx import Response

from application.audit.audit_log import failed_attempt_entry
from application.common.entities import AuditAction
from application.common.imported import Import
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.recall import Recall
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.policy import Role
from domain.interop.outbound_message import OutboundMessage
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet
from tests.canaries import PRICE
from tests.http.accounts.signed_in import audit
from tests.http.hospital import DETAILS, ON_ANY_DATABASE, SHEETS, ZONE, Caller, Hospital
from tests.http.routes import CALLERS
from tests.http.security.test_no_price_for_ward_staff import secrets_in

MANY = 105

_PATIENT = "patient_id,patient_record_number,patient_name,patient_first_surname,patient_second_surname"
_SHEET = f"id,{_PATIENT},room_id,room_name,doctor,diagnosis,admission_date,closed,deleted_at,total"
_DETAIL = (
    f"id,consumption_sheet_id,{_PATIENT},day,created_at,occurred_at,room_id,room_name,product_id,product_code,product_name"
    ",product_category_code,product_category_name,gtin,lot,expiry,serial,quantity,unit_price,total,staff_id,staff_name,staff_first_surname,area_id,area_name,user_id,use_reason,unbilled"
)
# Each list with the columns of its CSV for users who see prices.
LISTS: dict[str, str] = {
    "/api/areas": "id,name,code",
    "/api/rooms": "id,name,code,status,type,area_id,area_name",
    "/api/categories": "id,code,name",
    "/api/products": "id,code,name,price,unit,gtin,category_id,category_code,category_name,active,also_called"
    ",decimals,asks_lot,asks_serial,implant,included_in_stay,plain_name",
    "/api/patients": "id,record_number,name,first_surname,second_surname,date_of_birth,active",
    "/api/staff": "id,name,first_surname,second_surname,telephone_number,job_title,date_of_birth,user_id",
    "/api/users": "id,email,role,staff_id,profile_name,profile_first_surname,profile_second_surname",
    SHEETS: _SHEET,
    f"{SHEETS}?closed=true": _SHEET,
    DETAILS: _DETAIL,
    "/api/recalls": "id,product_id,product_name,lot,reason,opened_at,closed,closed_at,set_aside",
    f"{SHEETS}/1/consumption-details": _DETAIL,
    f"{SHEETS}/1/history": "id,at,user_id,user_email,action,entity,entity_id,changes,who,did,in_words_text",
    "/api/imports": "id,at,user_id,user_email,noun,file_name,created,changed,unchanged,refused,undone_at"
    ",undone_by_email",
    "/api/outbound-messages": "id,control_id,consumption_sheet_id,charges,state,tries,problem,created_at,next_try_at"
    ",sent_at,decided_by,reason",
    "/api/audit": "id,at,user_id,user_email,action,entity,entity_id,changes,who,did,in_words_text",
}
EVERY_LIST = pytest.mark.parametrize("path", LISTS)
PRICED = {
    *("price", "unit_price", "total", "category_code", "product_category_code"),
    *("unbilled", "included_in_stay"),
}


def seen_by_ward_staff(path: str) -> list[str]:
    """The columns without prices, totals, and codes of categories."""
    hidden = PRICED | ({"code"} if path == "/api/categories" else set())
    return [column for column in LISTS[path].split(",") if column not in hidden]


def plus(path: str, query: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{query}"


def export(caller: Caller, path: str) -> list[dict[str, str]]:
    """The rows of a CSV by column name."""
    answer = caller.get(path, accept="text/csv")
    assert answer.status_code == 200, answer.text
    return read(answer)


def read(answer: Response) -> list[dict[str, str]]:
    text = answer.content.decode("utf-8")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


def furnish(hospital: Hospital) -> None:
    """Add at least one thing to every list."""
    sheet = hospital.open_sheet()
    assert sheet == 1
    hospital.add_detail(sheet, area_id=hospital.theatre)
    hospital.closed_sheet()
    rooms = b"name;area\nSala B;Urgencias\n"
    assert hospital.admin.post("/api/imports?noun=rooms&file_name=salas.csv", rooms).status_code == 200


@ON_ANY_DATABASE
def test_every_list_is_exported_by_format_or_accept_header(hospital: Hospital) -> None:
    furnish(hospital)
    for path, columns in LISTS.items():
        asked = hospital.admin.get(path, accept="text/csv")
        assert asked.status_code == 200
        assert asked.headers["content-type"] == "text/csv; charset=utf-8"
        assert asked.headers["content-disposition"].startswith("attachment")
        assert asked.headers["cache-control"] == "no-store"
        assert asked.content.startswith(b"\xef\xbb\xbf")
        assert asked.content.endswith(b"\r\n")
        assert asked.text.removeprefix("\ufeff").partition("\r\n")[0] == columns
        if path == "/api/audit" or path.endswith("/history"):
            # The first export is now in the audit log.
            assert hospital.admin.get(plus(path, "format=csv")).text.startswith(f"\ufeff{columns}\r\n")
        else:
            assert hospital.admin.get(plus(path, "format=csv")).content == asked.content
        assert len(read(asked)) == len(hospital.admin.get(plus(path, "limit=100")).json()["items"]) - (
            path == "/api/audit"
        )


@EVERY_LIST
def test_a_csv_has_the_permissions_of_its_list(hospital: Hospital, path: str) -> None:
    furnish(hospital)
    for name, made in CALLERS.items():
        caller = made(hospital)
        listed = caller.get(path)
        before = hospital.rows()
        for answer in (caller.get(path, accept="text/csv"), caller.get(plus(path, "format=csv"))):
            assert answer.status_code == listed.status_code, name
            if answer.status_code != 200:
                assert answer.headers["content-type"] == "application/problem+json", name
                assert hospital.rows() == before


@EVERY_LIST
def test_a_csv_for_ward_staff_has_no_prices(hospital: Hospital, path: str) -> None:
    hospital.set_price(hospital.gauze, PRICE)
    furnish(hospital)
    answer = hospital.nurse.get(path, accept="text/csv")
    if answer.status_code == 403:
        return
    reported = answer.text.removeprefix("\ufeff").partition("\r\n")[0].split(",")
    assert reported == seen_by_ward_staff(path)
    assert secrets_in(answer.text) == []


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/api/products", "category_id=2"),
        ("/api/products", "active=0"),
        ("/api/products", "q=canula"),
        ("/api/products", "name=gasa&sort=-name"),
        ("/api/rooms", "area_id=2"),
        ("/api/patients", "active=1&sort=-first_surname"),
        ("/api/staff", "unassigned=true"),
        ("/api/users", "sort=-role"),
        ("/api/users", "q=admin"),
        (SHEETS, "patient_id=2"),
        (SHEETS, "q=zamora"),
        (SHEETS, "from=2026-05-04&to=2026-05-04"),
        (SHEETS, "closed=true&room_id=1"),
        (DETAILS, "product_id=2"),
        (DETAILS, "area_id=2&sort=quantity"),
        (DETAILS, "consumption_sheet_id=1"),
        ("/api/audit", "entity=consumption_sheet&entity_id=1"),
        ("/api/audit", "action=detail.added"),
    ],
)
def test_filters_and_order_apply_to_a_csv(hospital: Hospital, path: str, query: str) -> None:
    furnish(hospital)
    bruno = hospital.open_sheet(patient_id=hospital.other_patient, admission_date="2026-05-05")
    hospital.add_detail(bruno, product_id=hospital.cannula, quantity=7)
    hospital.admin.post("/api/staff", {"name": "Luz", "first_surname": "Soto"})
    listed = hospital.admin.get(plus(path, f"{query}&limit=100")).json()
    everything = hospital.admin.get(plus(path, "limit=100")).json()["meta"]["total"]
    exported = export(hospital.admin, plus(path, query))
    assert exported
    assert [line["id"] for line in exported] == [str(item["id"]) for item in listed["items"]]
    assert len(exported) < everything or "sort" in query


@EVERY_LIST
@pytest.mark.parametrize("query", ["sort=nothing", "page=0", "q=%00"])
def test_an_invalid_query_is_refused_before_the_csv_starts(hospital: Hospital, path: str, query: str) -> None:
    furnish(hospital)
    answer = hospital.admin.get(plus(path, query), accept="text/csv")
    if query.startswith("sort") and (path in ("/api/audit", "/api/outbound-messages") or path.endswith("history")):
        assert answer.status_code == 200
    else:
        assert answer.status_code == 400
        assert answer.json()["code"] == "malformed_query"


# --- long lists ------------------------------------------------------------------------------------------------------


def many(hospital: Hospital) -> None:
    """Add more things of every kind than an export reads at a time."""
    now, staff_id = hospital.clock(), hospital.nurse.staff_id
    with hospital.store.begin() as work:
        for number in range(MANY):
            name = f"n{number:05}"
            work.areas.add(Area(name=name))
            work.categories.add(Category(code=name, name=name))
            free = RoomStatus.AVAILABLE
            work.rooms.add(Room(name=name, status=free, type=RoomType.SINGLE, area_id=1))
            work.products.add(Product(name=name, price=Decimal("0.01"), category_id=1))
            work.recalls.add(
                Recall(product_id=1, lot=name, reason=name, opened_at=now, opened_by=hospital.admin.user_id)
            )
            work.patients.add(Patient(name=name, first_surname=name))
            work.staff.add(Staff(name=name, first_surname=name))
            work.users.add(User(email=f"{name}@hospital.test", role=Role.USER, password_hash=None))
            work.audit_log.append(failed_attempt_entry(now, AuditAction.SIGN_IN_FAILED))
            work.outbound_messages.add(
                OutboundMessage(sheet_id=1, control_id=name, body="MSH", charges=1, created_at=now, next_try_at=now)
            )
            work.imports.add(
                Import(
                    noun="areas",
                    file_name=name,
                    user_id=hospital.admin.user_id,
                    at=now,
                    created=1,
                    changed=0,
                    unchanged=0,
                    refused=0,
                )
            )
            for closed_at in (None, now - timedelta(minutes=number // 2)):
                sheet = PatientSheet(
                    patient_id=1,
                    room_id=1,
                    admission_date=now.date() - timedelta(days=number % 7),
                    diagnosis=name,
                    doctor="",
                    closed_at=closed_at,
                )
                work.sheets.add(sheet)
            work.details.add(
                Detail(
                    sheet_id=1,
                    product_id=1,
                    staff_id=staff_id,
                    user_id=hospital.nurse.user_id,
                    area_id=None,
                    quantity=Decimal(1),
                    unit_price=Decimal("2.50"),
                    total=Decimal("2.50"),
                    # Several details share a time: none may be lost at the boundary of two batches.
                    created_at=now - timedelta(seconds=number // 3),
                    day=now.astimezone(ZONE).date(),
                )
            )


@ON_ANY_DATABASE
def test_a_csv_of_a_long_list_is_complete_without_duplicates(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("application.records.list_reader.BATCH_SIZE", 50)
    furnish(hospital)
    many(hospital)
    audit_log = "/api/audit?action=session.sign_in_failed"
    for path in (audit_log, *LISTS):
        if path == "/api/audit" or path.endswith("history"):
            continue
        for query in ("", "sort=-id") if path != audit_log else ("",):
            ids = [int(line["id"]) for line in export(hospital.admin, plus(path, query))]
            assert len(ids) == hospital.admin.get(plus(path, "limit=1")).json()["meta"]["total"] > 100, path
            assert len(ids) == len(set(ids)), path
            if query:
                assert ids == sorted(ids, reverse=True)


# --- cells -----------------------------------------------------------------------------------------------------------


@ON_ANY_DATABASE
def test_no_cell_of_any_list_starts_like_a_formula(hospital: Hospital) -> None:
    bad = "=1+1"
    change: Callable[..., Response] = hospital.admin.put
    change(f"/api/areas/{hospital.emergency}", {"name": f"{bad}a"})
    change(f"/api/rooms/{hospital.room}", {"name": bad, "status": 1, "type": 1, "area_id": hospital.emergency})
    change(f"/api/categories/{hospital.dressings}", {"code": bad, "name": bad})
    product = {"name": bad, "price": 1, "category_id": hospital.dressings, "code": bad, "unit": bad}
    change(f"/api/products/{hospital.gauze}", product)
    person = {"name": bad, "first_surname": bad, "second_surname": bad}
    change(f"/api/patients/{hospital.patient}", {**person, "record_number": bad})
    nurse = {**person, "telephone_number": bad, "job_title": bad}
    change(f"/api/staff/{hospital.nurse.staff_id}", nurse)
    user = {"email": f"{bad}@x.test", "role": "1", "staff_id": hospital.nurse.staff_id}
    change(f"/api/users/{hospital.nurse.user_id}", user)
    sheet = hospital.open_sheet(doctor=bad, diagnosis=bad)
    hospital.add_detail(sheet, staff_id=hospital.nurse.staff_id, area_id=hospital.emergency)
    hospital.closed_sheet()
    found = 0
    for path in LISTS:
        for line in export(hospital.admin, path):
            for column, cell in line.items():
                assert not cell.startswith(("=", "+", "@", "\t", "\r")), (path, column)
                found += cell.startswith("'=")
    assert found > 20


@pytest.mark.parametrize("text", ['a "quoted" one', "a, b; c", "two\nlines", "tab\there", "ñ 漢字 🧻", "'"])
def test_cells_keep_quotes_breaks_and_other_characters(hospital: Hospital, text: str) -> None:
    sheet = hospital.open_sheet(diagnosis=text)
    (line,) = export(hospital.admin, SHEETS)
    assert line["diagnosis"] == hospital.sheet(sheet)["diagnosis"] == text


def test_csv_amounts_times_and_empty_values(hospital: Hospital) -> None:
    hospital.set_price(hospital.gauze, "1234567.10")
    sheet = hospital.open_sheet(diagnosis="")
    detail = hospital.add_detail(sheet, quantity=0.125)
    (line,) = export(hospital.admin, DETAILS)
    assert (line["unit_price"], line["quantity"], line["total"]) == ("1234567.10", "0.125", "154320.89")
    assert line["created_at"] == detail["created_at"]
    assert line["area_id"] == line["area_name"] == ""
    (line,) = export(hospital.admin, SHEETS)
    assert (line["closed"], line["deleted_at"], line["diagnosis"]) == ("0", "", "")


def test_details_and_sheets_identify_product_and_patient(hospital: Hospital) -> None:
    names = {"name": "Inés", "first_surname": "Ñúñez", "second_surname": "Gil"}
    person = hospital.admin.post("/api/patients", {**names, "record_number": "=EXP-7"}).json()
    product = {"name": "Gasa", "price": 1, "category_id": hospital.dressings, "code": "00017"}
    gauze = hospital.admin.post("/api/products", product).json()
    sheet = hospital.open_sheet(patient_id=person["id"])
    hospital.add_detail(sheet, product_id=gauze["id"])
    reported = {f"patient_{name}": value for name, value in names.items()} | {
        "patient_id": str(person["id"]),
        "patient_record_number": "'=EXP-7",
    }
    for caller in (hospital.admin, hospital.nurse):
        for path in (SHEETS, DETAILS, f"{SHEETS}/{sheet}/consumption-details"):
            (line,) = export(caller, path)
            assert {column: line[column] for column in reported} == reported, path
        (line,) = export(caller, DETAILS)
        assert line["product_code"] == "00017"
    assert hospital.sheet(sheet)["patient"]["record_number"] == "=EXP-7"
    (detail,) = hospital.admin.get(DETAILS).json()["items"]
    assert detail["product"]["code"] == "00017"
    assert "patient" not in detail


def test_the_csv_of_an_empty_list_is_its_header(hospital: Hospital) -> None:
    assert hospital.nurse.get(f"{DETAILS}?format=csv").text.count("\r\n") == 1


# --- audit -----------------------------------------------------------------------------------------------------------


@EVERY_LIST
def test_an_export_is_audited(hospital: Hospital, path: str) -> None:
    furnish(hospital)
    export(hospital.admin, path)
    newest: dict[str, Any] = audit(hospital)[0]
    assert newest["action"].endswith(".exported")
    assert newest["user"]["id"] == hospital.admin.user_id
    assert newest["changes"] == {}
    assert len(audit(hospital, f"action={newest['action']}")) == 1
