"""Request log, metrics and health, and what they must not reveal."""

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.builders import SettableClock
from tests.http.hospital import PASSWORD, SHEETS, Hospital, ask, hospital_on
from tests.http.routes import EVERY_CALL

TOKEN = "a token of those who watch over the server"


def lines(hospital: Hospital) -> list[dict[str, Any]]:
    return [json.loads(line) for line in hospital.log.getvalue().splitlines()]


# --- request log -----------------------------------------------------------------------------------------------------


def test_each_request_is_logged_with_user_route_and_status(hospital: Hospital) -> None:
    hospital.nurse.get(f"{SHEETS}/{hospital.open_sheet()}?x=y", x_request_id="from-the-proxy-1")
    line = lines(hospital)[-1]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("at"))
    assert 0 < line.pop("ms") < 60_000
    assert line == {
        "level": "info",
        "event": "request",
        "method": "GET",
        "route": "/api/consumption-sheets/{sheet_id}",
        "status": 200,
        "user_id": hospital.nurse.user_id,
        "request_id": "from-the-proxy-1",
    }


def test_failed_requests_are_logged_too(hospital: Hospital) -> None:
    for method, path, status, route in (
        ("GET", "/api/unknown-path", 404, "none"),
        ("PATCH", SHEETS, 405, "none"),
        ("BREW", SHEETS, 405, "none"),
        ("GET", SHEETS, 401, SHEETS),
    ):
        assert hospital.stranger.call(method, path).status_code == status
        line = lines(hospital)[-1]
        assert (line["route"], line["status"], line["user_id"]) == (route, status, None)
        # The method is an arbitrary string, and must not become a log or metric label.
        assert line["method"] == (method if method != "BREW" else "OTHER")


def test_successful_health_checks_are_not_logged(hospital: Hospital) -> None:
    hospital.stranger.get("/health/live")
    hospital.stranger.get("/health/ready")
    assert lines(hospital) == []
    hospital.stranger.get("/metrics")
    assert [(line["route"], line["status"]) for line in lines(hospital)] == [("/metrics", 404)]


def test_a_plausible_request_id_is_kept(hospital: Hospital) -> None:
    for given in ("0123abcd", "9f1c.4b-A_z", "a" * 64):
        assert hospital.stranger.get("/", x_request_id=given).headers["x-request-id"] == given
    made = set()
    for given in ("short", "a" * 65, "Juan Perez", 'x"}{"a":1', "a/b/c/d/e", ""):
        made.add(hospital.stranger.get("/", x_request_id=given).headers["x-request-id"])
    assert len(made) == 6
    # Letters only: a search for amounts in an answer finds none in a request id.
    assert all(re.fullmatch("[a-p]{20}", each) for each in made)


