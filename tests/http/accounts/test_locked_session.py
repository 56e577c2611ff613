"""What the token of a locked session may still do."""

from typing import Any

import pytest

from domain.common.policy import Role
from tests.http.hospital import DETAILS, ON_ANY_DATABASE, PASSWORD, SHEETS, Caller, Hospital, a_key, exact
from tests.http.routes import CALLERS, EVERY_CALL, Call, to_each_role
from tests.http.security.test_who_may_do_what import code_of

LOCK, UNLOCK = "/api/auth/lock", "/api/auth/unlock"

# Unlocking and ending the session, and sending entries.
LEFT = {
    ("POST", LOCK),
    ("POST", UNLOCK),
    ("POST", f"{UNLOCK}/options"),
    ("POST", "/api/auth/nonce"),
    ("POST", "/api/auth/badge"),
    ("POST", "/api/auth/logout"),
    ("POST", DETAILS),
    ("POST", f"{SHEETS}/{{sheet_id}}/consumption-details"),
    ("POST", f"{SHEETS}/{{sheet_id}}/consumption-details/several"),
    ("POST", f"{SHEETS}/{{sheet_id}}/late-entries"),
    # How many entries still wait.
    ("PUT", "/api/devices/{device_id}/outbox"),
}


def locked(caller: Caller) -> Caller:
    assert caller.post(LOCK).status_code == 204
    return caller


@pytest.mark.parametrize(("call", "names"), to_each_role(LEFT), ids=str)
def test_a_locked_session_only_sends_and_unlocks(hospital: Hospital, call: Call, names: tuple[str, ...]) -> None:
    for name in names:
        caller = CALLERS[name](hospital)
        path, body = call.prepare(hospital, caller)
        locked(caller)
        before = hospital.rows()
        answer = caller.call(call.method, path, body)
        if (call.method, call.route) in LEFT:
            assert answer.status_code == call.answers[name], (name, answer.text)
            continue
        assert answer.status_code == 403, (name, answer.text)
        assert hospital.rows() == before, name
        # A role that may never do it, or not yet, may be told so.
        never = {"forbidden", "only_for_keys", "profile_required"}
        expected = {"session_locked", call.refusal(name)} & {"session_locked", *never}
        assert call.method == "HEAD" or code_of(answer) in expected, name


def test_every_call_that_is_left_is_in_the_table() -> None:
    assert {(call.method, call.route) for call in EVERY_CALL} >= LEFT


def test_locking_ends_with_the_password_and_lasts_until_then(hospital: Hospital) -> None:
    nurse = locked(locked(hospital.nurse))
    answer = nurse.get("/api/auth/profile")
    assert (answer.status_code, answer.json()["code"]) == (403, "session_locked")
    assert "bloqueada" in answer.json()["message"]
    assert nurse.post(UNLOCK, {"password": "otra cosa"}).status_code == 422
    assert nurse.get("/api/auth/profile").status_code == 403
    assert nurse.post(UNLOCK, {"password": PASSWORD}).status_code == 204
    assert nurse.get("/api/auth/profile").status_code == 200


def test_a_lock_concerns_one_session(hospital: Hospital) -> None:
    elsewhere = hospital.sign_in(hospital.nurse)
    locked(hospital.nurse)
    assert elsewhere.get("/api/auth/profile").status_code == 200


def test_a_key_has_no_session_to_lock(hospital: Hospital) -> None:
    program, _ = a_key(hospital, ["sheets.read"])
    assert program.post(LOCK).status_code == 403


@ON_ANY_DATABASE
def test_a_locked_session_records_as_it_would_unlocked(hospital: Hospital) -> None:
    """Its answers show no price, and nothing about other people's lines."""
    supervisor, sheet = hospital.someone(Role.SUPERVISOR), hospital.open_sheet()
    hospital.add_detail(sheet, by=hospital.nurse)
    staff_id = hospital.colleague.staff_id
    body: dict[str, Any] = {"product_id": hospital.gauze, "quantity": 2, "staff_id": staff_id}
    path = f"{SHEETS}/{sheet}/consumption-details"
    assert "warnings" in exact(supervisor.post(path, body)), "the line of the nurse is the same"
    locked(supervisor)
    answers = [
        exact(supervisor.post(path, body)),
        exact(supervisor.post(DETAILS, {**body, "consumption_sheet_id": sheet})),
        exact(supervisor.post(f"{path}/several", {"items": [body, {**body, "product_id": hospital.cannula}]})),
    ]
    for answer in answers:
        assert "warnings" not in answer
        for line in answer.get("items", [answer]):
            assert not {"total", "unit_price"} & line.keys()
            assert "price" not in line["product"]
            assert "code" not in line["product"]["category"]
            assert line["staff_id"] == staff_id
            assert hospital.detail(line["id"])["staff_id"] == staff_id


def test_a_repeated_request_while_locked_has_no_warnings(hospital: Hospital) -> None:
    nurse, sheet = hospital.someone(Role.USER), hospital.open_sheet()
    hospital.add_detail(sheet)
    body = {"product_id": hospital.gauze, "quantity": 2}
    path, key = f"{SHEETS}/{sheet}/consumption-details", {"idempotency_key": "the-same-line"}
    assert "warnings" in nurse.post(path, body, **key).json()
    locked(nurse)
    again = nurse.post(path, body, **key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "warnings" not in again.json()


def test_a_locked_supervisor_enters_an_earlier_day(hospital: Hospital) -> None:
    supervisor, sheet = hospital.someone(Role.SUPERVISOR), hospital.open_sheet()
    locked(supervisor)
    body = {"product_id": hospital.gauze, "quantity": 2, "occurred_at": "2026-05-05T12:00:00Z"}
    assert supervisor.post(f"{SHEETS}/{sheet}/consumption-details", body).status_code == 201
