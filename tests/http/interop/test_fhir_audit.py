"""The audit log as FHIR AuditEvents."""

import json
from typing import Any

from adapters.fhir.audit_events import ACTION
from tests.http.hospital import DETAILS, Hospital, a_key
from tests.http.interop.test_fhir import a_stay, ask, found, outcome, walk

HOSTILE = 'Ana|Paz=]"\\ <13>1'


def the_patient(event: dict[str, Any]) -> list[str]:
    return [about["what"]["reference"] for about in event["entity"] if "reference" in about.get("what", {})]


def test_only_readers_of_the_audit_log_read_it(hospital: Hospital) -> None:
    a_stay(hospital)
    allowed, _ = a_key(hospital, ["fhir.read", "audit.read"])
    others = [a_key(hospital, ["fhir.read", "sheets.read", "patients.read"])[0], a_key(hospital, ["audit.read"])[0]]
    for caller in (hospital.nurse, hospital.supervisor, *others):
        assert outcome(caller, "AuditEvent")[:2] == (403, "forbidden")
        assert outcome(caller, "AuditEvent/1")[:2] == (403, "forbidden")
        assert outcome(caller, "AuditEvent?_lastUpdated=ge2000&_sort=date")[:2] == (403, "forbidden")
    assert found(ask(allowed, "AuditEvent")) == found(ask(hospital.admin, "AuditEvent"))
    assert ask(allowed, "AuditEvent/1")["id"] == "1"


def test_following_pages_finds_each_entry_once(hospital: Hospital) -> None:
    a_stay(hospital)
    everything = [str(entry["id"]) for entry in hospital.admin.get("/api/audit?limit=100").json()["items"]][::-1]
    assert len(everything) == 5
    for query in ("", "&_lastUpdated=ge2000", "&date=ge2000"):
        assert list(walk(hospital.admin, f"AuditEvent?_count=2{query}"))[: len(everything)] == everything
    assert list(walk(hospital.admin, "AuditEvent?_count=3&_sort=-date"))[-1] == everything[0]


def test_entries_are_found_by_their_moment(timed_hospital: Hospital, clock: Any) -> None:
    hospital = timed_hospital
    clock.advance(minutes=1)
    sheet = hospital.open_sheet()
    clock.advance(minutes=1)
    begun = clock.now.isoformat().replace("+00:00", "Z")
    line = hospital.add_detail(sheet)["id"]
    clock.advance(minutes=1)
    hospital.admin.post(f"{DETAILS}/{line}/void", {"reason": HOSTILE})
    for name in ("date", "_lastUpdated"):
        [added, *_, voided] = ask(hospital.admin, f"AuditEvent?{name}=ge{begun}")["entry"]
        assert added["resource"]["subtype"][0]["code"] == "detail.added"
        assert added["resource"]["meta"]["lastUpdated"] == added["resource"]["recorded"] == begun
        assert voided["resource"]["subtype"][0]["code"] == "detail.voided"
        assert ask(hospital.admin, f"AuditEvent?{name}=gt{begun}&{name}=lt2000")["resourceType"] == "Bundle"
        assert found(ask(hospital.admin, f"AuditEvent?{name}=gt{begun}"))[-1] == voided["resource"]["id"]
        assert found(ask(hospital.admin, f"AuditEvent?{name}=lt2000")) == []
    assert found(ask(hospital.admin, f"AuditEvent?_id={voided['resource']['id']}")) == [voided["resource"]["id"]]
    details = {one["type"]: json.loads(one["valueString"]) for one in voided["resource"]["entity"][0]["detail"]}
    assert HOSTILE in [after for _, after in details.values()]


def test_entries_are_found_by_patient_and_action(hospital: Hospital) -> None:
    a_stay(hospital)
    events = [entry["resource"] for entry in ask(hospital.admin, f"AuditEvent?patient={hospital.patient}")["entry"]]
    assert {reference for event in events for reference in the_patient(event)} == {f"Patient/{hospital.patient}"}
    opened = ask(hospital.admin, f"AuditEvent?subtype={ACTION}|sheet.opened&_include=AuditEvent:patient")
    assert [one["resource"]["resourceType"] for one in opened["entry"]] == ["AuditEvent", "Patient"]
    assert found(ask(hospital.admin, "AuditEvent?patient=999,none")) == []
    assert found(ask(hospital.admin, "AuditEvent?patient.identifier=X-1,X-2")) == []
    assert outcome(hospital.admin, "AuditEvent?agent=Practitioner/1&date=ge2000")[0] == 400


def test_a_failed_sign_in_says_who_and_from_where(hospital: Hospital) -> None:
    hospital.stranger.post("/api/auth/login", {"email": "nurse@x.test", "password": "wrong-password-1"})
    [entry] = ask(hospital.admin, "AuditEvent?subtype=session.sign_in_failed")["entry"]
    event = entry["resource"]
    assert (event["type"]["code"], event["action"], event["outcome"]) == ("110114", "E", "4")
    [agent] = event["agent"]
    assert agent["network"] == {"address": "testclient", "type": "2"}


def test_a_program_is_an_agent_beside_its_account(hospital: Hospital) -> None:
    program, _ = a_key(hospital, ["fhir.read", "patients.read", "audit.read"])
    ask(program, f"Patient/{hospital.patient}")
    [entry] = ask(hospital.admin, "AuditEvent?subtype=patient.read")["entry"][-1:]
    account, key = entry["resource"]["agent"]
    assert (entry["resource"]["action"], account["requestor"], key["requestor"]) == ("R", True, False)
    assert key["who"]["identifier"]["system"] == "urn:consumo:api-key-id"


def test_without_prices_an_entry_has_no_amount(hospital: Hospital) -> None:
    a_stay(hospital)
    without, _ = a_key(hospital, ["fhir.read", "audit.read"])
    seeing, _ = a_key(hospital, ["fhir.read", "audit.read", "prices.see"])
    assert '"unit_price"' in seeing.get("/fhir/R4/AuditEvent?_count=100").text
    answer = without.get("/fhir/R4/AuditEvent?_count=100").text
    assert '"unit_price"' not in answer
    assert '"total"' not in answer
