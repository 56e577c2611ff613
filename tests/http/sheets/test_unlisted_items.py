"""Unlisted items over HTTP: used supplies that are not in the catalogue."""

from typing import Any

from tests.http.hospital import ON_EVERY_DATABASE, SHEETS, Hospital, refused
from tests.http.security.test_no_price_for_ward_staff import keys_of_prices

SCALPEL = {"description": "bisturí láser", "quantity": 1}


def noted(hospital: Hospital, sheet: int, **changes: object) -> Any:
    return hospital.nurse.post(f"{SHEETS}/{sheet}/unlisted-items", SCALPEL | changes)


@ON_EVERY_DATABASE
def test_a_repeated_key_returns_the_same_unlisted_item(hospital: Hospital) -> None:
    path = f"{SHEETS}/{hospital.open_sheet()}/unlisted-items"
    first = hospital.nurse.post(path, SCALPEL, idempotency_key="k-1")
    before = hospital.rows()
    again = hospital.nurse.post(path, SCALPEL, idempotency_key="k-1")
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (201, 201, "true")
    assert (again.json(), first.headers["location"]) == (first.json(), path)
    another = hospital.nurse.post(path, SCALPEL | {"quantity": 2}, idempotency_key="k-1")
    assert refused(another) == [(None, "idempotency_key.reused")]
    assert hospital.rows() == before


def test_an_unlisted_item_has_no_price_and_changes_the_etag(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    before = hospital.nurse.get(f"{SHEETS}/{sheet}")
    item = noted(hospital, sheet).json()
    assert (item["description"], item["quantity"], item["state"]) == ("bisturí láser", 1, "open")
    assert keys_of_prices(item) == []
    assert hospital.nurse.get(f"{SHEETS}/{sheet}/unlisted-items").json() == {"items": [item]}
    after = hospital.nurse.get(f"{SHEETS}/{sheet}", if_none_match=before.headers["etag"])
    assert (after.status_code, after.json()["unlisted_items"]) == (200, 1)
    [waiting] = hospital.supervisor.get("/api/worklist").json()["unlisted_items"]
    assert (waiting["consumption_sheet_id"], waiting["items"], waiting["room"]) == (sheet, 1, "Urgencias 1")
    assert refused(noted(hospital, sheet, description="", quantity="1")) == [
        ("quantity", "number.expected"),
        ("description", "required"),
    ]


def test_closing_with_open_items_asks_and_accepts_a_query_answer(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    noted(hospital, sheet)
    path = f"{SHEETS}/{sheet}/close"
    for query in ("", "?acknowledged=lot.recalled"):
        asked = hospital.nurse.delete(path + query)
        assert refused(asked) == [(None, "unlisted_items.open")]
        assert asked.json()["errors"][0]["acknowledgeable"] is True
    assert "artículos fuera de catálogo pendientes (1)" in asked.json()["message"][0]
    closed = hospital.nurse.delete(f"{path}?acknowledged=unlisted_items.open")
    assert (closed.status_code, closed.json()["unlisted_items"]) == (200, 1)
    assert hospital.nurse.get(f"{SHEETS}/{sheet}/closings/1").json()["unlisted_items"][0]["quantity"] == 1


def test_a_decided_unlisted_item_cannot_be_decided_again(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    first, second, third = (noted(hospital, sheet).json()["id"] for _ in range(3))
    resolved = hospital.supervisor.post(f"/api/unlisted-items/{first}/resolve", {"product_id": hospital.gauze}).json()
    assert resolved["state"] == "resolved"
    line = hospital.nurse.get(f"/api/consumption-details/{resolved['detail_id']}").json()
    assert (line["user_id"], line["quantity"]) == (hospital.nurse.user_id, 1)
    discarded = hospital.supervisor.post(f"/api/unlisted-items/{second}/discard", {"reason": "No se usó"}).json()
    assert (discarded["state"], discarded["reason"]) == ("discarded", "No se usó")
    assert refused(hospital.supervisor.delete(f"/api/unlisted-items/{third}")) == [(None, "detail.not_own")]
    assert hospital.nurse.delete(f"/api/unlisted-items/{third}").status_code == 204
    for language, said in (("es", "ya se atendió"), ("en", "already handled")):
        again = hospital.supervisor.post(
            f"/api/unlisted-items/{first}/resolve", {"product_id": hospital.gauze}, accept_language=language
        )
        assert said in again.json()["message"][0]
    missing = hospital.supervisor.post("/api/unlisted-items/999/discard", {"reason": "x"})
    assert (missing.status_code, "artículo fuera de catálogo 999" in missing.json()["message"]) == (404, True)
