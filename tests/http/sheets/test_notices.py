"""Notices of changed lines, and the own shift, over HTTP."""

import pytest

from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, Hospital, refused
from tests.http.security.test_no_price_for_ward_staff import keys_of_prices

NOTICES = "/api/notices"


@ON_EVERY_DATABASE
def test_notices_are_listed_until_they_are_marked_as_seen(hospital: Hospital) -> None:
    line = hospital.add_detail(hospital.open_sheet(), by=hospital.nurse)
    hospital.admin.post(f"{DETAILS}/{line['id']}/correct", {"quantity": 1}, idempotency_key="k-1")
    hospital.admin.post(f"{DETAILS}/{line['id']}/correct", {"quantity": 1}, idempotency_key="k-1")
    listed = hospital.nurse.get(NOTICES).json()
    [notice] = listed["items"]
    assert (notice["kind"], notice["quantity"], notice["new_quantity"]) == ("quantity_corrected", 2, 1)
    assert listed["more"] is False
    assert keys_of_prices(listed) == []
    for caller in (hospital.supervisor, hospital.nurse):
        assert hospital.nurse.get(NOTICES).json() == listed
        assert caller.post(f"{NOTICES}/seen", {"ids": [notice["id"]]}).status_code == 204
    assert hospital.nurse.get(NOTICES).json() == {"items": [], "more": False}
    [seen] = hospital.nurse.get("/api/shift").json()["notices"]
    assert seen["seen_at"] is not None


def test_a_total_set_by_hand_leaves_no_notice(hospital: Hospital) -> None:
    line = hospital.add_detail(hospital.open_sheet(), by=hospital.nurse)
    body = {"product_id": hospital.gauze, "quantity": 2, "total": 1}
    assert hospital.admin.put(f"{DETAILS}/{line['id']}", body).status_code == 200
    assert hospital.nurse.get(NOTICES).json()["items"] == []


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("ids", "required")]),
        ({"ids": []}, [("ids", "required")]),
        ({"ids": [*range(1, 102)]}, [("ids", "items.too_many")]),
    ],
)
def test_no_ids_or_too_many_are_refused(
    hospital: Hospital, body: dict[str, object], errors: list[tuple[str, str]]
) -> None:
    assert refused(hospital.nurse.post(f"{NOTICES}/seen", body)) == errors


def test_the_shift_has_no_price_for_any_role(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for caller in (hospital.nurse, hospital.admin):
        hospital.add_detail(sheet, by=caller)
        shift = caller.get("/api/shift").json()
        assert [(one["id"], one["lines"], one["units"]) for one in shift["sheets"]] == [(sheet, 1, 2)]
        assert keys_of_prices(shift) == []


@pytest.mark.parametrize("since", ["yesterday", "2000-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "2026-11-26T06:00:00"])
def test_an_unusable_beginning_is_a_bad_request(hospital: Hospital, since: str) -> None:
    answer = hospital.nurse.get(f"/api/shift?since={since}")
    assert answer.status_code == 400, answer.text
