"""FHIR R4 over HTTP, as a generic FHIR client uses it."""

import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

import pytest

from adapters.fhir.query import MAX_VALUES
from adapters.fhir.resource_types import PARAMETERS, TYPES
from adapters.http.controllers.fhir import MAX_SEARCH_BYTES
from adapters.http.requests.request import ApiRequest, BodyTimeout
from domain.common.day import day_of
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, PUBLIC_ADDRESS, SHEETS, ZONE, Caller, Hospital, a_key

BASE = "/fhir/R4"


def ask(caller: Caller, path: str, **headers: str) -> dict[str, Any]:
    """The JSON answer with exact decimals."""
    answer = caller.get(f"{BASE}/{path}", **headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].partition(";")[0] == "application/fhir+json"
    return dict(json.loads(answer.content, parse_float=Decimal, parse_int=Decimal))


def found(bundle: dict[str, Any]) -> list[str]:
    return [entry["resource"]["id"] for entry in bundle.get("entry", [])]


def walk(caller: Caller, path: str) -> Iterator[str]:
    """The ids of all pages, by following the `next` links."""
    bundle = ask(caller, path)
    while True:
        yield from found(bundle)
        following = next((link["url"] for link in bundle["link"] if link["relation"] == "next"), None)
        if following is None:
            return
        address = urlsplit(following)
        bundle = ask(caller, f"{address.path.removeprefix(BASE + '/')}?{address.query}")


def outcome(caller: Caller, path: str, **headers: str) -> tuple[int, str, str]:
    answer = caller.get(f"{BASE}/{path}", **headers)
    reported = answer.json()
    assert reported["resourceType"] == "OperationOutcome"
    [issue] = reported["issue"]
    return answer.status_code, issue["code"], issue["details"]["text"]


def a_stay(hospital: Hospital) -> tuple[int, int]:
    """A closed sheet with two lines; its id, and the id of the voided line."""
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    voided = hospital.add_detail(sheet)["id"]
    hospital.admin.post(f"{DETAILS}/{voided}/void", {"reason": "Otro paciente"})
    assert hospital.admin.delete(f"{SHEETS}/{sheet}/close").is_success
    return sheet, voided


def test_the_capability_statement_is_public(hospital: Hospital) -> None:
    reported = ask(hospital.stranger, "metadata")
    assert (reported["resourceType"], reported["fhirVersion"]) == ("CapabilityStatement", "4.0.1")
    resources = {one["type"]: one for one in reported["rest"][0]["resource"]}
    assert set(resources) == set(TYPES)
    assert {one["name"] for one in resources["ChargeItem"]["searchParam"]} == set(PARAMETERS["ChargeItem"])


@ON_EVERY_DATABASE
def test_links_lead_from_the_patient_to_the_invoice(hospital: Hospital) -> None:
    sheet, voided = a_stay(hospital)
    program, _ = a_key(hospital, ["fhir.read", "patients.read", "sheets.read", "catalogue.read", "prices.see"])
    patient = ask(program, f"Patient/{hospital.patient}")
    [encounter] = found(ask(program, f"Encounter?patient=Patient/{patient['id']}&status=finished"))
    assert encounter == str(sheet)
    charges = ask(program, f"ChargeItem?context=Encounter/{encounter}")["entry"]
    states = {entry["resource"]["id"]: entry["resource"]["status"] for entry in charges}
    assert states.pop(str(voided)) == "entered-in-error"
    assert set(states.values()) == {"billable"}
    [invoice] = ask(program, f"Invoice?patient={patient['id']}")["entry"]
    lines = invoice["resource"]["lineItem"]
    assert {line["chargeItemReference"]["reference"] for line in lines} == {f"ChargeItem/{one}" for one in states}
    amounts = [part["factor"] * part["amount"]["value"] for line in lines for part in line["priceComponent"]]
    gross = invoice["resource"]["totalGross"]
    assert (sum(amounts), gross["currency"]) == (gross["value"], "MXN")
    location = ask(program, f"Encounter/{encounter}")["location"][0]["location"]["reference"]
    room = ask(program, location)
    assert ask(program, room["partOf"]["reference"])["physicalType"]["coding"][0]["code"] == "wa"


