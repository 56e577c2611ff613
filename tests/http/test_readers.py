"""Who looked at a patient: GET /api/patients/{id}/readers, and what looking, signing in and signing out leave."""

import csv
import io
from typing import Any

import pytest

from tests.builders import SettableClock
from tests.http.accounts import audit
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, SHEETS, Caller, Hospital
from tests.http.test_audit import a_full_trail, audit_log


def readers(caller: Caller, patient: int, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(f"/api/patients/{patient}/readers?limit=100&{query}")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


@ON_EVERY_DATABASE
def test_supervisors_and_administrators_are_told_who_looked_and_ward_staff_never(
    timed_hospital: Hospital, clock: SettableClock
) -> None:
    hospital = timed_hospital
    sheet = hospital.open_sheet()
    hospital.nurse.get(f"{SHEETS}/{sheet}")
    clock.advance(minutes=5)
    hospital.colleague.get(f"{SHEETS}/{sheet}/pdf")
    for who in (hospital.supervisor, hospital.admin):
        told = readers(who, hospital.patient)
        assert [(one["action"], one["user"]["id"], one["entity_id"]) for one in told] == [
            ("sheet.printed", hospital.colleague.user_id, sheet),
            ("consumption_sheet.read", hospital.nurse.user_id, sheet),
            ("sheet.opened", hospital.admin.user_id, sheet),
        ]
        assert (told[0]["person"], told[0]["patient"]) == ("Pilar Ríos", "Inés Álvarez Núñez")
        assert (told[0]["at"], told[1]["at"]) == ("2091-05-03T12:05:00Z", "2091-05-03T12:00:00Z")
        assert readers(who, hospital.other_patient) == []
        assert who.get("/api/patients/999/readers").status_code == 404
    path = f"/api/patients/{hospital.patient}/readers"
    for stranger, status in ((hospital.nurse, 403), (hospital.newcomer, 403), (hospital.stranger, 401)):
        assert stranger.get(path).status_code == status
        assert stranger.get(f"{path}?limit=x").status_code == status
        assert stranger.get(f"{path}?format=csv").status_code == status


def test_they_are_taken_out_as_a_file(hospital: Hospital) -> None:
    hospital.nurse.get(f"{SHEETS}/{hospital.open_sheet()}")
    answer = hospital.supervisor.get(f"/api/patients/{hospital.patient}/readers?format=csv")
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [(row["action"], row["user_email"]) for row in rows] == [
        ("consumption_sheet.read", hospital.email(hospital.nurse)),
        ("sheet.opened", hospital.email(hospital.admin)),
    ]


def test_whoever_polls_for_another_version_leaves_nothing(hospital: Hospital) -> None:
    path = f"{SHEETS}/{hospital.open_sheet()}"
    version = hospital.nurse.get(path).headers["etag"]
    before = len(audit_log(hospital))
    for _ in range(20):
        assert hospital.nurse.get(path, if_none_match=version).status_code == 304
        assert hospital.nurse.get(f"{path}/version").status_code == 200
        assert hospital.nurse.get(path).status_code == 200
    assert len(audit_log(hospital)) == before


@ON_EVERY_DATABASE
def test_what_cannot_be_noted_is_not_shown(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    shown = [f"{SHEETS}/{sheet}{part}" for part in ("", "/consumption-details", "/summary", "/pdf")]
    shown += ["/api/rooms", f"/api/rooms/{hospital.room}", SHEETS, "/api/overview"]
    with a_full_trail(hospital.database_url):
        for path in shown:
            answer = hospital.supervisor.get(path)
            assert answer.status_code == 500, path
            assert "Álvarez" not in answer.text, path
        # Nobody's name is there.
        assert hospital.supervisor.get("/api/products").status_code == 200
    for path in shown:
        assert hospital.supervisor.get(path).status_code == 200, path


@pytest.mark.parametrize("agent", ["Mozilla/5.0 (Ward 3)", ""])
def test_signing_in_failing_to_and_signing_out_are_noted_with_address_and_client(
    hospital: Hospital, agent: str
) -> None:
    email = hospital.email(hospital.nurse)
    for password in (PASSWORD, "not this one"):
        hospital.stranger.post("/api/auth/login", {"email": email, "password": password}, user_agent=agent)
    hospital.nurse.call("POST", "/api/auth/logout", None, user_agent=agent)
    told = [(entry["action"], entry["entity_id"], entry["changes"]) for entry in audit(hospital)]
    where = {"address": [None, "testclient"], "client": [None, agent]}
    assert told == [
        (action, hospital.nurse.user_id, where)
        for action in ("session.signed_out", "session.sign_in_failed", "session.signed_in")
    ]
