"""FHIR over HTTP: refused parameters, references, order and headers."""

from typing import Any

import pytest

from adapters.fhir.includes import INCLUDES
from adapters.fhir.query import SELECTING
from adapters.fhir.resource_types import SEARCHABLE, TYPES
from adapters.fhir.sorting import SORTS
from tests.fhir.oracles import search_parameters
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, PUBLIC_ADDRESS, SHEETS, Hospital, a_key
from tests.http.interop.test_fhir import BASE, FORM, a_stay, ask, found, outcome, walk

HERE = f"{PUBLIC_ADDRESS}{BASE}"


# --- parameters that are not supported -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ("Encounter?subject.name=Luz", "subject.name"),
        ("Encounter?subject:Patient.name=Luz", "subject:Patient.name"),
        ("Encounter?patient.family=Luz&status=finished", "patient.family"),
        ("Encounter?practitioner=3&_lastUpdated=ge2020", "practitioner"),
        ("Encounter?part-of=7&_id=7", "part-of"),
        ("Patient?_has:Encounter:patient:status=finished&family=r", "_has:Encounter:patient:status"),
        ("Patient?_filter=name eq Luz&family=r", "_filter"),
        ("Patient?gender=female", "gender"),
        ("Patient?pacient=7", "pacient"),
        ("Patient?gender=female&_count=5", "gender"),
        ("Practitioner?identifier=7&name=r", "identifier"),
        ("Practitioner?patient=7", "patient"),
        ("Location?subject=7&name=r", "subject"),
        ("Patient?_include:iterate=Patient:link", "_include:iterate"),
        ("Patient?_include=Encounter:subject", "_include=Encounter:subject"),
        ("Encounter?_include=Encounter:subject:Group", "Group"),
        ("Patient?_sort=gender", "_sort=gender"),
        ("Patient?_sort=family:asc", "_sort=family:asc"),
    ],
)
def test_a_parameter_that_would_widen_the_answer_is_refused(hospital: Hospital, query: str, refused: str) -> None:
    status, code, said = outcome(hospital.admin, query)
    assert (status, code) == (400, "invalid")
    assert refused in said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "No se entendió la búsqueda: _count=x no es un número: envíe uno de 0 a 100."),
        ("en", "The search was not understood: _count=x is no number: send one from 0 to 100."),
    ],
)
def test_a_refused_search_is_told_in_one_language(hospital: Hospital, language: str, said: str) -> None:
    assert outcome(hospital.admin.speaking(language), "Patient?_count=x")[2] == said


@pytest.mark.parametrize(
    ("query", "honoured"),
    [
        ("Patient?gender=female&family=r", "Patient?family=r"),
        ("Encounter?class=IMP&_lastUpdated=ge2020", "Encounter?_lastUpdated=ge2020"),
        ("Patient?_elements=name&_pretty=true", "Patient"),
        ("Patient?_revinclude=Encounter:subject&family=r", "Patient?family=r"),
    ],
)
def test_other_unknown_parameters_are_ignored_unless_strict(hospital: Hospital, query: str, honoured: str) -> None:
    assert ask(hospital.admin, query)["link"][0]["url"] == f"{HERE}/{honoured}"
    assert ask(hospital.admin, query, prefer="handling=lenient")["link"][0]["url"] == f"{HERE}/{honoured}"
    assert outcome(hospital.admin, query, prefer="return=minimal, handling=strict")[0] == 400


@pytest.mark.parametrize("kind", TYPES)
def test_each_standard_reference_is_supported_or_refused(kind: str) -> None:
    references = {name for name, of_type in search_parameters()[kind].items() if of_type == "reference"}
    assert references <= SELECTING | set(SEARCHABLE[kind])


@pytest.mark.parametrize("kind", TYPES)
def test_orders_and_includes_are_standard(kind: str) -> None:
    standard = {**search_parameters()["Resource"], **search_parameters()[kind]}
    assert set(SORTS[kind]) <= set(standard)
    assert {name for name in INCLUDES[kind] if standard[name] == "reference"} == set(INCLUDES[kind])


# --- references ------------------------------------------------------------------------------------------------------


def a_scanned_line(hospital: Hospital, sheet: int) -> int:
    pack = {"gtin": "07501031311309", "serial": "S-1"}
    answer = hospital.admin.post(
        f"{SHEETS}/{sheet}/consumption-details", {"product_id": hospital.gauze, "quantity": 1, **pack}
    )
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


