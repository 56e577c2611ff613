"""Number of SQL statements per call, independent of the amount of data."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import event

from adapters.http.workers.letters import LETTERS
from adapters.server import health
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.day import day_of
from domain.common.policy import Actor, Role
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.sheet import PatientSheet, Usage
from tests.http.hospital import ON_EVERY_DATABASE, SHEETS, ZONE, Hospital, hospital_on
from tests.http.routes import CALLERS, EVERY_CALL, Call, closed_month, form, recalled_use

# On PostgreSQL. Authenticating the caller is one of them, except for public calls. A batch of writes counts as one.
# Reading a patient's data is audited here each time, because it is the first time within the hour: that takes three
# statements (which patient, whether it was audited, the entry), and two for lists.
STATEMENTS = {
    "POST /api/auth/login": 18,
    "POST /api/auth/unlock": 14,
    "POST /api/auth/passkeys": 9,
    "POST /api/users/{user_id}/passkey-link": 10,
    "POST /api/users/{user_id}/passkey-link of role 10": 10,
    "POST /api/auth/lock": 3,
    "POST /api/auth/logout": 3,
    "POST /api/auth/oidc/start": 0,
    "POST /api/auth/oidc/exchange": 11,
    "POST /api/auth/oidc/link/start": 2,
    "POST /api/auth/oidc/link": 6,
    "GET /api/auth/oidc/logout-url": 2,
    "POST /api/auth/oidc/backchannel-logout": 4,
    "POST /api/auth/badge": 12,
    "POST /api/users/{user_id}/badges": 10,
    "GET /api/auth/profile": 4,
    "PUT /api/users/account/ward": 5,
    "GET /api/staff/profile": 1,
    "PUT /api/staff/profile": 6,
    "GET /api/consumption-sheets": 4,
    "GET /api/consumption-sheets closed": 4,
    "POST /api/consumption-sheets": 7,
    "GET /api/consumption-sheets/{sheet_id}": 4,
    # One of them reads who closed it, because that was less than ten minutes ago.
    "GET /api/consumption-sheets/{sheet_id} closed": 5,
    "GET /api/consumption-sheets/{sheet_id}/version": 2,
    "GET /api/consumption-sheets/{sheet_id}/summary": 6,
    # A closed sheet as it was frozen, and the number of late entries since then.
    "GET /api/consumption-sheets/{sheet_id}/pdf": 10,
    "GET /api/consumption-sheets/{sheet_id}/closings/{turn}/pdf": 10,
    "GET /api/consumption-sheets/paper": 4,
    "GET /api/documents/paper": 4,
    "GET /api/consumption-sheets/{sheet_id}/account": 15,
    "POST /api/consumption-sheets/{sheet_id}/accounts": 16,
    "GET /api/consumption-sheets/{sheet_id}/account/changes": 6,
    "GET /api/consumption-sheets/{sheet_id}/account/pdf": 7,
    # The first list of a shift is stored.
    "GET /api/consumption-sheets/{sheet_id}/usual-products": 11,
    "GET /api/consumption-sheets/{sheet_id}/missed-charges": 5,
    "PUT /api/consumption-sheets/{sheet_id}/missed-charges/{product_id}": 8,
    "GET /api/areas/{area_id}/restock": 6,
    "PUT /api/areas/{area_id}/restock/products/{product_id}": 10,
    "DELETE /api/areas/{area_id}/restock/products/{product_id}": 7,
    "POST /api/areas/{area_id}/restock/close": 13,
    "GET /api/areas/{area_id}/restock/lists": 5,
    "GET /api/restock-lists/{restock_list_id}": 5,
    "GET /api/restock-lists/{restock_list_id}/pdf": 5,
    "GET /api/restock-lists/{restock_list_id}/xlsx": 5,
    "GET /api/areas/{area_id}/shelves": 3,
    "PUT /api/areas/{area_id}/shelves/{product_id}": 6,
    "PUT /api/consumption-sheets/{sheet_id}": 8,
    "DELETE /api/consumption-sheets/{sheet_id}": 8,
    "DELETE /api/consumption-sheets/{sheet_id} closed": 7,
    # Nine of them read the contents of the sheet, under its lock, and store the closing.
    "DELETE /api/consumption-sheets/{sheet_id}/close": 17,
    "POST /api/consumption-sheets/{sheet_id}/reopen": 6,
    "POST /api/consumption-sheets/{sheet_id}/close/undo": 7,
    "POST /api/consumption-sheets/{sheet_id}/transfer": 10,
    "DELETE /api/consumption-sheets/{sheet_id}/stays/last": 8,
    "GET /api/consumption-details": 2,
    "GET /api/consumption-sheets/{sheet_id}/consumption-details": 3,
    "POST /api/consumption-details": 5,
    "POST /api/consumption-sheets/{sheet_id}/consumption-details": 5,
    "POST /api/consumption-sheets/{sheet_id}/consumption-details/several": 7,
    "GET /api/consumption-details/{detail_id}": 3,
    # One of them stores the notice for the author of the line, who is not the caller in any of these calls.
    "PUT /api/consumption-details/{detail_id}": 8,
    "POST /api/consumption-details/{detail_id}/correct own": 8,
    "POST /api/consumption-details/{detail_id}/correct of someone else": 8,
    "DELETE /api/consumption-details/{detail_id} own": 7,
    "DELETE /api/consumption-details/{detail_id} of someone else": 7,
    # The caller, and the version; and the changes since the catalogue was last built for any caller, in four.
    "GET /api/catalogue": 8,
    "GET /api/products": 2,
    "GET /api/products nearest": 5,
    "GET /api/products/{product_id}": 2,
    "GET /api/products/{product_id}/usual-quantity": 2,
    "GET /api/categories": 2,
    "GET /api/categories/{category_id}": 2,
    "GET /api/areas": 2,
    "GET /api/areas/{area_id}": 2,
    "GET /api/rooms": 4,
    # It names the patients there, whose sheets are read for the access log.
    "GET /api/rooms/{room_id}": 3,
    "GET /api/patients": 3,
    "GET /api/patients/{patient_id}": 3,
    "GET /api/staff": 2,
    "GET /api/staff unassigned": 2,
    "GET /api/staff/{staff_id}": 2,
    "POST /api/areas": 6,
    "PUT /api/areas/{area_id}": 7,
    "DELETE /api/areas/{area_id}": 7,
    "POST /api/categories": 5,
    "PUT /api/categories/{category_id}": 6,
    "DELETE /api/categories/{category_id}": 5,
    "POST /api/products": 6,
    "PUT /api/products/{product_id}": 8,
    "DELETE /api/products/{product_id}": 7,
    "GET /api/products/{product_id}/picture": 2,
    "PUT /api/products/{product_id}/picture": 8,
    "DELETE /api/products/{product_id}/picture": 6,
    "POST /api/products/{product_id}/typed-names": 6,
    "GET /api/products/{product_id}/typed-names": 3,
    # The typed name is read again after its product is locked; then the product, the catalogue's version, the audit
    # log, and the answer.
    "POST /api/typed-names/{typed_name_id}/add": 10,
    "POST /api/typed-names/{typed_name_id}/dismiss": 6,
    "POST /api/rooms": 6,
    "PUT /api/rooms/{room_id}": 7,
    "DELETE /api/rooms/{room_id}": 5,
    "POST /api/patients": 4,
    "PUT /api/patients/{patient_id}": 5,
    "DELETE /api/patients/{patient_id}": 5,
    f"POST {SHEETS}/{{sheet_id}}/late-entries": 10,
    f"GET {SHEETS}/{{sheet_id}}/late-entries": 9,
    "GET /api/inbound-messages": 5,
    "GET /api/inbound-messages with a search": 4,
    "GET /api/inbound-messages/{message_id}": 3,
    # Of one message; each has its own unit of work.
    "POST /api/inbound-messages/retry": 17,
    "POST /api/inbound-messages/dismiss": 5,
    "POST /api/inbound-messages/{message_id}/retry": 27,
    "POST /api/inbound-messages/{message_id}/dismiss": 4,
    "POST /api/inbound-messages/{message_id}/room": 16,
    "POST /api/inbound-messages/{message_id}/patient": 20,
    "POST /api/inbound-messages/{message_id}/open": 12,
    "POST /api/inbound-messages/{message_id}/sheet": 19,
    "POST /api/late-entries/{late_entry_id}/record": 16,
    "POST /api/late-entries/{late_entry_id}/dismiss": 11,
    "POST /api/unlisted-items/{unlisted_item_id}/resolve": 14,
    "POST /api/unlisted-items/{unlisted_item_id}/discard": 11,
    "DELETE /api/unlisted-items/{unlisted_item_id}": 11,
    "POST /api/outbound-messages/{outbound_message_id}/retry": 9,
    "POST /api/outbound-messages/{outbound_message_id}/settle": 9,
    # Independent of the number of sheets moved.
    "POST /api/patients/{patient_id}/merge": 11,
    "POST /api/patients/{patient_id}/unmerge": 14,
    "POST /api/patients/{patient_id}/identify": 8,
    "POST /api/consumption-sheets/unidentified": 11,
    # Independent of the number of rooms.
    "POST /api/rooms/ranges/check": 3,
    "POST /api/rooms/ranges": 6,
    "POST /api/staff": 4,
    "PUT /api/staff/{staff_id}": 5,
    "DELETE /api/staff/{staff_id}": 5,
    "POST /api/consumption-sheets/{sheet_id}/move-details": 10,
    "POST /api/consumption-details/{detail_id}/return": 10,
    "POST /api/consumption-details/{detail_id}/waste": 9,
    "GET /api/kits": 3,
    "GET /api/kits/{kit_id}": 3,
    "GET /api/kits/{kit_id}/review of the hospital": 4,
    "GET /api/kits/{kit_id}/review own": 4,
    "POST /api/kits of the hospital": 10,
    "POST /api/kits own": 12,
    "PUT /api/kits/{kit_id} of the hospital": 12,
    "PUT /api/kits/{kit_id} own": 12,
    "DELETE /api/kits/{kit_id} of the hospital": 9,
    "DELETE /api/kits/{kit_id} own": 9,
    "GET /api/users": 2,
    "GET /api/users/{user_id}": 2,
    "GET /api/users/{user_id} one of role 10": 2,
    "POST /api/auth/register-by-admin": 8,
    "POST /api/auth/register-by-admin role 10": 8,
    "PUT /api/users/{user_id}": 12,
    "PUT /api/users/{user_id} to role 10": 13,
    "PUT /api/users/{user_id} of role 10": 9,
    "PUT /api/users/{user_id} own": 18,
    "DELETE /api/users/{user_id}": 11,
    "DELETE /api/users/{user_id} of role 10": 11,
    "DELETE /api/users/{user_id} own": 2,
    "POST /api/users/{user_id}/reset-link": 6,
    "DELETE /api/users/{user_id}/oidc": 5,
    "DELETE /api/users/{user_id}/oidc of role 10": 5,
    "DELETE /api/users/{user_id}/oidc own": 2,
    # Of one user.
    "POST /api/users/imported-links": 9,
    "POST /api/users/{user_id}/reset-link of role 10": 6,
    # Four of them in the background, after the answer.
    "POST /api/auth/password-reset": 10,
    "POST /api/auth/password-reset/account": 1,
    "POST /api/auth/password-reset/confirm": 1,
    "POST /api/auth/first-administrator": 1,
    "GET /api/consumption-sheets/{sheet_id}/history": 10,
    # An answer about a missed charge names its product.
    "GET /api/patients/{patient_id}/readers": 7,
    "GET /api/audit": 12,
    "GET /api/worklist": 21,
    "GET /api/worklist/count counted": 5,
    "GET /api/status": 10,
    "GET /api/ward": 7,
    "GET /api/ward of an area": 7,
    "GET /api/reports/consumption": 3,
    "GET /api/reports/consumption by patient": 4,
    "GET /api/reports/consumption by staff": 3,
    "GET /api/hospital/settings": 2,
    "PUT /api/hospital/settings": 5,
    "POST /api/contingency-forms": 11,
    "GET /api/contingency-forms": 10,
    "GET /api/contingency-forms/{form_id}": 8,
    "POST /api/contingency-forms/{form_id}/record": 11,
    "POST /api/contingency-forms/{form_id}/discard": 9,
    "POST /api/months": 13,
    "GET /api/months/{month_id}": 9,
    "GET /api/months/{month_id}/pdf": 10,
    "GET /api/months/{month_id}/xlsx": 10,
    "POST /api/labels": 3,
    "POST /api/labels of a patient": 4,
    "POST /api/hospital/preview": 2,
    "PUT /api/hospital/logo": 5,
    "DELETE /api/hospital/logo": 5,
    "GET /api/hospital/logo": 0,
    "GET /api/settings": 0,
    "GET /health/live": 0,
    "GET /health/ready": 4,
    "GET /metrics": 0,
    "GET /schema/openapi.json": 0,
    "GET /": 0,
    "GET /{file_path}": 0,
}
MOST = 8
# Imports read many rows at a time; on PostgreSQL they take a lock in turn, which is one more.
IMPORTS = {"POST /api/imports": (20, 21, 22), "POST /api/imports/{import_id}/undo": (19, 20, 21, 22, 23, 24, 25, 26)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyHospital(Hospital):
    """Opens every sheet with `lines` details of different products and areas."""

    lines: int

    def open_sheet(self, **changes: object) -> int:
        """Open a sheet with details; returns its id."""
        sheet = Hospital.open_sheet(self, **changes)
        for number in range(self.lines):
            product = (self.gauze, self.cannula)[number % 2]
            self.add_detail(sheet, product_id=product, area_id=(self.emergency, self.theatre)[number // 2 % 2])
        return sheet


def busier(hospital: Hospital, *, lines: int) -> BusyHospital:
    """The same hospital with more than a page of every kind of thing."""
    hospital = BusyHospital(**{field.name: getattr(hospital, field.name) for field in fields(Hospital)}, lines=lines)
    at = hospital.clock()
    today = day_of(at, ZONE)
    actor = Actor(user_id=hospital.admin.user_id, role=Role.ADMIN, staff_id=None)
    with hospital.store.begin() as work:
        for _ in range(30):
            number = next(hospital.numbers)
            category = Category(code=f"X-{number}", name=f"Vendas {number}")
            work.categories.add(category)
            product = Product(name=f"Gasa {number}", price=Decimal(number), category_id=category.id)
            work.products.add(product)
            area = Area(name=f"Área {number}")
            work.areas.add(area)
            room = Room(name=f"Cama {number}", status=RoomStatus.AVAILABLE, type=RoomType.SINGLE, area_id=area.id)
            work.rooms.add(room)
            patient = Patient(name=f"Ana {number}", first_surname="Ríos")
            work.patients.add(patient)
            staff, other = (Staff(name=name, first_surname=f"Gil {number}", job_title="1") for name in ("Luz", "Eva"))
            work.staff.add(staff)
            work.staff.add(other)
            work.users.add(User(email=f"{number}@hospital.test", role=Role.USER, password_hash=None, staff_id=staff.id))
            for closed_at in (None, at):
                sheet = PatientSheet(
                    patient_id=patient.id, room_id=room.id, admission_date=today, diagnosis="", doctor="Dr. Paz"
                )
                work.sheets.add(sheet)
                detail = sheet.record(
                    Usage(product=product, quantity=Decimal(0), day=today, staff_id=staff.id, area_id=area.id),
                    by=actor,
                    at=at,
                )
                work.details.add(detail)
                work.sheets.save(replace(sheet, closed_at=closed_at))
    return hospital


@contextmanager
def listening(hospital: Hospital) -> Iterator[list[str]]:
    """Record the SQL statements meanwhile, except BEGIN."""
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    store = hospital.store
    engines = (store._writing, store._preparing, store._reading, store._reporting, store._looking)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


def number_of_statements(hospital: Hospital, call: Call) -> int:
    caller = CALLERS["admin"](hospital)
    path, body = call.prepare(hospital, caller)
    with listening(hospital) as asked:
        answer = caller.call(call.method, path, body)
        LETTERS.finish()
    assert answer.status_code == call.answers["admin"], answer.text
    return len(asked)


@ON_EVERY_DATABASE
def test_every_call_executes_the_same_number_of_statements(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    monkeypatch.setattr(health, "BETWEEN_WRITES_SECONDS", 0)
    # The first page of a process asks whether an account exists.
    assert hospital.stranger.get("/").status_code == 200
    # A list about the lines of one sheet is a look at its patient, which takes more statements.
    for _ in range(2):
        recalled_use(hospital, hospital.nurse)
    # Reserving the first ids of a table takes SQLite one more.
    form(hospital, hospital.nurse)
    # A month that is closed again takes reading its last version.
    closed_month(hospital, hospital.admin)
    asked = []
    for lines in (2, 12):
        hospital = busier(hospital, lines=lines)
        asked.append({str(call): number_of_statements(hospital, call) for call in EVERY_CALL})
    assert asked[0] == asked[1]
    if not hospital.database_url.startswith("postgresql"):
        return
    unexpected = {
        name: number
        for name, number in asked[0].items()
        if number not in IMPORTS.get(name, (STATEMENTS.get(name, min(number, MOST)),))
    }
    assert unexpected == {}


@ON_EVERY_DATABASE
def test_recording_takes_three_statements_with_key_and_audit(
    hospital: Hospital,
) -> None:
    """On PostgreSQL each statement is a network round trip."""
    path = f"{SHEETS}/{hospital.open_sheet()}/consumption-details"
    body = {"product_id": hospital.gauze, "quantity": 2, "area_id": hospital.theatre}
    with listening(hospital) as asked:
        answer = hospital.nurse.post(path, body, idempotency_key="k-1")
    assert answer.status_code == 201, answer.text
    assert len(asked) <= (3 if hospital.database_url.startswith("postgresql") else 8), asked


@ON_EVERY_DATABASE
@pytest.mark.parametrize("number", [1, 2, 100])
def test_recording_several_takes_at_most_nine_statements(hospital: Hospital, number: int) -> None:
    path = f"{SHEETS}/{hospital.open_sheet()}/consumption-details/several"
    products, areas = (hospital.gauze, hospital.cannula), (hospital.theatre, hospital.emergency, None)
    items = [{"product_id": products[n % 2], "quantity": n, "area_id": areas[n % 3]} for n in range(number)]
    for who in (hospital.nurse, hospital.supervisor):
        with listening(hospital) as asked:
            answer = who.post(path, {"items": items}, idempotency_key="k-1")
        assert answer.status_code == 201, answer.text
        assert len(answer.json()["items"]) == number
        # Reserving the first ids of a table takes SQLite one more.
        assert len(asked) <= (9 if hospital.database_url.startswith("postgresql") else 10), asked


@ON_EVERY_DATABASE
def test_reading_again_within_the_hour_writes_no_audit_entry(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    looks = {f"{SHEETS}/{sheet}": 3, f"{SHEETS}/{sheet}/consumption-details": 3, "/api/rooms": 4, SHEETS: 3}
    for path in looks:
        hospital.nurse.get(path)
    for path, most in looks.items():
        with listening(hospital) as asked:
            assert hospital.nurse.get(path).status_code == 200
        assert len(asked) <= most, path
        assert not [statement for statement in asked if "INSERT" in statement], path


@ON_EVERY_DATABASE
def test_a_hundred_details_take_three_statements_and_30_kb(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for number in range(120):
        hospital.add_detail(
            sheet,
            product_id=(hospital.gauze, hospital.cannula)[number % 2],
            area_id=hospital.theatre,
            quantity=number,
            by=hospital.supervisor,
        )
    hospital.supervisor.get(f"{SHEETS}/{sheet}/consumption-details")
    with listening(hospital) as asked:
        answer = hospital.supervisor.get(
            f"{SHEETS}/{sheet}/consumption-details?limit=100", accept_encoding="gzip, deflate, br"
        )
    assert len(answer.json()["items"]) == 100
    assert len(asked) <= 3
    # The encodings that browsers accept.
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) <= 30_000


@ON_EVERY_DATABASE
def test_a_reset_request_executes_the_same_sql_for_any_email(database: str, tmp_path: Path) -> None:
    """Before the answer, and in the letter thread.

    That thread is blocked until the answer is sent.
    """
    asked_before, asked_behind, rows = [], [], []
    with hospital_on(database, tmp_path, smtp_url="smtp://127.0.0.1:1?tls=none") as hospital:
        gone = hospital.email(hospital.colleague)
        hospital.admin.delete(f"/api/users/{hospital.colleague.user_id}")
        for email in (hospital.email(hospital.nurse), "unknown@hospital.test", gone, "no email"):
            before = {name: len(them) for name, them in hospital.rows().items()}
            go_on = Event()
            LETTERS._thread.submit(go_on.wait, 60)
            with listening(hospital) as asked:
                answer = hospital.stranger.post("/api/auth/password-reset", {"email": email})
                assert answer.status_code == 202
                asked_before.append(list(asked))
                go_on.set()
                LETTERS.finish()
                asked_behind.append(asked[len(asked_before[-1]) :])
            rows.append({name: len(them) - before[name] for name, them in hospital.rows().items()})
    assert asked_before == [asked_before[0]] * 4
    assert asked_behind == [asked_behind[0]] * 4
    assert len(asked_behind[0]) == 5
    assert [them.pop("password_links") for them in rows] == [1, 0, 0, 0]
    assert rows == [rows[0]] * 4
    assert (rows[0]["sign_in_failures"], rows[0]["audit_trail"]) == (2, 1)
