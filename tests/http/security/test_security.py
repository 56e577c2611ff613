"""The claims of docs/security.md about all answers."""

import re

import pytest

from tests.http.hospital import PASSWORD, SHEETS, Caller, Hospital
from tests.http.routes import CALLERS, EVERY_CALL


def test_no_answer_sets_a_cookie_or_allows_another_origin(hospital: Hospital) -> None:
    elsewhere = {"origin": "https://elsewhere.example"}
    answers = []
    for call in EVERY_CALL:
        caller = CALLERS["admin"](hospital)
        path, body = call.prepare(hospital, caller)
        answers.append(caller.call(call.method, path, body, **elsewhere))
        answers.append(caller.call("OPTIONS", path, None, access_control_request_method=call.method, **elsewhere))
    for answer in answers:
        assert "set-cookie" not in answer.headers
        assert not [name for name in answer.headers if name.lower().startswith("access-control-allow")]


def test_files_outside_the_client_are_not_served(hospital: Hospital) -> None:
    for path in ("/.git/config", "/.git/HEAD", "/var/consumo.db", "/pyproject.toml", "/.env", "/adapters/asgi.py"):
        assert hospital.stranger.get(path).text == "<!doctype html><title>Consumo</title>", path


@pytest.mark.parametrize(
    "path", ["", "/read", "/check", "/refused-rows", "/7/undo", "?noun=x", "/check?noun=x&header_row=-1"]
)
def test_an_import_route_answers_401_before_anything_else(hospital: Hospital, path: str) -> None:
    bodies = (b"", b"PK\x03\x04", b"x" * 2_000_000)
    kinds = ("multipart/form-data; boundary=x", "application/json", "text/csv")
    for caller in (hospital.stranger, Caller(hospital.client, headers={"Authorization": "Bearer x.y.z"})):
        for body in bodies:
            for kind in kinds:
                answer = caller.call("POST", f"/api/imports{path}", body, content_type=kind)
                assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
        huge = caller.call("POST", f"/api/imports{path}", b"x", content_length="999999999999")
        assert huge.status_code == 401


def test_session_ids_and_link_tokens_cannot_be_guessed(hospital: Hospital) -> None:
    """They have at least 128 bits (22 base64 characters), and differ."""
    login = {"email": hospital.email(hospital.nurse), "password": PASSWORD}
    for _ in range(3):
        assert hospital.stranger.post("/api/auth/login", login).status_code == 201
    sessions = [row.id for row in hospital.rows_of("sessions")]
    assert len({*sessions}) == len(sessions)
    password_links = [
        hospital.admin.post(f"/api/users/{hospital.nurse.user_id}/reset-link").json()["url"].rpartition("=")[2]
        for _ in range(3)
    ]
    assert len({*password_links}) == 3
    made_by_us = [one for one in sessions if len(one) != 16]
    assert len(made_by_us) == 3
    assert all(re.fullmatch(r"[\w-]{22,}", one) for one in (*made_by_us, *password_links))


def test_reading_changes_only_the_audit_log(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    kept = {"audit_trail", "noted_looks"}
    before = {name: rows for name, rows in hospital.rows().items() if name not in kept}
    lists = (SHEETS, "/api/rooms", "/api/patients", "/api/overview", "/api/ward")
    for path in (f"{SHEETS}/{sheet}", f"{SHEETS}/{sheet}/pdf", *lists):
        assert hospital.admin.get(path).status_code == 200
    assert {name: rows for name, rows in hospital.rows().items() if name not in kept} == before
