"""A list narrowed to one patient, bed, pack, form or visit is a reading of that patient."""

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from domain.common.errors import Code, Reason
from domain.forms.contingency_form import ContingencyForm
from domain.interop.inbound_message import InboundMessage
from tests.builders import an_outbound_message
from tests.http.hospital import SHEETS, Hospital
from tests.http.routes import CALLERS
from tests.http.security.test_readers import readers

ROOT = Path(__file__).parents[3]
# They order and divide a list, or choose its language or form.
OF_EVERY_LIST = {"page", "limit", "sort", "cursor", "format"}
# Filters that select no patient of a list with more than one, with the reason.
DIVIDES = {
    "closed": "open or closed",
    "voided": "with or without voided lines",
    "active": "with or without inactive ones",
    "merged": "with or without merged ones",
    "without_visit": "many sheets have none",
    "own": "own or shared ones",
    "state": "waiting or done",
    "after": "the next page",
    "used_for": "used for patients or in areas",
    "use_reason": "used or thrown away",
}
# Lists that show no patient, or that name the patient whatever the filters are.
OF_NO_PATIENT = {
    "/api/areas",
    "/api/areas/{area_id}/restock/lists",
    "/api/areas/{area_id}/sheets",
    "/api/categories",
    "/api/contingency-forms",
    "/api/hospital/logo",
    "/api/imports",
    "/api/kits",
    "/api/kits/{kit_id}/review",
    "/api/months",
    "/api/products",
    "/api/products/typed",
    "/api/products/{product_id}/picture",
    "/api/recalls",
    "/api/reports/consumption",
    "/api/staff",
    "/api/users",
}
OF_ONE_PATIENT = {
    # The readers themselves: otherwise looking at them would always be the newest entry.
    "/api/patients/{patient_id}/readers",
    "/api/patients/{patient_id}/merge-preview",
    "/api/consumption-sheets/paper",
    "/api/documents/paper",
    "/api/consumption-sheets/{sheet_id}/account/changes",
    "/api/consumption-sheets/{sheet_id}/account/pdf",
    "/api/consumption-sheets/{sheet_id}/consumption-details",
    "/api/consumption-sheets/{sheet_id}/history",
    "/api/consumption-sheets/{sheet_id}/missed-charges",
    "/api/consumption-sheets/{sheet_id}/repeatable",
    "/api/consumption-sheets/{sheet_id}/version",
}
# Only the caller's own lines.
OF_THE_CALLER = {"/api/shift"}
# One of them is a scan: tests/contracts/people/test_scanned_people.py.
OF_ONE_SCAN = {"/api/products/lookup"}
PATHS = json.loads((ROOT / "ui/openapi.json").read_text())["paths"]
LISTS = {
    path: {one["name"] for one in methods["get"].get("parameters", ()) if one["in"] == "query"}
    for path, methods in PATHS.items()
    if "get" in methods
}
FILTERS = [
    (path, name)
    for path, names in LISTS.items()
    if path not in OF_NO_PATIENT | OF_ONE_PATIENT | OF_THE_CALLER | OF_ONE_SCAN
    for name in sorted(names - OF_EVERY_LIST - DIVIDES.keys())
]


