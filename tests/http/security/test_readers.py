"""Readers of a patient, and the audit of reads, sign-ins and sign-outs."""

import csv
import io
import re
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.common.entities import ACCESS_ACTIONS
from application.sheets.views import SheetQuery
from tests.builders import SettableClock
from tests.http.accounts.signed_in import audit
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, SHEETS, Caller, Hospital
from tests.http.routes import CALLERS, EVERY_CALL, Call
from tests.http.security.test_audit import a_full_trail, audit_log


def readers(caller: Caller, patient: int, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(f"/api/patients/{patient}/readers?limit=100&{query}")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


@ON_EVERY_DATABASE
def test_ward_staff_cannot_see_the_readers_of_a_patient(timed_hospital: Hospital, clock: SettableClock) -> None:
    hospital = timed_hospital
    sheet = hospital.open_sheet()
    hospital.nurse.get(f"{SHEETS}/{sheet}")
    clock.advance(minutes=5)
    hospital.colleague.get(f"{SHEETS}/{sheet}/pdf")
    for who in (hospital.supervisor, hospital.admin):
        reported = readers(who, hospital.patient)
        assert [(one["action"], one["user"]["id"], one["entity_id"]) for one in reported] == [
            ("sheet.printed", hospital.colleague.user_id, sheet),
            ("consumption_sheet.read", hospital.nurse.user_id, sheet),
            ("sheet.opened", hospital.admin.user_id, sheet),
        ]
        assert (reported[0]["person"], reported[0]["patient"]) == ("Pilar Ríos", "Inés Álvarez Núñez")
        assert (reported[0]["at"], reported[1]["at"]) == ("2091-05-03T12:05:00Z", "2091-05-03T12:00:00Z")
        assert readers(who, hospital.other_patient) == []
        assert who.get("/api/patients/999/readers").status_code == 404
    path = f"/api/patients/{hospital.patient}/readers"
    for stranger, status in ((hospital.nurse, 403), (hospital.newcomer, 403), (hospital.stranger, 401)):
        assert stranger.get(path).status_code == status
        assert stranger.get(f"{path}?limit=x").status_code == status
        assert stranger.get(f"{path}?format=csv").status_code == status


def test_readers_are_exported_as_csv(hospital: Hospital) -> None:
    hospital.nurse.get(f"{SHEETS}/{hospital.open_sheet()}")
    answer = hospital.supervisor.get(f"/api/patients/{hospital.patient}/readers?format=csv")
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [(row["action"], row["user_email"]) for row in rows] == [
        ("consumption_sheet.read", hospital.email(hospital.nurse)),
        ("sheet.opened", hospital.email(hospital.admin)),
    ]


def test_polling_a_sheet_leaves_no_audit_entry(hospital: Hospital) -> None:
    path = f"{SHEETS}/{hospital.open_sheet()}"
    version = hospital.nurse.get(path).headers["etag"]
    before = len(audit_log(hospital))
    for _ in range(20):
        assert hospital.nurse.get(path, if_none_match=version).status_code == 304
        assert hospital.nurse.get(f"{path}/version").status_code == 200
        assert hospital.nurse.get(path).status_code == 200
    assert len(audit_log(hospital)) == before


# Routes about a sheet or patient that need no audit entry.
NOT_NOTED = {
    # The prepared body changes nothing, and the answer repeats the request.
    ("PUT", "/api/patients/{patient_id}"),
    # The access log itself: otherwise reading it would always be its newest entry.
    ("GET", "/api/patients/{patient_id}/readers"),
    # Only a number, which devices poll every few seconds.
    ("GET", f"{SHEETS}/{{sheet_id}}/version"),
    # About the area and the recording user.
    ("GET", f"{SHEETS}/{{sheet_id}}/usual-products"),
    # Of an area, without any patient.
    ("GET", "/api/area-sheets/{sheet_id}"),
}
OF_A_PATIENT = re.compile(r"\{(sheet|detail|patient|unlisted_item|late_entry|message|outbound_message)_id\}")


def leaves_a_trace(hospital: Hospital, caller: Caller, patient: int) -> bool:
    """Whether the caller has an entry about the patient, a sheet, or a list."""
    with hospital.store.read() as views:
        entries = views.audit.page(AuditQuery(user_id=caller.user_id, limit=1_000))["items"]
        sheets = views.sheets.page(SheetQuery(closed=None, patient_id=patient, limit=1_000))["items"]
    ids = {sheet["id"] for sheet in sheets}
    return any(
        entry["patient_id"] == patient
        or (entry["entity"], entry["entity_id"]) == ("patient", patient)
        or entry["sheet_id"] in ids
        or (entry["action"] in ACCESS_ACTIONS and entry["entity_id"] == 0)
        # Such an entry names its own subject, and the patient may be unknown.
        or entry["action"] == "inbound_message.read"
        for entry in entries
    )


def shows(hospital: Hospital, call: Call, text: str) -> bool:
    """Whether an answer contains data of the patient of these tests."""
    return bool(
        re.search(rf'Álvarez Núñez|HC-0001|"patient_id": ?{hospital.patient}\b|Patient/{hospital.patient}\b', text)
    ) or (bool(OF_A_PATIENT.search(call.route)) and (call.method, call.route) not in NOT_NOTED)


# The examples of the OpenAPI document are the same for every hospital.
@pytest.mark.parametrize("call", [call for call in EVERY_CALL if not call.route.startswith("/schema/")], ids=str)
def test_every_answer_with_a_patient_is_audited(hospital: Hospital, call: Call) -> None:
    """A new route that shows a patient without an entry fails here."""
    caller = CALLERS["admin" if call.answers["admin"] < 300 else "supervisor"](hospital)
    path, body = call.prepare(hospital, caller)
    answer = caller.call(call.method, path, body)
    if answer.status_code < 300 and answer.content and shows(hospital, call, answer.text):
        patient = re.match(r"/api/patients/(\d+)", path)
        assert leaves_a_trace(hospital, caller, int(patient[1]) if patient else hospital.patient), answer.text[:500]


@pytest.mark.parametrize("kind", ["ChargeItem", "Encounter", "Invoice", "Device", "DeviceUseStatement", "Patient"])
@pytest.mark.parametrize("how", ["{id}", "?_id={id}", "?patient={patient}", "?subject=Patient/{patient}", ""])
def test_every_fhir_resource_of_a_patient_is_audited(hospital: Hospital, kind: str, how: str) -> None:
    sheet = hospital.open_sheet()
    detail = hospital.add_detail(sheet, quantity=1, serial="S-1")["id"]
    ids = {"ChargeItem": detail, "Encounter": sheet, "Invoice": f"{sheet}-1", "Patient": hospital.patient}
    hospital.admin.delete(f"{SHEETS}/{sheet}/close")
    caller = CALLERS["admin"](hospital)
    path = how.format(id=ids.get(kind, f"line-{detail}"), patient=hospital.patient)
    answer = caller.get(f"/fhir/R4/{kind}{path}" if path.startswith("?") or not path else f"/fhir/R4/{kind}/{path}")
    if kind == "Patient" and "=" in how and "_id" not in how:
        assert answer.status_code == 400, answer.text
        return
    assert answer.status_code == 200, answer.text
    if how:
        assert f"Patient/{hospital.patient}" in answer.text or "Álvarez" in answer.text
        readers_of = readers(hospital.supervisor, hospital.patient)
        assert caller.user_id in {one["user"]["id"] for one in readers_of}
    else:
        assert leaves_a_trace(hospital, caller, hospital.patient)


@ON_EVERY_DATABASE
def test_reads_that_cannot_be_audited_fail(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    shown = [f"{SHEETS}/{sheet}{part}" for part in ("", "/consumption-details", "/summary", "/pdf")]
    shown += ["/api/rooms", f"/api/rooms/{hospital.room}", SHEETS, "/api/ward"]
    with a_full_trail(hospital.database_url):
        for path in shown:
            answer = hospital.supervisor.get(path)
            assert answer.status_code == 500, path
            assert "Álvarez" not in answer.text, path
        # No patient is shown there.
        assert hospital.supervisor.get("/api/products").status_code == 200
    for path in shown:
        assert hospital.supervisor.get(path).status_code == 200, path


@pytest.mark.parametrize("agent", ["Mozilla/5.0 (Ward 3)", ""])
def test_sign_ins_and_outs_are_audited_with_address_and_client(hospital: Hospital, agent: str) -> None:
    email = hospital.email(hospital.nurse)
    for password in (PASSWORD, "not this one"):
        hospital.stranger.post("/api/auth/login", {"email": email, "password": password}, user_agent=agent)
    hospital.nurse.call("POST", "/api/auth/logout", None, user_agent=agent)
    reported = [(entry["action"], entry["entity_id"], entry["changes"]) for entry in audit(hospital)]
    where = {"address": [None, "testclient"], "client": [None, agent]}
    assert reported == [
        (action, hospital.nurse.user_id, where)
        for action in ("session.signed_out", "session.sign_in_failed", "session.signed_in")
    ]
