"""Closed months over HTTP: hostile input, who may, and the ETag."""

import pytest

from domain.common.policy import Permission
from tests.http.hospital import Hospital, a_key
from tests.http.routes import closed_month

MONTHS = "/api/months"
# What is sent, and the code and field of the refusal.
REFUSED = {
    "no month": ({"turn": 1}, "required", "month"),
    "month 13": ({"month": "2026-13", "turn": 1}, "date.expected", "month"),
    "a word": ({"month": "oct", "turn": 1}, "date.expected", "month"),
    "a day": ({"month": "2026-05-01", "turn": 1}, "date.expected", "month"),
    "year 0": ({"month": "0000-05", "turn": 1}, "date.expected", "month"),
    "other digits": ({"month": "٢٠٢٦-05", "turn": 1}, "date.expected", "month"),
    "the end of the calendar": ({"month": "9999-12", "turn": 1}, "date.expected", "month"),
    "year 9999": ({"month": "9999-11", "turn": 1}, "month.not_over", "month"),
    "300 characters": ({"month": "2" * 300, "turn": 1}, "text.too_long", "month"),
    "a list": ({"month": ["2026-05"], "turn": 1}, "text.expected", "month"),
    "no turn": ({"month": "2026-05"}, "required", "turn"),
    "turn -1": ({"month": "2026-05", "turn": -1}, "number.out_of_range", "turn"),
    "a turn skipped": ({"month": "2026-05", "turn": 2}, "number.out_of_range", "turn"),
    "a turn beyond 32 bits": ({"month": "2026-05", "turn": 2**40}, "number.out_of_range", "turn"),
    "an unknown area": ({"month": "2026-05", "turn": 1, "area_id": 999}, "reference.unknown", "area_id"),
    "a negative area": ({"month": "2026-05", "turn": 1, "area_id": -1}, "reference.unknown", "area_id"),
    "an area beyond 64 bits": ({"month": "2026-05", "turn": 1, "area_id": 2**70}, "reference.unknown", "area_id"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_month_to_close_is_refused(hospital: Hospital, name: str) -> None:
    sent, code, field = REFUSED[name]
    answer = hospital.supervisor.post(MONTHS, sent)
    assert answer.status_code == 422, answer.text
    assert [(error["code"], error["field"]) for error in answer.json()["errors"]] == [(code, field)]


def test_the_first_month_of_the_calendar_is_closed_and_listed(hospital: Hospital) -> None:
    answer = hospital.supervisor.post(MONTHS, {"month": "0001-01", "turn": 1})
    assert answer.status_code == 201
    assert (answer.headers["location"], answer.json()["total"]) == (f"{MONTHS}/{answer.json()['id']}", 0)
    items = hospital.supervisor.get(f"{MONTHS}?before=0001-03").json()["items"]
    assert [(one["month"], one["turn"]) for one in items] == [("0001-02", 0), ("0001-01", 1)]
    assert hospital.supervisor.get(f"{MONTHS}?before=0001-01").json()["items"] == []


@pytest.mark.parametrize("query", ["before=oct", "before=2026-13", "before=", "area_id=0", f"area_id={2**63}"])
def test_a_list_that_cannot_be_asked_for_is_a_400(hospital: Hospital, query: str) -> None:
    assert hospital.supervisor.get(f"{MONTHS}?{query}").status_code == 400


def test_a_second_closer_is_told_by_whom_and_when(hospital: Hospital) -> None:
    sent = {"month": "2026-05", "turn": 1}
    assert hospital.supervisor.post(MONTHS, sent).status_code == 201
    [error] = hospital.admin.post(MONTHS, sent).json()["errors"]
    assert error["code"] == "month.closed"
    assert "Pilar Ríos cerró el mes el " in error["message"]
    [error] = hospital.admin.post(MONTHS, {**sent, "turn": 2}).json()["errors"]
    assert error["message"].startswith("Nada cambió en 2026-05")


def test_a_month_is_read_again_only_after_a_change(hospital: Hospital) -> None:
    path = f"{MONTHS}/{closed_month(hospital, hospital.admin)}"
    first = hospital.supervisor.get(path)
    known = first.headers["etag"]
    assert hospital.supervisor.get(path, if_none_match=known).status_code == 304
    closed_month(hospital, hospital.admin)
    again = hospital.supervisor.get(path, if_none_match=known)
    assert len(again.json()["changes"]["items"]) == len(first.json()["changes"]["items"]) + 2
    assert [one["turn"] for one in again.json()["versions"]] == [1, 2]


def test_a_key_needs_its_scopes(hospital: Hospital) -> None:
    month = closed_month(hospital, hospital.admin)
    closes = {Permission.CLOSE_MONTHS, Permission.SEE_PRICES}
    sent = {"month": "2026-04", "turn": 1}
    for scopes, reads, made in (
        ({Permission.READ_REPORTS}, 403, 403),
        ({Permission.SEE_PRICES}, 403, 403),
        ({Permission.READ_REPORTS, Permission.SEE_PRICES}, 200, 403),
        ({Permission.CLOSE_MONTHS}, 403, 403),
        (closes, 200, 201),
    ):
        key, _ = a_key(hospital, scopes)
        assert [key.get(path).status_code for path in (MONTHS, f"{MONTHS}/{month}")] == [reads, reads], scopes
        assert key.post(MONTHS, sent).status_code == made, scopes