@pytest.fixture
def chosen(hospital: Hospital) -> dict[str, dict[str, object]]:
    """Return values of filters that select the patient, by list.

    The patient is the only one with data. Under "" are the values for every list.
    """
    product = {"name": "Marcapasos", "price": 1, "category_id": hospital.tubes, "implant": True, "code": "M-1"}
    product_id = hospital.admin.post("/api/products", product).json()["id"]
    sheet = hospital.open_sheet(room_id=hospital.theatre_room)
    with hospital.store.begin() as work:
        form = ContingencyForm(sheet_id=sheet, area_id=None, printed_at=hospital.clock(), printed_by=1)
        work.contingency_forms.add(form)
        message = InboundMessage(
            source="HIS", control_id="C-1", kind="A01", digest="d", body="", event_at=hospital.clock(),
            received_at=hospital.clock(), user_id=1, visit_number="V-1", record_number="HC-0001",
            patient_id=hospital.patient,
        )  # fmt: skip
        message.hold(Reason(Code.LOCATION_MISSING))
        work.inbound_messages.add(message)
    staff_id = hospital.admin.get("/api/staff").json()["items"][0]["id"]
    line = {"product_id": product_id, "quantity": 1, "staff_id": staff_id, "area_id": hospital.theatre}
    pack = {"lot": "L-1", "serial": "S-1"}
    items = {"sheet_id": sheet, "items": [line | pack], "occurred_at": hospital.clock().isoformat()}
    assert hospital.admin.post(f"/api/contingency-forms/{form.id}/record", items).status_code == 201
    an_outbound_message(hospital.store, hospital.clock(), sheet)
    recall = hospital.supervisor.post("/api/recalls", {"product_id": product_id, "lot": "L-1", "reason": "R"}).json()
    return {
        "": {
            "product_id": product_id,
            "category_id": hospital.tubes,
            "staff_id": staff_id,
            "area_id": hospital.theatre,
            "room_id": hospital.theatre_room,
            "patient_id": hospital.patient,
            "consumption_sheet_id": sheet,
            "form_id": form.id,
            "from": "2000-01-01",
            "to": "2100-01-01",
            "incomplete": "false",
            "q": "HC-0001",
            "user_id": hospital.admin.user_id,
            "recall_id": recall["id"],
            **pack,
        },
        "/api/consumption-details": {"q": "Marcapasos"},
        "/api/recalls/{recall_id}/consumption-details": {"q": "Marcapasos"},
        "/api/implants": {"q": "Marcapasos"},
        "/api/rooms": {"q": "Sala A", "status": 3},
        "/api/outbound-messages": {"q": "1"},
        "/api/inbound-messages": {"q": "V-1", "kind": "A01", "reason": "location.missing"},
        "/api/audit": {
            "action": "sheet.opened",
            "entity": "consumption_sheet",
            "entity_id": sheet,
            "q": "opened",
        },
    }


@pytest.mark.parametrize(("path", "name"), FILTERS)
def test_every_narrowed_list_names_the_patient(
    hospital: Hospital, chosen: dict[str, dict[str, object]], path: str, name: str
) -> None:
    caller = CALLERS["admin"](hospital)
    values = chosen[""] | chosen.get(path, {})
    shown = []
    # The line was used in one of the three shifts.
    for value in range(3) if name == "shift" else [values[name]]:
        answer = caller.get(f"{path.format(**values)}?{urlencode({name: value})}")
        assert answer.status_code == 200, answer.text
        shown += answer.json().get("items", answer.json().get("rooms", []))
    assert shown, "the value selects nothing"
    assert caller.user_id in {one["user"]["id"] for one in readers(hospital.supervisor, hospital.patient)}


def test_the_tables_list_every_list_with_a_filter() -> None:
    known = OF_NO_PATIENT | OF_ONE_PATIENT | OF_THE_CALLER | OF_ONE_SCAN
    assert known <= LISTS.keys()
    assert {path for path, names in LISTS.items() if names - OF_EVERY_LIST - DIVIDES.keys()} <= known | {
        path for path, _ in FILTERS
    }


def test_a_narrowed_export_names_the_patient(hospital: Hospital, chosen: dict[str, dict[str, object]]) -> None:
    caller = CALLERS["admin"](hospital)
    assert caller.get(f"/api/consumption-details?room_id={chosen['']['room_id']}&format=csv").status_code == 200
    assert caller.user_id in {one["user"]["id"] for one in readers(hospital.supervisor, hospital.patient)}


def test_a_bed_of_two_patients_names_both(hospital: Hospital) -> None:
    for patient in (hospital.patient, hospital.other_patient):
        sheet = hospital.open_sheet(patient_id=patient)
        hospital.add_detail(sheet)
        hospital.close(sheet)
    for path in (f"{SHEETS}?closed=true&room_id={hospital.room}", f"/api/consumption-details?room_id={hospital.room}"):
        caller = CALLERS["admin"](hospital)
        assert len(caller.get(path).json()["items"]) == 2
        for patient in (hospital.patient, hospital.other_patient):
            assert caller.user_id in {one["user"]["id"] for one in readers(hospital.supervisor, patient)}


def test_a_list_of_all_names_no_patient(hospital: Hospital) -> None:
    hospital.add_detail(hospital.open_sheet())
    caller = CALLERS["admin"](hospital)
    for path in (SHEETS, "/api/consumption-details", "/api/patients", "/api/rooms"):
        assert caller.get(path).status_code == 200
    assert caller.user_id not in {one["user"]["id"] for one in readers(hospital.supervisor, hospital.patient)}
