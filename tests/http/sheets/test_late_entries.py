"""Late entries over HTTP: lines that arrive after their sheet was closed."""

from typing import Any

import pytest

from tests.http.hospital import ON_EVERY_DATABASE, SHEETS, Hospital, refused
from tests.http.security.test_no_price_for_ward_staff import keys_of_prices


def late(hospital: Hospital, **changes: object) -> dict[str, Any]:
    item = {"product_id": hospital.gauze, "quantity": 2.5}
    return {"items": [item], "occurred_at": hospital.clock().isoformat(), **changes}


@ON_EVERY_DATABASE
def test_a_repeated_key_returns_the_same_late_entry(hospital: Hospital) -> None:
    path, body = f"{SHEETS}/{hospital.closed_sheet()}/late-entries", late(hospital)
    nurse = hospital.nurse

    def send(key: str, sent: dict[str, Any]) -> Any:
        return nurse.client.post(path, json=sent, headers={**nurse.headers, "Idempotency-Key": key})

    first = send("k-1", body)
    before = hospital.rows()
    again = send("k-1", body)
    assert (first.status_code, again.status_code) == (201, 201)
    assert ("idempotent-replayed" in first.headers, again.headers["idempotent-replayed"]) == (False, "true")
    assert again.json() == first.json()
    assert refused(send("k-1", late(hospital, items=[{"product_id": hospital.gauze, "quantity": 9}]))) == [
        (None, "idempotency_key.reused")
    ]
    assert hospital.rows() == before
    without = nurse.client.post(path, json=body, headers=dict(nurse.headers))
    assert refused(without) == [(None, "idempotency_key.invalid")]


def test_ward_staff_see_no_price_and_cannot_list_late_entries(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    kept = hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", late(hospital))
    assert kept.json()["items"][0]["quantity"] == 2.5
    assert keys_of_prices(kept.json()) == []
    assert hospital.nurse.get(f"{SHEETS}/{sheet}/late-entries").status_code == 403
    [waiting] = hospital.supervisor.get("/api/worklist").json()["late_entries"]
    assert (waiting["consumption_sheet_id"], waiting["entries"], waiting["closed"]) == (sheet, 1, True)


def test_a_late_entry_changes_the_count_and_etag_of_its_sheet(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    before = hospital.nurse.get(f"{SHEETS}/{sheet}")
    assert before.json()["late_entries"] == 0
    kept = hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", late(hospital)).json()
    after = hospital.nurse.get(f"{SHEETS}/{sheet}", if_none_match=before.headers["etag"])
    assert (after.status_code, after.json()["late_entries"]) == (200, 1)
    assert after.json()["deleted_at"] == before.json()["deleted_at"]
    (listed,) = [one for one in hospital.nurse.get(f"{SHEETS}?closed=true").json()["items"] if one["id"] == sheet]
    assert listed["late_entries"] == 1
    # A closed sheet cannot be changed: it must be reopened first.
    recording = hospital.supervisor.post(f"/api/late-entries/{kept['id']}/record", {})
    assert refused(recording) == [(None, "sheet.closed")]
    dismissed = hospital.supervisor.post(f"/api/late-entries/{kept['id']}/dismiss", {"reason": "Ya está"})
    assert (dismissed.json()["decision"], dismissed.json()["reason"]) == ("dismissed", "Ya está")
    assert hospital.nurse.get(f"{SHEETS}/{sheet}").json()["late_entries"] == 0
    for language, said in (("es", "ya se atendió"), ("en", "already handled")):
        again = hospital.supervisor.call("POST", f"/api/late-entries/{kept['id']}/record", {}, accept_language=language)
        assert said in again.json()["message"][0]


def test_refused_items_of_a_late_entry_are_reported_by_position(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    items = [{"product_id": hospital.gauze, "quantity": 1}, {"product_id": 9999, "quantity": 1}]
    kept = hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", late(hospital, items=items)).json()
    hospital.admin.post(f"{SHEETS}/{sheet}/reopen", {"reason": "Llegó tarde"})
    recording = hospital.supervisor.post(f"/api/late-entries/{kept['id']}/record", {})
    assert refused(recording) == [("items.1.product_id", "reference.unknown")]
    assert hospital.nurse.get(f"{SHEETS}/{sheet}").json()["late_entries"] == 1


def test_questions_of_a_late_entry_are_asked_when_recording(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    hospital.supervisor.post("/api/recalls", {"product_id": hospital.gauze, "lot": "l-1", "reason": "Empaque dañado"})
    acknowledged = ["lot.recalled", "lot.expired", "moment.before_admission"]
    item = {"product_id": hospital.gauze, "quantity": 1, "lot": "L-1", "expiry": "2020-01-31"}
    body = late(hospital, items=[item | {"acknowledged": acknowledged}], occurred_at="2020-01-31T10:00:00Z")
    kept = hospital.nurse.post(f"{SHEETS}/{sheet}/late-entries", body)
    assert kept.status_code == 201
    asked = [
        ("items.0.occurred_at", "moment.before_admission"),
        ("items.0.lot", "lot.recalled"),
        ("items.0.expiry", "lot.expired"),
    ]
    (listed,) = hospital.supervisor.get(f"{SHEETS}/{sheet}/late-entries").json()["items"]
    assert [(error["field"], error["code"]) for error in listed["errors"]] == asked
    assert listed["items"][0]["expiry"] == "2020-01-31"
    hospital.admin.post(f"{SHEETS}/{sheet}/reopen", {"reason": "Llegó tarde"})
    recording = hospital.supervisor.post(f"/api/late-entries/{kept.json()['id']}/record", {})
    assert refused(recording) == asked
    # The list has the same messages as the refusal, in the caller's language.
    said = [error["message"] for error in listed["errors"]]
    assert said == recording.json()["message"]
    shown, refusing = ([error | {"message": ""} for error in one["errors"]] for one in (listed, recording.json()))
    assert shown == refusing
    assert "Empaque dañado" in said[1]
    done = hospital.supervisor.post(
        f"/api/late-entries/{kept.json()['id']}/record",
        {"acknowledged": acknowledged, "recall_reason": "Era el último"},
    )
    assert (done.status_code, done.json()["decision"]) == (200, "recorded")
    (line,) = hospital.supervisor.get(f"{SHEETS}/{sheet}/consumption-details?q=").json()["items"][:1]
    assert sorted(line["acknowledged"]) == sorted(acknowledged)


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ({"items": "x"}, [("items", "items.expected")]),
        ({"occurred_at": "ayer"}, [("occurred_at", "moment.expected")]),
        ({"items": [{"product_id": 1, "quantity": "x"}]}, [("items.0.quantity", "number.expected")]),
        ({"items": [{"product_id": 1, "quantity": 1, "lot": "a\x00"}]}, [("items.0.lot", "text.unwritable")]),
        ({"items": [{"product_id": 1, "quantity": 1e9}]}, [("items.0.quantity", "quantity.too_large")]),
    ],
)
def test_an_unreadable_late_entry_is_refused(
    hospital: Hospital, change: dict[str, Any], reported: list[tuple[str, str]]
) -> None:
    path = f"{SHEETS}/{hospital.closed_sheet()}/late-entries"
    assert refused(hospital.nurse.post(path, late(hospital, **change))) == reported