def test_what_the_stay_includes_is_not_billable(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    product = hospital.admin.get(f"/api/products/{hospital.gauze}").json() | {"included_in_stay": True}
    assert hospital.admin.put(f"/api/products/{hospital.gauze}", product).is_success
    free, charged = hospital.add_detail(sheet)["id"], hospital.add_detail(sheet, product_id=hospital.cannula)["id"]
    assert hospital.admin.delete(f"{SHEETS}/{sheet}/close").is_success
    seen = {f"ChargeItem/{free}": "not-billable", f"ChargeItem/{charged}": "billable"}
    for path, status in seen.items():
        assert ask(hospital.admin, path)["status"] == status
        # The status would tell which total is 0.
        assert ask(hospital.nurse, path)["status"] == "unknown"
    [line] = ask(hospital.admin, f"Invoice/{sheet}-1")["lineItem"]
    assert line["chargeItemReference"]["reference"] == f"ChargeItem/{charged}"


@ON_EVERY_DATABASE
def test_following_next_links_finds_everything_once(hospital: Hospital) -> None:
    for number in range(7):
        hospital.admin.post("/api/patients", {"name": f"P{number}", "first_surname": "Soto", "active": 1})
    everybody = [one["id"] for one in hospital.admin.get("/api/patients?limit=100&sort=id").json()["items"]]
    assert list(walk(hospital.admin, "Patient?_count=3")) == list(map(str, sorted(everybody)))
    places = list(walk(hospital.admin, "Location?_count=1"))
    assert len(places) == len(set(places)) == 4
    assert ask(hospital.admin, "Patient?family=soto&_total=accurate&_count=2")["total"] == 7
    assert ask(hospital.admin, "Patient?family=soto&_summary=count") == {
        "resourceType": "Bundle",
        "type": "searchset",
        "link": [{"relation": "self", "url": f"{PUBLIC_ADDRESS}/fhir/R4/Patient?family=soto&_summary=count"}],
        "total": 7,
    }


def test_links_use_the_public_address_for_any_host_header(hospital: Hospital) -> None:
    for path in ("Patient?_count=1", "Patient?_summary=count", "Encounter?patient=7", "metadata"):
        for headers in ({}, {"host": "evil.test"}, {"host": "evil.test", "x_forwarded_host": "evil.test"}):
            reported = ask(hospital.admin, path, **headers)
            links = [link["url"] for link in reported.get("link", ())]
            links += [entry["fullUrl"] for entry in reported.get("entry", ())]
            links += [reported["implementation"]["url"]] if path == "metadata" else []
            assert links
            assert all(link.startswith(f"{PUBLIC_ADDRESS}{BASE}") for link in links), links
            assert "evil" not in str(reported)


def test_errors_are_operation_outcomes_in_any_path_spelling(hospital: Hospital) -> None:
    answer = hospital.admin.get("http://testserver.local//fhir//R4/Patient/999999")
    assert (answer.status_code, answer.json()["resourceType"]) == (404, "OperationOutcome")


def test_patient_searches_follow_the_standard(hospital: Hospital) -> None:
    luz = {"name": "Luz María", "first_surname": "Ibáñez", "second_surname": "Soto", "active": 1}
    born = luz | {"record_number": "E-77", "date_of_birth": "1958-07-30"}
    known = str(hospital.admin.post("/api/patients", born).json()["id"])
    for query, expected in {
        "family=ibanez": True,
        "family=bañ": False,
        "family:contains=bañ": True,
        "family:exact=ibáñez": False,
        "family:exact=Ibáñez": True,
        "family=sot": True,
        "given=maria": True,
        "name=luz": True,
        "given=ibanez": False,
        "birthdate=1958-07-30": True,
        "birthdate=1958": True,
        "birthdate=ge1958-07-30": True,
        "birthdate=gt1958-07-30": False,
        "birthdate=lt1958-08": True,
        "birthdate=ne1958": False,
        "identifier=E-77": True,
        "identifier=urn:consumo:record-number|E-77": True,
        "identifier=urn:other|E-77": False,
        "identifier=E-7": False,
        "identifier=E-1,E-77": True,
        "active=true": True,
        "active=false": False,
        f"_id={known}": True,
        "_id=999999": False,
        "family=ibanez&given=luz": True,
        "family=ibanez&given=ana": False,
        "_lastUpdated=ge2020-01-01": True,
        "_lastUpdated=lt2020-01-01": False,
    }.items():
        assert (known in found(ask(hospital.admin, f"Patient?_count=100&{query}"))) is expected, query


@ON_EVERY_DATABASE
def test_a_former_record_number_finds_the_patient_and_sheets(hospital: Hospital) -> None:
    """After two merges each number finds its own record and the one kept."""
    luz = {"name": "Luz", "first_surname": "Gil"}
    sent = [luz | {"record_number": number} for number in ("E-1", "E-2", "E-3")]
    ids = [str(hospital.admin.post("/api/patients", body).json()["id"]) for body in sent]
    sheet = str(hospital.open_sheet(patient_id=int(ids[0])))
    other = str(hospital.open_sheet())
    line = str(hospital.add_detail(int(sheet))["id"])
    hospital.add_detail(int(other))
    for merged, into in (ids[:2], ids[1:]):
        hospital.admin.post(f"/api/patients/{merged}/merge", {"into_id": int(into), "reason": "La misma"})
    for number, expected in {"E-1": [ids[0], ids[2]], "e-2": ids[1:], "E-3": ids[2:], "E-4": []}.items():
        for query in (f"identifier={number}", f"identifier=urn:consumo:record-number|{number}"):
            assert found(ask(hospital.admin, f"Patient?{query}")) == expected
    assert found(ask(hospital.admin, "Patient?identifier=urn:other|E-1")) == []
    hospital.close(int(sheet))
    for number, expected in {"E-1": [sheet], "urn:consumo:record-number|E-3": [sheet], "E-4": []}.items():
        for chain in ("patient.identifier", "subject.identifier", "subject:Patient.identifier"):
            assert found(ask(hospital.admin, f"Encounter?{chain}={number}")) == expected, chain
        assert found(ask(hospital.admin, f"ChargeItem?subject.identifier={number}")) == [line] * len(expected)
        assert found(ask(hospital.admin, f"Invoice?patient.identifier={number}")) == [f"{sheet}-1"] * len(expected)
    assert found(ask(hospital.admin, f"Encounter?subject=Patient/{ids[2]}")) == [sheet]


@pytest.mark.parametrize(
    "moment", ["2026-11-20T14", "2026-11-20T143134", "2026-11-20T14:31:34+0100", "20261120", "٢٠٢٦"]
)
def test_a_date_in_another_format_is_refused(hospital: Hospital, moment: str) -> None:
    assert hospital.admin.get(f"/fhir/R4/Patient?birthdate={moment}").status_code == 400


@ON_EVERY_DATABASE
def test_changed_lines_are_found_by_last_updated(timed_hospital: Hospital, clock: Any) -> None:
    hospital = timed_hospital
    sheet = hospital.open_sheet()
    first, other = hospital.add_detail(sheet)["id"], hospital.add_detail(sheet)["id"]
    clock.advance(minutes=5)
    since = clock.now.isoformat().replace("+00:00", "Z")
    assert found(ask(hospital.admin, f"ChargeItem?_lastUpdated=ge{since}")) == []
    clock.advance(minutes=5)
    hospital.admin.post(f"{DETAILS}/{first}/void", {"reason": "Otro paciente"})
    assert found(ask(hospital.admin, f"ChargeItem?_lastUpdated=ge{since}")) == [str(first)]
    assert str(other) in found(ask(hospital.admin, f"ChargeItem?_lastUpdated=lt{since}"))
    # Reading is not a change.
    hospital.admin.get(f"{SHEETS}/{sheet}")
    assert found(ask(hospital.admin, f"Encounter?_lastUpdated=ge{since}")) == []


def test_a_line_is_found_by_product_day_and_identifier(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet)
    code = hospital.admin.get(f"/api/products/{line['product_id']}").json()["code"]
    day = day_of(datetime.fromisoformat(line["created_at"]), ZONE)
    for query in (
        f"code={code}",
        f"code=urn:consumo:product-code|{code}",
        f"code=urn:consumo:product-id|{line['product_id']}",
        f"context={sheet}",
        f"patient={hospital.patient}",
        f"entered-date=ge{day}",
        f"occurrence=ge{day}&occurrence=le2100",
        f"identifier=urn:consumo:charge|{sheet}-{line['id']}",
    ):
        assert str(line["id"]) in found(ask(hospital.admin, f"ChargeItem?_count=100&{query}")), query
    for query in ("code=nothing", "context=999999", "patient=999999", "occurrence=lt2000", "identifier=1-999999"):
        assert found(ask(hospital.admin, f"ChargeItem?{query}")) == [], query


def test_a_pack_is_a_device_with_a_use_statement(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    pack = {"gtin": "07501031311309", "lot": "L7", "expiry": "2028-05-31", "serial": "S-1"}
    used = {"product_id": hospital.gauze, "quantity": 1, **pack}
    answer = hospital.admin.post(f"{SHEETS}/{sheet}/consumption-details", used)
    assert answer.status_code == 201, answer.text
    line = answer.json()["id"]
    device = ask(hospital.admin, f"Device/line-{line}")
    assert device["udiCarrier"][0]["carrierHRF"] == "(01)07501031311309(17)280531(10)L7(21)S-1"
    assert found(ask(hospital.admin, "Device?udi-di=0750103")) == [f"line-{line}"]
    statement = ask(hospital.admin, f"DeviceUseStatement?device=Device/line-{line}")["entry"][0]["resource"]
    assert (statement["device"]["reference"], statement["status"]) == (f"Device/line-{line}", "completed")
    assert found(ask(hospital.admin, "Device?patient=999999")) == []


@pytest.mark.parametrize(
    ("pack", "element"),
    [({"lot": "L7"}, "lotNumber"), ({"expiry": "2028-05-31"}, "expirationDate"), ({"serial": "S-7"}, "serialNumber")],
)
def test_any_part_of_a_pack_is_a_device(hospital: Hospital, pack: dict[str, str], element: str) -> None:
    used = {"product_id": hospital.gauze, "quantity": 1, **pack}
    answer = hospital.admin.post(f"{SHEETS}/{hospital.open_sheet()}/consumption-details", used)
    assert answer.status_code == 201, answer.text
    line = f"line-{answer.json()['id']}"
    assert ask(hospital.admin, f"Device/{line}")[element] == next(iter(pack.values()))
    assert ask(hospital.admin, f"DeviceUseStatement/{line}")["status"] == "completed"
    assert line in found(ask(hospital.admin, "Device?_count=100"))


@pytest.mark.parametrize(
    ("path", "status", "code", "said"),
    [
        ("Patient/999999", 404, "not-found", ""),
        ("Patient/x", 404, "not-found", ""),
        ("Medication", 404, "not-found", ""),
        ("Location/room-0", 404, "not-found", ""),
        ("Invoice/7-2", 404, "not-found", ""),
        ("Patient?birthdate=30/07/1958", 400, "invalid", "birthdate=30/07/1958"),
        ("Patient?birthdate=ap1958", 400, "invalid", "birthdate=ap1958"),
        ("Patient?birthdate=1958-13", 400, "invalid", "birthdate=1958-13"),
        ("Patient?family:missing=true", 400, "invalid", "family:missing"),
        ("Patient?family=", 400, "invalid", "family"),
        ("Encounter?patient=Practitioner/1", 400, "invalid", "Practitioner/1"),
        ("Patient?_count=many", 400, "invalid", "_count=many"),
        ("Patient?_cursor=x", 400, "invalid", "_cursor"),
        ("Patient?_total=all", 400, "invalid", "_total=all"),
    ],
)
def test_an_invalid_search_is_an_outcome_with_its_reason(
    hospital: Hospital, path: str, status: int, code: str, said: str
) -> None:
    answered = outcome(hospital.admin, path)
    assert answered[:2] == (status, code)
    assert said in answered[2]


def test_an_unknown_parameter_is_refused_if_strict_else_ignored(hospital: Hospital) -> None:
    status, _, said = outcome(hospital.admin, "Patient?gender=female", prefer="handling=strict")
    assert (status, "gender" in said) == (400, True)
    bundle = ask(hospital.admin, "Patient?gender=female&family=r")
    assert bundle["link"][0]["url"].endswith("/fhir/R4/Patient?family=r")


def test_a_search_by_post_equals_a_search_by_get(hospital: Hospital) -> None:
    form = b"active=true&_count=2"
    form_type = {"content_type": "application/x-www-form-urlencoded"}
    answer = hospital.admin.call("POST", f"{BASE}/Patient/_search", form, **form_type)
    assert answer.status_code == 200
    assert answer.json()["entry"] == ask(hospital.admin, "Patient?active=true&_count=2")["entry"]


FORM = {"content_type": "application/x-www-form-urlencoded"}
TOO_MUCH = {
    "values": ("_id=" + ",".join(["7"] * (MAX_VALUES + 1)), f"{MAX_VALUES + 1} values and may have {MAX_VALUES}"),
    "parameters": ("&".join(["_id=7"] * (MAX_VALUES + 1)), f"{MAX_VALUES + 1} values and may have {MAX_VALUES}"),
    "bytes": ("family=" + "x" * MAX_SEARCH_BYTES, f"may have {MAX_SEARCH_BYTES}"),
    "unknown parameters": ("gender=x&" * MAX_SEARCH_BYTES, f"may have {MAX_SEARCH_BYTES}"),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_search_over_the_limits_is_refused(hospital: Hospital, what: str) -> None:
    query, said = TOO_MUCH[what]
    nurse = hospital.nurse.speaking("en")
    answer = nurse.call("POST", f"{BASE}/Patient/_search", query.encode(), **FORM)
    [issue] = answer.json()["issue"]
    assert (answer.status_code, issue["code"]) == (400, "invalid")
    assert said in issue["details"]["text"]
    assert said in outcome(nurse, f"Patient?{query[:60_000]}")[2]


def test_a_search_with_the_maximum_of_values_is_allowed(hospital: Hospital) -> None:
    ids = ",".join([str(hospital.patient)] * MAX_VALUES)
    assert found(ask(hospital.nurse, f"Patient?_id={ids}")) == [str(hospital.patient)]


def test_a_form_has_the_limits_of_other_bodies(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = hospital.nurse.call("POST", f"{BASE}/Patient/_search", b"x" * 1_100_000, **FORM)
    assert (answer.status_code, answer.json()["resourceType"]) == (413, "OperationOutcome")

    async def slow(_: object) -> bytes:
        raise BodyTimeout

    monkeypatch.setattr(ApiRequest, "body", slow)
    answer = hospital.nurse.call("POST", f"{BASE}/Patient/_search", b"family=r", **FORM)
    assert (answer.status_code, answer.json()["resourceType"]) == (408, "OperationOutcome")


def test_denied_calls_are_operation_outcomes(hospital: Hospital) -> None:
    assert outcome(hospital.stranger, "Patient")[:2] == (401, "login")
    no_fhir, _ = a_key(hospital, ["patients.read"])
    assert outcome(no_fhir, "Patient")[:2] == (403, "forbidden")
    only_fhir, _ = a_key(hospital, ["fhir.read"])
    assert outcome(only_fhir, "Patient")[:2] == (403, "forbidden")
    assert ask(only_fhir, "Practitioner")["entry"]


def test_ward_staff_read_no_price_and_no_invoice(hospital: Hospital) -> None:
    sheet, _ = a_stay(hospital)
    assert outcome(hospital.nurse, "Invoice")[:2] == (403, "forbidden")
    assert outcome(hospital.nurse, f"Invoice/{sheet}-1")[:2] == (403, "forbidden")
    assert outcome(hospital.nurse, "AuditEvent")[:2] == (403, "forbidden")
    assert outcome(hospital.nurse, "AuditEvent/1")[:2] == (403, "forbidden")
    for kind in set(TYPES) - {"Invoice", "AuditEvent"}:
        answer = hospital.nurse.get(f"{BASE}/{kind}?_count=100")
        assert answer.status_code == 200
        for word in ("price", "Money", "MXN", "total", "category"):
            assert word not in answer.text, (kind, word)
    assert "priceOverride" in hospital.supervisor.get(f"{BASE}/ChargeItem").text


def test_reads_of_patients_are_audited(hospital: Hospital) -> None:
    program, _ = a_key(hospital, ["fhir.read", "patients.read"])
    ask(program, f"Patient/{hospital.patient}")
    list(walk(program, "Patient?_count=1"))
    entries = hospital.admin.get(f"/api/audit?entity=patient&user_id={program.user_id}").json()["items"]
    assert ("patient.read", hospital.patient) in [(entry["action"], entry["entity_id"]) for entry in entries]
    assert "patient.listed" in [entry["action"] for entry in entries]
