"""The state of the installation, and reports of devices, over HTTP."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.server.jobs import purge_expired
from domain.sheets.device_outbox import FORGOTTEN_AFTER_DAYS
from tests.http.hospital import ON_EVERY_DATABASE, Hospital, hospital_on, refused

OUTBOX = "/api/devices/4c9e6679-7425-40de-944b-e07fc1f90ae7/outbox"
REPORT = {"count": 3, "oldest_at": "2026-01-01T06:00:00Z"}


def devices(hospital: Hospital) -> Any:
    return hospital.supervisor.get("/api/worklist").json()["device_outboxes"]


@ON_EVERY_DATABASE
def test_a_device_reports_and_clears_its_unsent_lines(hospital: Hospital) -> None:
    assert hospital.nurse.put(OUTBOX, REPORT).status_code == 204
    assert hospital.nurse.put(OUTBOX, REPORT).status_code == 204
    [row] = devices(hospital)
    assert (row["lines"], row["oldest_at"], row["area"]) == (3, "2026-01-01T06:00:00Z", None)
    assert set(row) == {"id", "by", "area", "lines", "oldest_at", "reported_at"}
    query = f"?kind=lines_unsent&outbox_id={row['id']}"
    judged = {"kind": "lines_unsent", "outbox_id": row["id"]}
    assert hospital.supervisor.post("/api/worklist/judgements", judged).status_code == 204
    assert devices(hospital) == []
    assert hospital.supervisor.delete(f"/api/worklist/judgements{query}").status_code == 204
    assert devices(hospital) == [row]
    assert hospital.nurse.put(OUTBOX, {"count": 0}).status_code == 204
    assert devices(hospital) == []


def test_wrong_reports_are_refused_with_the_field(hospital: Hospital) -> None:
    for body, reasons in (
        ({}, [("count", "required")]),
        ({"count": 2}, [("oldest_at", "required")]),
        ({"count": "2", "oldest_at": "ayer"}, [("count", "whole_number.expected"), ("oldest_at", "moment.expected")]),
    ):
        assert refused(hospital.nurse.put(OUTBOX, body)) == reasons
    assert hospital.nurse.put("/api/devices/short/outbox", REPORT).status_code == 404
    # Whether that user exists is not answered, and nothing is stored.
    assert hospital.nurse.put(OUTBOX, {**REPORT, "user_id": 999}).status_code == 204
    assert devices(hospital) == []


def test_reports_of_forgotten_devices_are_purged(hospital: Hospital) -> None:
    hospital.nurse.put(OUTBOX, REPORT)
    purge_expired(hospital.store.begin, timedelta(days=90))
    assert len(devices(hospital)) == 1
    with hospital.engine.begin() as connection:
        long_ago = f"-{FORGOTTEN_AFTER_DAYS + 1} days"
        connection.exec_driver_sql("UPDATE device_outboxes SET reported_at = datetime('now', ?)", (long_ago,))
    purge_expired(hospital.store.begin, timedelta(days=90))
    assert devices(hospital) == []


def test_the_status_has_no_secret(sqlite_url: str, tmp_path: Path) -> None:
    secret = "hunter2-of-the-mail-server"
    with hospital_on(
        sqlite_url,
        tmp_path,
        smtp_url=f"smtp://mail-user:{secret}@127.0.0.1:9?from=c@hospital.test",
        metrics_token=secret,
    ) as hospital:
        hospital.nurse.put(OUTBOX, REPORT)
        answer = hospital.admin.get("/api/status")
        assert answer.status_code == 200
        for word in (secret, "mail-user", "smtp://", str(tmp_path), "sqlite:"):
            assert word not in answer.text
        findings = {each["key"]: each for each in answer.json()["findings"]}
    assert findings["database"]["name"] == "SQLite"
    assert findings["database"]["size"] > 0
    assert findings["database"]["free"] > 0
    assert (findings["email"]["level"], findings["email"]["advice"]) == ("ok", None)
    assert (findings["backup"]["level"], findings["backup"]["advice"]) == ("error", "backup_none")
    assert (findings["devices"]["count"], findings["devices"]["advice"]) == (1, "lines_forgotten")


@pytest.mark.parametrize(
    ("language", "words"), [("es", "Este servidor no envía correo"), ("en", "This server doesn’t send email")]
)
def test_a_test_without_a_mail_server_says_how_to_set_one(hospital: Hospital, language: str, words: str) -> None:
    answer = hospital.admin.speaking(language).post("/api/status/test-email")
    assert refused(answer) == [(None, "mail.off")]
    assert words in answer.json()["message"][0]
