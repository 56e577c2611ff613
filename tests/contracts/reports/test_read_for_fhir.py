"""Contract of every store: reads for FHIR, by ids and by last change.

Invoices must add up.
"""

from datetime import timedelta
from decimal import Decimal

import pytest

from adapters.fhir import search as fhir_search
from adapters.fhir.narrowing import SearchContext
from adapters.fhir.search import Found, search
from adapters.fhir.search_parameters import BadSearch, split
from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.paging import ListQuery
from application.people.views import PatientQuery
from application.reports.read_for_fhir import AREAS, CHARGES, ENCOUNTERS
from application.sheets.detail_views import DetailQuery, Voided
from application.sheets.lines.void_details import VoidDraft
from application.sheets.transfer_patient import TransferDraft
from application.sheets.views import SheetQuery
from tests.builders import ZONE, Ward
from tests.hl7.messages import NUMBER, a_post, adt, patient_of, the_sheet


def test_paging_by_id_includes_rows_added_meanwhile(ward: Ward) -> None:
    for number in range(5):
        ward.patient(f"P{number}", "Soto")
    page = ward.use_cases.patients.reader.page(ward.admin, PatientQuery(behind=0, limit=2, merged=None))
    reported = [item["id"] for item in page["items"]]
    added = ward.patient("Último", "Soto").id
    while "next" in page["meta"]:
        page = ward.use_cases.patients.reader.page(
            ward.admin, PatientQuery(behind=int(page["meta"]["next"]), limit=2, merged=None)
        )
        reported += [item["id"] for item in page["items"]]
    assert reported == sorted(reported)
    assert reported[-1] == added
    assert len(reported) == 7


def test_a_former_record_number_finds_the_patient(ward: Ward) -> None:
    """This includes a patient without a given name: FHIR allows no empty one."""
    post = a_post(ward)
    post.send(adt("A28", number="OLD", name="RN de Paz^", visit=None))
    post.send(adt("A40", prior="OLD", visit=None, at=post.after(hours=1)))
    patient = patient_of(ward)
    context = SearchContext(ward.use_cases, ward.admin, "USD", ZONE)
    for number in ("OLD", "old", NUMBER):
        assert ward.use_cases.fhir.find_patients_by_number(ward.admin, number) == {patient.id: patient.id}
        [found] = search(context, "Patient", [split("identifier", number)], count=10, cursor=None).resources
        assert found["id"] == str(patient.id)


def test_a_read_by_ids_returns_the_existing_ones(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    lines = [ward.detail(sheet)["id"] for _ in range(3)]
    ward.use_cases.details.void(ward.admin, lines[1], VoidDraft(reason="Otro paciente"))
    asked = frozenset({*lines, 10**9})
    query = DetailQuery(behind=0, ids=asked)
    assert [one["id"] for one in ward.use_cases.details.reader.page(ward.admin, query)["items"]] == [lines[0], lines[2]]
    query = DetailQuery(behind=0, ids=asked, voided=Voided.INCLUDE)
    assert [one["id"] for one in ward.use_cases.details.reader.page(ward.admin, query)["items"]] == lines
    none = DetailQuery(behind=0, ids=frozenset())
    assert ward.use_cases.details.reader.page(ward.admin, none)["items"] == []


def test_open_and_closed_sheets_are_read_together_with_stays(ward: Ward) -> None:
    first, second = ward.sheet()["id"], ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, first)
    room = RoomDraft(name="205", status=1, type=1, area_id=ward.area_id)
    there = ward.use_cases.rooms.create(ward.admin, room).id
    ward.use_cases.sheets.transfer_patient(ward.admin, second, TransferDraft(room_id=there))
    reported = ward.use_cases.sheets.reader.page(ward.admin, SheetQuery(closed=None, behind=0))["items"]
    assert [(one["id"], one["closed"]) for one in reported] == [(first, True), (second, False)]
    assert [[stay["room"]["id"] for stay in one["stays"]] for one in reported] == [
        [ward.room_id],
        [ward.room_id, there],
    ]
    assert reported[1]["stays"] == ward.use_cases.sheets.reader.one(ward.admin, second)["stays"]


def test_details_of_a_patient_are_found_on_all_of_their_sheets(ward: Ward) -> None:
    other = ward.patient("Eva", "Sol").id
    lines = [ward.detail(ward.sheet()["id"])["id"] for _ in range(2)]
    ward.detail(ward.sheet(patient_id=other)["id"])
    query = DetailQuery(behind=0, patient_id=ward.patient_id)
    assert [one["id"] for one in ward.use_cases.details.reader.page(ward.admin, query)["items"]] == lines


