"""A slow, busy, full or unreachable database: an error with Retry-After.

Nothing is stored in part, and the server works again without a restart.
"""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from httpx import Response
from sqlalchemy import create_engine, make_url, text

from adapters.sql.engine.connections import to_url
from tests.http.hospital import SHEETS, Hospital, hospital_on
from tests.servers import cut_off, let_in, until_one_waits_for, working_by_hand


def add_detail(hospital: Hospital, sheet: int, language: str = "es", **headers: str) -> Response:
    body = {"product_id": hospital.gauze, "quantity": 2}
    path = f"{SHEETS}/{sheet}/consumption-details"
    return hospital.supervisor.speaking(language).post(path, body, **headers)


def kept_on(hospital: Hospital, sheet: int) -> int:
    return int(hospital.supervisor.get(f"{SHEETS}/{sheet}/consumption-details").json()["meta"]["total"])


def reported(answer: Response) -> tuple[int, str, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert problem["message"] == problem["detail"]
    return answer.status_code, problem["code"], answer.headers["retry-after"]


@pytest.mark.postgresql
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_an_unreachable_database_is_503_until_it_is_back(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    cut_off(hospital.database_url, is_permanent=True)
    gone = add_detail(hospital, sheet, "en", idempotency_key="k-1")
    assert reported(gone) == (503, "store_unreachable", "5")
    assert gone.json()["message"].startswith("The database isn’t responding.")
    assert add_detail(hospital, sheet).json()["message"].startswith("La base de datos no responde.")
    assert reported(hospital.nurse.get(SHEETS)) == (503, "store_unreachable", "5")
    login = hospital.stranger.post("/api/auth/login", {"email": "a@b.test", "password": "x"})
    assert reported(login) == (503, "store_unreachable", "5")
    let_in(hospital.database_url)
    assert add_detail(hospital, sheet, idempotency_key="k-1").status_code == 201
    assert kept_on(hospital, sheet) == 1


@pytest.mark.postgresql
def test_a_lock_timeout_on_a_sheet_is_503(postgresql_url: str, tmp_path: Path) -> None:
    with hospital_on(postgresql_url, tmp_path, LOCK_TIMEOUT="1") as hospital:
        sheet = hospital.open_sheet()
        engine = create_engine(to_url(postgresql_url))
        with engine.begin() as someone:
            someone.execute(text("SELECT 1 FROM consumption_sheets FOR UPDATE"))
            busy = add_detail(hospital, sheet, "en", idempotency_key="k-1")
            assert reported(busy) == (503, "store_busy", "2")
            assert "nothing was saved" in busy.json()["message"]
        engine.dispose()
        assert kept_on(hospital, sheet) == 0
        assert add_detail(hospital, sheet, idempotency_key="k-1").status_code == 201


@pytest.mark.postgresql
def test_a_deadlock_is_retried_and_the_line_recorded_once(postgresql_url: str, tmp_path: Path) -> None:
    # Long enough that the other transaction is waiting, too, when the deadlock is detected.
    patient = make_url(postgresql_url).update_query_dict({"options": "-c deadlock_timeout=3s"})
    url = patient.render_as_string(hide_password=False)
    with hospital_on(url, tmp_path) as hospital, working_by_hand(postgresql_url) as blocker:
        sheet = hospital.open_sheet()
        blocker.execute("SET deadlock_timeout = '60s'")
        blocker.execute("SELECT 1 FROM products WHERE id = %s FOR UPDATE", [hospital.gauze])
        with ThreadPoolExecutor() as thread:
            # The request holds the sheet and waits for the product; the other transaction holds the
            # product and then waits for the sheet.
            recording = thread.submit(add_detail, hospital, sheet, idempotency_key="k-1")
            until_one_waits_for(blocker)
            blocker.execute("SELECT 1 FROM consumption_sheets WHERE id = %s FOR UPDATE", [sheet])
            assert not recording.done()
            blocker.rollback()
            answer = recording.result()
        assert answer.status_code == 201
        assert "idempotent-replayed" not in answer.headers
        assert kept_on(hospital, sheet) == 1
        again = add_detail(hospital, sheet, idempotency_key="k-1")
        assert (again.status_code, again.json()) == (201, answer.json())
        assert kept_on(hospital, sheet) == 1


def test_a_lock_timeout_on_sqlite_is_503(sqlite_url: str, tmp_path: Path) -> None:
    with hospital_on(sqlite_url, tmp_path, LOCK_TIMEOUT="1") as hospital:
        sheet = hospital.open_sheet()
        with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as someone:
            someone.execute("BEGIN IMMEDIATE")
            busy = add_detail(hospital, sheet)
            assert reported(busy) == (503, "store_busy", "2")
            assert "no se guardó nada" in busy.json()["message"]
            assert hospital.supervisor.get("/api/products").status_code == 200
        assert add_detail(hospital, sheet).status_code == 201


def test_a_full_disk_is_507_until_there_is_space(hospital: Hospital) -> None:
    sheet, *others = (hospital.open_sheet() for _ in range(40))
    with hospital.store._writing.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    answer, kept = add_detail(hospital, sheet), 0
    while answer.status_code == 201:
        answer, kept = add_detail(hospital, sheet, "en"), kept + 1
    assert reported(answer) == (507, "store_full", "60")
    assert "disk is full" in answer.json()["message"]
    # Reading a patient's sheet writes an audit entry, so reads fail, too. An entry is shorter than a detail, and
    # the first few may still fit.
    *_, seen = (hospital.supervisor.get(f"{SHEETS}/{other}") for other in others)
    assert reported(seen) == (507, "store_full", "60")
    with hospital.store._writing.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    assert kept_on(hospital, sheet) == kept
    assert add_detail(hospital, sheet).status_code == 201
    assert kept_on(hospital, sheet) == kept + 1