@ON_EVERY_DATABASE
def test_a_subject_is_taken_wherever_a_patient_is(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = a_scanned_line(hospital, sheet)
    hospital.close(sheet)
    number = hospital.admin.get(f"/api/patients/{hospital.patient}").json()["record_number"]
    ids = {
        "Encounter": f"{sheet}",
        "ChargeItem": f"{line}",
        "Device": f"line-{line}",
        "DeviceUseStatement": f"line-{line}",
        "Invoice": f"{sheet}-1",
    }
    # A patient has many entries of the audit log.
    assert set(ids) == {kind for kind in TYPES if "patient" in SEARCHABLE[kind]} - {"AuditEvent"}
    for kind, expected in ids.items():
        for name in ("subject", "patient"):
            for value in (f"{hospital.patient}", f"Patient/{hospital.patient}", f"{HERE}/Patient/{hospital.patient}"):
                assert found(ask(hospital.admin, f"{kind}?{name}={value}")) == [expected], (kind, name, value)
            assert found(ask(hospital.admin, f"{kind}?{name}=999999")) == []
            if number:
                assert found(ask(hospital.admin, f"{kind}?{name}.identifier={number}")) == [expected]


@pytest.mark.parametrize("server", ["https://other.example/fhir", "http://localhost/fhir/R4", f"{PUBLIC_ADDRESS}/fhir"])
def test_a_reference_to_another_server_matches_nothing(hospital: Hospital, server: str) -> None:
    sheet, _ = a_stay(hospital)
    patient, other = hospital.patient, f"{server}/Patient/{hospital.patient}"
    for query in (
        f"Encounter?patient={other}",
        f"Encounter?subject={other}",
        f"ChargeItem?patient={other}&context={sheet}",
        f"ChargeItem?context={server}/Encounter/{sheet}",
        f"Invoice?subject={other}",
        f"Device?patient={other}",
        f"Location?partof={server}/Location/area-1",
        f"Encounter?location={server}/Location/area-1",
        f"Encounter?_lastUpdated=ge2000&patient={other}",
    ):
        bundle = ask(hospital.admin, f"{query}&_total=accurate")
        assert (found(bundle), bundle["total"], len(bundle["link"])) == ([], 0, 1), query
    # Of two alternatives the other one matches.
    assert found(ask(hospital.admin, f"Encounter?patient={other},Patient/{patient}")) == [f"{sheet}"]
    no_sheets, _ = a_key(hospital, ["fhir.read"])
    assert outcome(no_sheets, f"Encounter?patient={other}")[0] == 403


def includes_of(bundle: dict[str, Any]) -> list[str]:
    return [
        f"{entry['resource']['resourceType']}/{entry['resource']['id']}"
        for entry in bundle.get("entry", [])
        if entry["search"]["mode"] == "include"
    ]


@ON_EVERY_DATABASE
def test_references_are_included_once(hospital: Hospital) -> None:
    sheet, _ = a_stay(hospital)
    patient = f"Patient/{hospital.patient}"
    query = f"ChargeItem?context={sheet}&_total=accurate"
    bundle = ask(hospital.admin, f"{query}&_include=ChargeItem:subject&_include=ChargeItem:context:Encounter")
    assert includes_of(bundle) == [patient, f"Encounter/{sheet}"]
    assert bundle["total"] == 2
    assert [entry["fullUrl"] for entry in bundle["entry"]][-2:] == [f"{HERE}/{patient}", f"{HERE}/Encounter/{sheet}"]
    assert "_include=ChargeItem%3Asubject" in bundle["link"][0]["url"]
    everything = includes_of(ask(hospital.admin, f"Encounter?_id={sheet}&_include=*"))
    assert everything[0] == patient
    assert everything[1].startswith("Location/room-")
    # An area is a result itself, and not included again.
    assert includes_of(ask(hospital.admin, "Location?_include=Location:partof&_count=100")) == []
    assert includes_of(ask(hospital.admin, "Location?_id=room-1&_include=Location:partof"))[0].startswith(
        "Location/area-"
    )


def test_an_include_needs_the_permission_to_read_it(hospital: Hospital) -> None:
    sheet, _ = a_stay(hospital)
    program, _ = a_key(hospital, ["fhir.read", "sheets.read"])
    assert found(ask(program, f"Encounter?_id={sheet}")) == [f"{sheet}"]
    assert outcome(program, f"Encounter?_id={sheet}&_include=Encounter:subject")[:2] == (403, "forbidden")
    seen = ask(hospital.nurse, f"ChargeItem?context={sheet}&_include=*")
    assert "rice" not in str(seen)
    assert "MXN" not in str(seen)


@ON_EVERY_DATABASE
def test_results_are_sorted_over_all_pages(hospital: Hospital) -> None:
    names = ["Zúñiga", "Ávila", "Mora", "ávila"]
    born = ["1990-01-01", "1980-01-01", None, "1970-01-01"]
    ids = [
        str(
            hospital.admin.post("/api/patients", {"name": "X", "first_surname": name, "date_of_birth": day}).json()[
                "id"
            ]
        )
        for name, day in zip(names, born, strict=True)
    ]
    zuniga, avila, mora, other = ids
    query = "Patient?given=x&_count=1"
    for sort, expected in {
        "family": [avila, other, mora, zuniga],
        "-family": [zuniga, mora, avila, other],
        "family,birthdate": [other, avila, mora, zuniga],
        # Without a date of birth one comes last in both directions.
        "birthdate": [other, avila, zuniga, mora],
        "-birthdate": [zuniga, avila, other, mora],
        "_id": ids,
        "-_id": ids[::-1],
    }.items():
        assert list(walk(hospital.admin, f"{query}&_sort={sort}")) == expected, sort
    assert outcome(hospital.admin, f"{query}&_sort=family&_cursor=x")[0] == 400


def test_lines_and_stays_are_sorted(hospital: Hospital) -> None:
    first, second = (hospital.open_sheet() for _ in range(2))
    lines = [str(hospital.add_detail(sheet)["id"]) for sheet in (first, second, first)]
    for kind in TYPES:
        for name in SORTS[kind]:
            assert ask(hospital.admin, f"{kind}?_sort=-{name}")["resourceType"] == "Bundle"
    assert list(walk(hospital.admin, "ChargeItem?_sort=context,-entered-date")) == [lines[2], lines[0], lines[1]]


def test_too_many_results_are_not_sorted(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.fhir.sorting.MAX_SORTED", 2)
    status, _, said = outcome(hospital.admin.speaking("en"), "Practitioner?_sort=name")
    assert (status, "narrow the search" in said) == (400, True)


# --- HTTP ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["", BASE])
def test_no_smart_configuration_is_served(hospital: Hospital, base: str) -> None:
    for name in ("smart-configuration", "openid-configuration"):
        assert hospital.stranger.get(f"{base}/.well-known/{name}").status_code == 404


def test_a_caller_that_has_a_resource_gets_304(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet)["id"]
    path = f"{BASE}/ChargeItem/{line}"
    first = hospital.admin.get(path)
    etag = first.headers["etag"]
    assert etag.startswith('W/"')
    for sent in (etag, etag.removeprefix("W/"), f'"x", {etag}', "*"):
        again = hospital.admin.get(path, if_none_match=sent)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    # Another caller sees other elements.
    assert hospital.nurse.get(path, if_none_match=etag).status_code == 200
    hospital.admin.post(f"{DETAILS}/{line}/void", {"reason": "Otro paciente"})
    changed = hospital.admin.get(path, if_none_match=etag)
    assert (changed.status_code, changed.json()["status"]) == (200, "entered-in-error")
    assert changed.headers["etag"] != etag


def test_head_returns_the_headers_of_a_read(hospital: Hospital) -> None:
    path = f"{BASE}/Patient/{hospital.patient}"
    read, head = hospital.admin.get(path), hospital.admin.call("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "content-type"):
        assert head.headers[name] == read.headers[name]
    assert hospital.admin.call("HEAD", path, if_none_match=read.headers["etag"]).status_code == 304
    assert hospital.admin.call("HEAD", f"{BASE}/Patient/999999").status_code == 404
    assert hospital.stranger.call("HEAD", path).status_code == 401


ACCEPTABLE = {
    "application/fhir+json": True,
    "application/fhir+json; fhirVersion=4.0": True,
    "application/json;q=0.5, application/fhir+xml": True,
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": True,
    "application/*": True,
    "application/fhir+xml": False,
    "application/xml, text/xml": False,
    "text/turtle": False,
    "application/fhir+json;q=0, application/xml": False,
    "application/fhir+json; fhirVersion=3.0": False,
}


@pytest.mark.parametrize("accept", ACCEPTABLE)
def test_only_json_is_answered(hospital: Hospital, accept: str) -> None:
    for path in (f"Patient/{hospital.patient}", "Patient", "metadata"):
        answer = hospital.admin.get(f"{BASE}/{path}", accept=accept)
        assert answer.status_code == (200 if ACCEPTABLE[accept] else 406)
        assert answer.json()["resourceType"] == "OperationOutcome" or ACCEPTABLE[accept]


def test_a_format_wins_over_the_header(hospital: Hospital) -> None:
    for path in (f"Patient/{hospital.patient}", "Patient", "metadata"):
        for wanted in ("json", "application/json", "application/fhir+json", "application/fhir%2Bjson", "text/json"):
            ask(hospital.admin, f"{path}?_format={wanted}", accept="application/fhir+xml")
        for wanted in ("xml", "application/fhir+xml", "ttl", "x", ""):
            assert outcome(hospital.admin, f"{path}?_format={wanted}")[:2] == (406, "not-supported")
    answer = hospital.admin.call("POST", f"{BASE}/Patient/_search", b"_format=xml", **FORM)
    assert (answer.status_code, answer.json()["resourceType"]) == (406, "OperationOutcome")


def test_401_names_the_scheme(hospital: Hospital) -> None:
    for path in (f"{BASE}/Patient", SHEETS):
        assert hospital.stranger.get(path).headers["www-authenticate"] == 'Bearer realm="Consumo"'
    assert "www-authenticate" not in hospital.nurse.get(f"{BASE}/Invoice").headers


def test_a_deleted_resource_is_410(hospital: Hospital) -> None:
    sheet, line = a_stay(hospital)
    assert hospital.admin.delete(f"{SHEETS}/{sheet}").is_success
    for path in (f"Encounter/{sheet}", f"ChargeItem/{line}", f"Invoice/{sheet}-1"):
        assert outcome(hospital.admin, path)[:2] == (410, "deleted"), path
    # The sheet's prices are none of the nurse's business, deleted or not.
    assert outcome(hospital.nurse, f"Invoice/{sheet}-1")[:2] == (403, "forbidden")
    [gone] = [entry["resource"] for entry in ask(hospital.nurse, "Encounter?_lastUpdated=ge2000")["entry"]]
    assert gone["status"] == "entered-in-error"
    assert set(gone) == {"resourceType", "id", "meta", "status", "class"}


def test_a_line_moved_to_an_area_is_deleted(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet)["id"]
    page = hospital.admin.post(f"/api/areas/{hospital.emergency}/sheet").json()["id"]
    never = hospital.add_detail(page, use_reason="other")["id"]
    assert found(ask(hospital.admin, "ChargeItem?_lastUpdated=ge2000")) == [str(line)]
    assert outcome(hospital.admin, f"ChargeItem/{never}")[:2] == (404, "not-found")
    moved = {"detail_ids": [line], "to_sheet_id": page, "reason": "Era del área", "use_reason": "cleaning"}
    answer = hospital.admin.post(f"{SHEETS}/{sheet}/move-details", moved)
    assert answer.status_code == 200, answer.text
    assert outcome(hospital.admin, f"ChargeItem/{line}")[:2] == (410, "deleted")
    [gone] = [entry["resource"] for entry in ask(hospital.admin, "ChargeItem?_lastUpdated=ge2000")["entry"]]
    assert (gone["id"], gone["status"]) == (str(line), "entered-in-error")
    back = moved | {"to_sheet_id": sheet}
    back.pop("use_reason")
    assert hospital.admin.post(f"{SHEETS}/{page}/move-details", back).status_code == 200
    assert found(ask(hospital.admin, "ChargeItem?_lastUpdated=ge2000")) == [str(line)]


def give_a_code(hospital: Hospital) -> None:
    answer = hospital.admin.put(f"/api/areas/{hospital.emergency}", {"name": "Urgencias", "code": "U-1"})
    assert answer.status_code == 200, answer.text


SCOPES = ("patients.read", "sheets.read", "catalogue.read", "prices.see")


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in TYPES for name in sorted(SEARCHABLE[kind])])
def test_every_parameter_is_answered_for_every_caller(hospital: Hospital, kind: str, name: str) -> None:
    """A search that reads a redacted field would fail for some of them."""
    give_a_code(hospital)
    hospital.add_detail(hospital.open_sheet(), quantity=1, serial="S-1", lot="L-1")
    keys = [("fhir.read", scope) for scope in SCOPES] + [("fhir.read", *SCOPES[:3]), ("fhir.read", *SCOPES)]
    callers = [hospital.nurse, hospital.supervisor, hospital.admin, *(a_key(hospital, key)[0] for key in keys)]
    for caller in callers:
        for value in ("1", "U-1", "|U-1", "2026-01-01", "Patient/1", "true"):
            answer = caller.get(f"/fhir/R4/{kind}?{name}={value}")
            assert answer.status_code in (200, 400, 403), (caller, value, answer.text)


def test_ward_staff_find_an_area_by_its_code(hospital: Hospital) -> None:
    give_a_code(hospital)
    found = hospital.nurse.get("/fhir/R4/Location?identifier=U-1").json()
    assert [one["resource"]["id"] for one in found["entry"]] == [f"area-{hospital.emergency}"]
    assert hospital.nurse.get(f"/api/areas/{hospital.emergency}").json()["code"] == "U-1"
