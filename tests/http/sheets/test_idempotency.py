"""Idempotency-Key: a repeated request is done once, with the same answer."""

import json
from collections.abc import Callable

import pytest
from sqlalchemy import text

from application.common.idempotency import IdempotencyKey
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, SHEETS, Hospital, refused

REUSED = [(None, "idempotency_key.reused")]

Call = Callable[[Hospital], tuple[str, dict[str, object]]]


def sheet(hospital: Hospital) -> tuple[str, dict[str, object]]:
    return SHEETS, hospital.admission()


def detail(hospital: Hospital) -> tuple[str, dict[str, object]]:
    return DETAILS, {"product_id": hospital.gauze, "quantity": 1.5, "consumption_sheet_id": hospital.open_sheet()}


def detail_of_sheet(hospital: Hospital) -> tuple[str, dict[str, object]]:
    path = f"{SHEETS}/{hospital.open_sheet()}/consumption-details"
    return path, {"product_id": hospital.gauze, "quantity": 1.5}


def several_details(hospital: Hospital) -> tuple[str, dict[str, object]]:
    path, item = detail_of_sheet(hospital)
    return f"{path}/several", {"items": [item, item]}


EVERY_CALL = pytest.mark.parametrize("call", [sheet, detail, detail_of_sheet, several_details])


@ON_EVERY_DATABASE
@EVERY_CALL
def test_a_repeated_request_is_done_once_with_the_same_answer(hospital: Hospital, call: Call) -> None:
    path, body = call(hospital)
    first = hospital.supervisor.post(path, body, idempotency_key="k-1")
    before = hospital.rows()
    second = hospital.supervisor.post(path, body, idempotency_key="k-1")
    assert first.status_code == second.status_code == 201
    assert second.content == first.content
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    for name in ("location", "etag"):
        assert second.headers.get(name) == first.headers.get(name)
    assert hospital.rows() == before


def test_another_body_or_path_under_the_same_key_is_refused(hospital: Hospital) -> None:
    path, body = detail_of_sheet(hospital)
    other_path, _ = detail_of_sheet(hospital)
    hospital.nurse.post(path, body, idempotency_key="k-1")
    before = hospital.rows()
    assert refused(hospital.nurse.post(path, body | {"quantity": 9}, idempotency_key="k-1")) == REUSED
    assert refused(hospital.nurse.post(other_path, body, idempotency_key="k-1")) == REUSED
    assert hospital.rows() == before


def test_equal_json_in_another_notation_is_the_same_body(hospital: Hospital) -> None:
    path, _ = detail_of_sheet(hospital)
    product = hospital.gauze
    first = hospital.nurse.post(path, f'{{"product_id": {product}, "quantity": 2}}'.encode(), idempotency_key="k-1")
    second = hospital.nurse.post(path, f'{{"quantity":2,\n"product_id":{product}}}'.encode(), idempotency_key="k-1")
    assert second.headers.get("idempotent-replayed") == "true", second.text
    assert second.content == first.content


@ON_EVERY_DATABASE
def test_a_stored_answer_of_an_older_version_is_replayed(hospital: Hospital) -> None:
    """Fields added by newer versions are missing in it."""
    path, body = detail_of_sheet(hospital)
    first = hospital.supervisor.post(path, body, idempotency_key="k-1").json()
    with hospital.store._writing.begin() as connection:
        kept = json.loads(connection.execute(text("SELECT answer FROM idempotent_answers")).scalar_one())
        del kept["product"]["code"]
        connection.execute(text("UPDATE idempotent_answers SET answer = :answer"), {"answer": json.dumps(kept)})
    again = hospital.supervisor.post(path, body, idempotency_key="k-1")
    assert again.status_code == 201, again.text
    del first["product"]["code"]
    assert again.json() == first


def test_an_invalid_key_is_refused(hospital: Hospital) -> None:
    path, body = detail_of_sheet(hospital)
    before = hospital.rows()
    who = {name.encode(): value.encode() for name, value in hospital.nurse.headers.items()}
    for key in ("", "with blank", "ñ", "x" * 201, "tab\there", "\x7f"):
        answer = hospital.client.post(path, json=body, headers=who | {b"Idempotency-Key": key.encode("latin-1")})
        assert refused(answer) == [(None, "idempotency_key.invalid")], key
    assert hospital.rows() == before


@pytest.mark.postgresql
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_concurrent_request_with_the_same_key_is_409(hospital: Hospital) -> None:
    path, body = detail_of_sheet(hospital)
    with hospital.store.begin() as work:
        work.idempotency_store.recall(hospital.nurse.user_id, IdempotencyKey("k-1", "of the first"), dict)
        answer = hospital.nurse.post(path, body, idempotency_key="k-1")
        assert (answer.status_code, answer.json()["code"]) == (409, "still_running")
        assert hospital.colleague.post(path, body, idempotency_key="k-1").status_code == 201
    assert hospital.nurse.post(path, body, idempotency_key="k-1").status_code == 201
