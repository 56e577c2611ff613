"""Kits over HTTP: versions, permissions, redaction and recording."""

from typing import Any

from tests.canaries import OTHER_PRICE, PRICE
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, SHEETS, Hospital, exact, refused
from tests.http.security.test_no_price_for_ward_staff import secrets_in

KITS = "/api/kits"


def body(hospital: Hospital, name: str = "Vía periférica", **changes: Any) -> dict[str, Any]:
    lines = [{"product_id": hospital.gauze, "quantity": 2}, {"product_id": hospital.cannula, "quantity": 0.5}]
    return {"name": name, "lines": lines} | changes


@ON_EVERY_DATABASE
def test_a_kit_is_created_read_updated_and_deleted_by_version(hospital: Hospital) -> None:
    created = hospital.supervisor.post(KITS, body(hospital, area_id=hospital.theatre))
    assert created.status_code == 201, created.text
    path = created.headers["location"]
    read = hospital.nurse.get(path)
    assert read.content == created.content
    assert read.headers["etag"] == created.headers["etag"] == '"1"'
    assert [line["product"]["name"] for line in read.json()["lines"]] == ["Gasa estéril", "Cánula nasal"]

    again = hospital.supervisor.put(path, read.json() | {"name": "Vía"}, if_match='"1"')
    assert (again.status_code, again.headers["etag"], again.json()["name"]) == (200, '"2"', "Vía")
    assert again.json() == read.json() | {"name": "Vía", "version": 2}
    assert hospital.admin.put(path, body(hospital), if_match='"1"').status_code == 412
    assert hospital.admin.delete(path, if_match='"1"').status_code == 412
    assert hospital.admin.delete(path, if_match='"2"').status_code == 204
    assert hospital.admin.get(path).status_code == 404


def test_answers_about_kits_hold_no_price(hospital: Hospital) -> None:
    hospital.set_price(hospital.gauze, PRICE)
    hospital.set_price(hospital.cannula, OTHER_PRICE)
    path = hospital.admin.post(KITS, body(hospital)).headers["location"]
    for caller in (hospital.nurse, hospital.admin):
        for answer in (caller.get(KITS), caller.get(path), caller.get(f"{KITS}?format=csv")):
            assert answer.status_code == 200
            assert "price" not in answer.text
            assert secrets_in(answer.text) == []


def test_every_error_of_a_kit_is_reported_by_position(hospital: Hospital) -> None:
    lines = [{"product_id": hospital.gauze, "quantity": "x"}, {"quantity": 1, "optional": 7}]
    answer = hospital.admin.speaking("en").post(KITS, body(hospital, lines=lines, own="x"))
    assert refused(answer) == [
        ("own", "yes_or_no.expected"),
        ("lines.0.quantity", "number.expected"),
        ("lines.1.optional", "yes_or_no.expected"),
        ("lines.1.product_id", "required"),
    ]
    assert answer.json()["message"][1:] == [
        "Line 1: Enter a number in “Quantity”.",
        "Line 2: Choose yes (1) or no (0) in “Optional”.",
        "Line 2: Fill in “Product”.",
    ]


@ON_EVERY_DATABASE
def test_details_keep_the_name_of_their_kit(hospital: Hospital) -> None:
    kit = hospital.admin.post(KITS, body(hospital)).json()
    items = [{"product_id": hospital.gauze, "quantity": 3}, {"product_id": hospital.cannula, "quantity": 1}]
    sheet = hospital.open_sheet()
    path = f"{SHEETS}/{sheet}/consumption-details/several"
    answer = hospital.nurse.post(path, {"kit_id": kit["id"], "items": items}, idempotency_key="k-1")
    assert answer.status_code == 201, answer.text
    assert hospital.admin.delete(f"{KITS}/{kit['id']}").status_code == 204
    recorded = exact(hospital.admin.get(f"{DETAILS}?consumption_sheet_id={sheet}"))["items"]
    assert [one["kit_id"] for one in recorded] == [kit["id"]] * 2
    [reported] = {
        entry["names"]["kit_id"][1]
        for entry in hospital.supervisor.get(f"{SHEETS}/{sheet}/history").json()["items"]
        if entry["action"] == "detail.added"
    }
    assert reported == "Vía periférica"
    assert hospital.admin.post(KITS, body(hospital)).status_code == 201