def test_no_log_contains_user_input(
    hospital: Hospital, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each route gets distinctive values in path, query, headers and body."""
    secret = "Zacarias-Quetzal-739173917391"
    for call in EVERY_CALL:
        # Some calls end all sessions of a user.
        hospital = replace(
            hospital,
            nurse=hospital.sign_in(hospital.nurse),
            supervisor=hospital.sign_in(hospital.supervisor),
            admin=hospital.sign_in(hospital.admin),
        )
        path, _ = call.prepare(hospital, hospital.admin)
        joint = "&" if "?" in path else "?"
        fields = (
            "name",
            "first_surname",
            "diagnosis",
            "doctor",
            "email",
            "password",
            "reason",
            "record_number",
            "code",
        )
        body = dict.fromkeys(fields, secret) | {"token": secret, "current_password": secret, "unit": secret}
        headers = {"idempotency_key": secret, "x_request_id": secret.replace("-", " ")}
        for caller in (hospital.sign_in(hospital.admin), hospital.stranger):
            caller.call(call.method, f"{path}{joint}q={secret}&sort={secret}", body, **headers)
            caller.call(call.method, f"{path}/{secret}", body)
            caller.call(call.method, path, f'{{"name": "{secret}'.encode(), authorization=f"Bearer {secret}")
    hospital.stranger.post("/api/auth/login", {"email": hospital.email(hospital.admin), "password": PASSWORD})
    said = caplog.text.replace("HTTP Request", "") + hospital.log.getvalue() + "".join(capfd.readouterr())
    # httpx, the client of this test, logs the addresses that it requests.
    said = "\n".join(line for line in said.splitlines() if "httpx" not in line)
    assert said.count("\n") > 2 * len(EVERY_CALL)
    tokens = [dict(hospital.admin.headers)["Authorization"].removeprefix("Bearer ")]
    for hidden in ("Zacar", "Quetzal", "739173917391", PASSWORD, hospital.email(hospital.admin), "@", *tokens):
        assert hidden not in said, hidden


def test_an_unexpected_error_is_logged_without_its_message(
    hospital: Hospital, caplog: pytest.LogCaptureFixture
) -> None:
    with hospital.store._writing.begin() as connection:
        connection.exec_driver_sql("DROP TABLE audit_trail")
    answer = hospital.admin.post("/api/areas", {"name": "Área de Zacarías"})
    assert (answer.status_code, answer.json()["request_id"]) == (500, answer.headers["x-request-id"])
    (record,) = [record for record in caplog.records if record.name == "consumo.http"]
    assert record.getMessage() == "Unexpected error at /api/areas"
    assert lines(hospital)[-1]["level"] == "error"


# --- metrics ---------------------------------------------------------------------------------------------------------


def metrics(hospital: Hospital) -> dict[tuple[str, ...], float]:
    """Every sample by name and labels, without the label of the process."""
    answer = hospital.stranger.get("/metrics", authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, *(value for label, value in sorted(sample.labels.items()) if label != "worker")): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_metrics_count_requests_and_events(sqlite_url: str, tmp_path: Path) -> None:
    with hospital_on(sqlite_url, tmp_path, METRICS_TOKEN=TOKEN) as hospital:
        sheet = hospital.open_sheet()
        for _ in range(3):
            hospital.add_detail(sheet)
        hospital.nurse.post(f"{SHEETS}/{sheet}/consumption-details", {})
        hospital.close(sheet)
        email = hospital.email(hospital.nurse)
        assert hospital.stranger.post("/api/auth/login", {"email": email, "password": "x"}).status_code == 404
        found = metrics(hospital)
    route = f"{SHEETS}/{{sheet_id}}/consumption-details"
    assert found["consumo_requests_total", "POST", route, "201"] == 3
    assert found["consumo_requests_total", "POST", route, "422"] == 1
    assert found["consumo_request_seconds_count", "POST", route] == 4
    assert found["consumo_request_seconds_bucket", "+Inf", "POST", route] == 4
    assert 0 < found["consumo_request_seconds_sum", "POST", route] < 60
    assert found["consumo_events_total", "detail.added"] == 3
    assert found["consumo_events_total", "sheet.closed"] == 1
    assert found["consumo_events_total", "session.sign_in_failed"] == 1
    assert found["consumo_database_connections_in_use", "reading"] == 0
    assert found["consumo_database_connections_most", "reading"] == 8
    assert found["consumo_database_connections_most", "writing"] == 1
    assert found["process_cpu_seconds_total",] > 0
    assert found["process_resident_memory_bytes",] > 1e6


def test_failed_sign_ins_without_an_entry_are_counted(sqlite_url: str, tmp_path: Path) -> None:
    with hospital_on(sqlite_url, tmp_path, clock=SettableClock(), METRICS_TOKEN=TOKEN) as hospital:
        for number in range(25):
            hospital.stranger.post("/api/auth/login", {"email": f"u{number}@hospital.test", "password": "x"})
        assert len(hospital.rows()["audit_trail"]) == 11
        assert metrics(hospital)["consumo_events_total", "session.sign_in_failed"] == 25


def test_rolled_back_events_are_not_counted(sqlite_url: str, tmp_path: Path) -> None:
    with hospital_on(sqlite_url, tmp_path, METRICS_TOKEN=TOKEN) as hospital:
        sheet = hospital.open_sheet()
        with hospital.store._writing.begin() as connection:
            connection.exec_driver_sql("DROP TABLE idempotent_answers")
        path = f"{SHEETS}/{sheet}/consumption-details"
        body = {"product_id": hospital.gauze, "quantity": 1}
        assert hospital.nurse.post(path, body, idempotency_key="k").status_code == 500
        assert ("consumo_events_total", "detail.added") not in metrics(hospital)


def test_metrics_require_the_token(sqlite_url: str, tmp_path: Path) -> None:
    with hospital_on(sqlite_url, tmp_path, METRICS_TOKEN=TOKEN) as hospital:
        for authorization in ("", "Bearer", "Bearer x", TOKEN[:-1], f"Basic {TOKEN}", f"Bearer {TOKEN}x"):
            answer = hospital.admin.get("/metrics", authorization=authorization)
            assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), authorization
        assert hospital.stranger.get("/metrics", authorization=f"Bearer {TOKEN}").status_code == 200


@pytest.mark.parametrize(
    ("settings", "address", "header", "status"),
    [
        ({}, "127.0.0.1", None, 200),
        ({}, "::1", None, 200),
        ({}, "192.0.2.7", None, 404),
        ({}, "", None, 404),
        # A local reverse proxy makes all requests come from 127.0.0.1.
        ({}, "127.0.0.1", (b"x-forwarded-for", b"192.0.2.7"), 404),
        ({"PUBLIC_URL": "https://consumo.hospital.test"}, "127.0.0.1", None, 404),
        ({"HOST": "0.0.0.0"}, "127.0.0.1", None, 404),  # noqa: S104
        ({"METRICS_TOKEN": TOKEN}, "127.0.0.1", None, 401),
    ],
)
def test_without_a_token_metrics_are_for_local_requests(
    sqlite_url: str, tmp_path: Path, settings: Any, address: str, header: Any, status: int
) -> None:
    here = partial(hospital_on, sqlite_url, tmp_path)
    headers = [header] if header else []
    with here(**{"PUBLIC_URL": ""} | settings) as hospital, hospital.client.portal() as portal:
        sent = portal.call(partial(ask, hospital, "/metrics", *headers, address=address))
    assert sent[0]["status"] == status
