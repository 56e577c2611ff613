"""Lots, scans and recalls over HTTP."""

from datetime import UTC, datetime, timedelta

from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, SHEETS, Hospital, a_key, refused

GTIN = "04006381333931"


def on(sheet: int) -> str:
    return f"{SHEETS}/{sheet}/consumption-details"


@ON_EVERY_DATABASE
def test_a_scan_is_recorded_with_a_warning_in_words(hospital: Hospital) -> None:
    soon = (datetime.now(UTC) + timedelta(days=20)).date()
    scan = f"]d201{GTIN}17{soon:%y%m%d}10L-1"
    body = {"product_id": hospital.gauze, "quantity": 1, "scan": scan}
    answer = hospital.nurse.call("POST", on(hospital.open_sheet()), body, accept_language="en", idempotency_key="k-1")
    line = answer.json()
    assert (line["gtin"], line["lot"], line["expiry"], line["serial"]) == (GTIN, "L-1", soon.isoformat(), None)
    [warning] = line["warnings"]
    assert (warning["code"], warning["expiry"]) == ("lot.expires_soon", soon.isoformat())
    assert warning["message"].startswith("The lot expires on ")
    assert "warnings" not in hospital.nurse.get(f"{DETAILS}/{line['id']}").json()


def test_a_replay_has_the_same_warnings(hospital: Hospital) -> None:
    soon = (datetime.now(UTC) + timedelta(days=20)).date().isoformat()
    body, path = {"product_id": hospital.gauze, "quantity": 1, "expiry": soon}, on(hospital.open_sheet())
    first, again = (hospital.nurse.call("POST", path, body, idempotency_key="k-2") for _ in range(2))
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json() == first.json()
    assert first.json()["warnings"]


def test_questions_about_a_pack_are_reported_at_its_fields(hospital: Hospital) -> None:
    path = on(hospital.open_sheet())
    recall = {"product_id": hospital.gauze, "lot": "l-1", "reason": "Empaque dañado"}
    opened = hospital.supervisor.post("/api/recalls", recall)
    assert (opened.status_code, opened.headers["location"]) == (201, f"/api/recalls/{opened.json()['id']}")
    body = {"product_id": hospital.gauze, "quantity": 1, "lot": "L-1", "expiry": "2020-01-31"}
    asked = hospital.nurse.post(path, body)
    assert refused(asked) == [("lot", "lot.recalled"), ("expiry", "lot.expired")]
    assert all(error["acknowledgeable"] for error in asked.json()["errors"])
    assert "Empaque dañado" in asked.json()["message"][0]
    assert asked.json()["errors"][0]["recall_id"] == opened.json()["id"]
    body["acknowledged"] = ["lot.recalled", "lot.expired"]
    assert refused(hospital.nurse.post(path, body)) == [("lot", "lot.recalled")]
    line = hospital.nurse.post(path, body | {"recall_reason": "Era el último"}).json()
    assert line["acknowledged"] == ["lot.recalled", "lot.expired"]

    corrected = hospital.supervisor.put(f"{DETAILS}/{line['id']}", {"product_id": hospital.gauze, "quantity": 2})
    assert (corrected.status_code, corrected.json()["lot"]) == (200, "L-1")
    moved = hospital.supervisor.put(
        f"{DETAILS}/{line['id']}", {"product_id": hospital.gauze, "quantity": 2, "lot": "L-2", "expiry": None}
    )
    assert (moved.json()["lot"], moved.json()["expiry"]) == ("L-2", None)


@ON_EVERY_DATABASE
def test_uses_of_a_recalled_lot_are_listed_exported_and_audited(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet, lot="L-1")["id"]
    recall = hospital.supervisor.post(
        "/api/recalls", {"product_id": hospital.gauze, "lot": "l-1", "reason": "Empaque"}
    ).json()
    path = f"/api/recalls/{recall['id']}/consumption-details"
    [item] = hospital.supervisor.get(path).json()["items"]
    assert (item["id"], item["consumption_sheet_id"], item["room"]["id"]) == (line, sheet, item["room_id"])
    head, row = hospital.supervisor.get(f"{path}?format=csv").text.strip("\ufeff").split("\r\n")[:2]
    reported = dict(zip(head.split(","), row.split(","), strict=True))
    assert (reported["id"], reported["lot"], reported["room_id"]) == (str(line), "L-1", str(item["room_id"]))
    noted = hospital.admin.get("/api/audit?action=recall.read").json()["items"]
    assert [entry["entity_id"] for entry in noted] == [recall["id"]] * 2


def test_a_lookup_for_ward_staff_has_no_price(hospital: Hospital) -> None:
    for who, seen in ((hospital.nurse, False), (hospital.supervisor, True)):
        [match] = who.get("/api/products/lookup?scan=C-7").json()["matches"]
        assert (match["product"]["id"], match["system"], "price" in match["product"]) == (
            hospital.cannula,
            "code",
            seen,
        )
    assert refused(hospital.nurse.get("/api/products/lookup?gtin=4006381333930")) == [("gtin", "gtin.invalid")]
    for nothing in ("", "scan=", "text=%20", "scan=%1d&code=%0a", "lot=L-1&only_tried=true"):
        assert refused(hospital.nurse.get(f"/api/products/lookup?{nothing}")) == [("code", "required")], nothing
    unread = hospital.nurse.get("/api/products/lookup?scan=%1d%00%ff")
    assert unread.json()["matches"] == []


def test_a_wristband_is_found_by_users_who_read_patients(hospital: Hospital) -> None:
    patient = hospital.admin.post(
        "/api/patients", {"name": "Ana", "first_surname": "Vega", "record_number": "EXP-2026-0013"}
    ).json()["id"]
    sheet = hospital.open_sheet(patient_id=patient)
    [person] = hospital.nurse.get("/api/products/lookup?scan=exp-2026-0013").json()["people"]
    assert (person["id"], person["record_number"], person["sheet_id"]) == (patient, "EXP-2026-0013", None)
    assert [one["id"] for one in person["sheets"]] == [sheet]
    # The lookup is not audited as reading the sheet.
    readers = hospital.supervisor.get(f"/api/patients/{patient}/readers").json()["items"]
    assert "consumption_sheet.read" not in {entry["action"] for entry in readers}
    program, _ = a_key(hospital, ["catalogue.read"])
    assert program.get("/api/products/lookup?scan=EXP-2026-0013").json()["people"] == []