def test_last_change_ignores_reads(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Hemodiálisis")).id
    made = ward.clock.now
    ward.clock.now += timedelta(hours=1)
    last = ward.use_cases.fhir.read_last_changes
    sheet = ward.sheet()["id"]
    opened = ward.clock.now
    ward.clock.now += timedelta(hours=1)
    ward.use_cases.sheets.reader.one(ward.nurse, sheet)
    ward.use_cases.sheets.print(ward.nurse, sheet)
    assert last(ward.admin, AREAS, [area, 10**9]) == {area: made}
    assert last(ward.admin, ENCOUNTERS, [sheet]) == {sheet: opened}
    assert last(ward.admin, ENCOUNTERS, []) == {}
    ward.use_cases.areas.update(ward.admin, area, AreaDraft(name="Diálisis"))
    assert last(ward.admin, AREAS, [area]) == {area: ward.clock.now}
    assert last.since(ward.admin, AREAS, made, None, behind=0, most=9)[-1] == area
    assert last.since(ward.admin, AREAS, opened, None, behind=0, most=9) == [area]
    assert last.since(ward.admin, AREAS, opened, ward.clock.now, behind=0, most=9) == []
    assert last.since(ward.admin, AREAS, made, None, behind=area, most=9) == []
    line = ward.detail(sheet)["id"]
    assert last.since(ward.admin, CHARGES, opened, None, behind=0, most=1) == [line]


def asking(ward: Ward, kind: str, *asked: str, count: int = 100, cursor: str | None = None) -> Found:
    given = [split(*one.split("=", 1)) for one in asked]
    return search(SearchContext(ward.use_cases, ward.admin, "USD", ZONE), kind, given, count=count, cursor=cursor)


def test_a_search_by_gtin_has_no_empty_page_before_the_last(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.fhir.search.MAX_LOOKED_AT", 2)
    sheet = ward.sheet()["id"]
    for gtin in (None, "07501031311309"):
        for _ in range(5):
            ward.detail(sheet, gtin=gtin)
    lines = [f"line-{ward.detail(sheet, gtin=gtin)['id']}" for gtin in ("04006381333931", "00012345678905")]
    for asked, expected in (
        (["udi-di=04006381333931"], lines[:1]),
        (["udi-di=0400638"], lines[:1]),
        (["udi-di:exact=04006381333931"], lines[:1]),
        (["udi-di:contains=6381"], lines[:1]),
        (["udi-di=04006381333931,00012345678905"], lines),
        (["udi-di=0", "udi-di:contains=2345"], lines[1:]),
        (["udi-di=%"], []),
        (["udi-di=_4006381333931"], []),
        (["udi-di=04006381333932"], []),
    ):
        page = asking(ward, "Device", *asked)
        reported = [device["id"] for device in page.resources]
        while page.following:
            assert page.resources, asked
            page = asking(ward, "Device", *asked, cursor=page.following)
            reported += [device["id"] for device in page.resources]
        assert reported == expected, asked


def test_invoices_add_up_and_a_new_closing_replaces_the_last_one(ward: Ward) -> None:
    one, other = ward.sheet()["id"], ward.sheet()["id"]
    odd = ward.product("Suero", "0.33").id
    for quantity in ("0.333", "3", "1.005"):
        ward.detail(one, quantity, product_id=odd)
    ward.detail(other)
    ward.use_cases.sheets.close(ward.admin, one)
    ward.use_cases.sheets.reopen(ward.admin, one, ReopenDraft(reason="Faltaba uno"))
    [reactivate] = asking(ward, "Invoice").resources
    assert reactivate["status"] == "cancelled"
    ward.detail(one, "7", product_id=odd)
    ward.clock.now += timedelta(minutes=5)
    ward.use_cases.sheets.close(ward.admin, one)
    ward.use_cases.sheets.close(ward.admin, other)
    reported = asking(ward, "Invoice").resources
    assert [(invoice["id"], invoice["status"]) for invoice in reported] == [
        (f"{one}-1", "cancelled"),
        (f"{one}-2", "issued"),
        (f"{other}-1", "issued"),
    ]
    for invoice in reported:
        parts = [part for line in invoice["lineItem"] for part in line["priceComponent"]]
        added = sum((part["factor"] * part["amount"]["value"] for part in parts), Decimal(0))
        assert added == invoice["totalGross"]["value"]
    assert [one["id"] for one in asking(ward, "Invoice", "status=issued").resources] == [f"{one}-2", f"{other}-1"]
    first = asking(ward, "Invoice", count=2)
    rest = asking(ward, "Invoice", count=2, cursor=first.following)
    assert [one["id"] for one in (*first.resources, *rest.resources)] == [invoice["id"] for invoice in reported]
    assert asking(ward, "Invoice", "patient=999").resources == []


def some_areas(ward: Ward, number: int) -> None:
    for each in range(number):
        ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Planta {each}"))


def test_changed_rows_outside_the_list_count_as_looked_at(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    some_areas(ward, 9)
    for area in ward.use_cases.areas.reader.page(ward.admin, ListQuery(limit=100))["items"]:
        if area["name"].startswith("Planta"):
            ward.use_cases.areas.delete(ward.admin, area["id"])
    monkeypatch.setattr("adapters.fhir.search.MAX_PAGE_SIZE", 2)
    monkeypatch.setattr("adapters.fhir.search.MAX_LOOKED_AT_UNTIL_FOUND", 4)
    page = asking(ward, "Location", "_lastUpdated=ge2000", "name=Planta", cursor="0.1")
    assert (page.resources, page.looked_at) == ([], 4)
    pages = 1
    while page.following:
        page = asking(ward, "Location", "_lastUpdated=ge2000", "name=Planta", cursor=page.following)
        pages += 1
    assert pages > 2


def test_a_search_without_matches_stops_at_the_scan_limit(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = ward.sheet()["id"]
    for _ in range(6):
        ward.detail(sheet, gtin="07501031311309")
    monkeypatch.setattr("adapters.fhir.search.MAX_LOOKED_AT", 2)
    monkeypatch.setattr("adapters.fhir.search.MAX_LOOKED_AT_UNTIL_FOUND", 4)
    # An empty first page with a next one would be taken for the end.
    with pytest.raises(BadSearch, match="none_matches"):
        asking(ward, "Device", "udi-di:contains=99")
    page = asking(ward, "Device", "udi-di:contains=99", cursor="0.1")
    assert (page.resources, page.looked_at, page.following is None) == ([], 4, False)


def test_counting_stops_at_the_scan_limit(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    some_areas(ward, 9)
    monkeypatch.setattr("adapters.fhir.search.MAX_PAGE_SIZE", 1)
    context = SearchContext(ward.use_cases, ward.admin, "USD", ZONE)
    asked = [split("name", "Planta 8,Sótano")]
    assert fhir_search.count(context, "Location", asked, most=100) == 1
    assert fhir_search.count(context, "Location", asked, most=3) is None


def test_an_encounter_has_the_class_of_its_messages(ward: Ward) -> None:
    post = a_post(ward)
    post.send(adt("A04", patient_class="E"))
    post.send(adt("A01", visit="V-8", number="8", name="Sol^Eva"))
    ward.sheet()
    context = SearchContext(ward.use_cases, ward.admin, "USD", ZONE)
    found = search(context, "Encounter", [], count=10).resources
    assert [one["class"]["code"] for one in found] == ["EMER", "IMP", "IMP"]
    before = ward.clock()
    ward.clock.advance(hours=1)
    post.send(adt("A06", at=ward.clock()))
    since = split("_lastUpdated", f"gt{before:%Y-%m-%dT%H:%M:%SZ}")
    [changed] = search(context, "Encounter", [since], count=10).resources
    assert changed["class"]["code"] == "IMP"


def test_a_class_that_changes_after_the_closing_is_polled(ward: Ward) -> None:
    post = a_post(ward)
    post.send(adt("A04", patient_class="E"))
    ward.use_cases.sheets.close(ward.admin, the_sheet(ward).id)
    before = ward.clock()
    ward.clock.advance(hours=1)
    post.send(adt("A08", at=ward.clock(), location=None))
    since = split("_lastUpdated", f"gt{before:%Y-%m-%dT%H:%M:%SZ}")
    context = SearchContext(ward.use_cases, ward.admin, "USD", ZONE)
    [changed] = search(context, "Encounter", [since], count=10).resources
    assert changed["class"]["code"] == "IMP"
