"""Contract of every store: searching for people and rooms.

The tests check matches, their order, the exact match and suggestions.
"""

from collections.abc import Callable

import pytest

from application.catalogue.rooms import RoomDraft
from application.catalogue.views import RoomQuery
from application.people.merge_patients import MergeDraft
from application.people.views import PatientQuery
from application.sheets.views import SheetQuery
from domain.sheets.sheet import PatientSheet
from tests.builders import Ward

# Room, given name, surnames, record number, doctor.
SHEETS = [
    ("201", "Rosa", "Ramírez Quevedo", "EXP-2026-0202", "Dra. Vega"),
    ("202", "Marta", "Zamudio Vaca", "EXP-2026-0013", "Dra. Vega"),
    ("202-A", "Luis", "Hernández Cecilio", "EXP-2026-0201", "Dr. Zamora"),
    ("1202", "Noé", "Llanos Gil", "2020202", "Dr. Zamora"),
    ("UCI 3", "Ana", "Gil Ríos", "HC 77", "Dr. Zamora"),
    ("UCI-4", "Ana María", "Gil", None, "Dra. Ramires"),
]


@pytest.fixture
def full(ward: Ward) -> Ward:
    """Return a ward with an open sheet for each of these."""
    for room, name, surnames, number, doctor in SHEETS:
        first, _, second = surnames.partition(" ")
        patient = ward.patient(name, first, second_surname=second or None, record_number=number)
        sheet_room = ward.use_cases.rooms.create(
            ward.admin, RoomDraft(name=room, status=2, type=1, area_id=ward.area_id)
        )
        ward.sheet(patient_id=patient.id, room_id=sheet_room.id, doctor=doctor)
    return ward


def rooms(ward: Ward, q: str) -> tuple[list[str], str | None, list[str]]:
    """Return the rooms of the found, the exact and the suggested sheets."""
    page = ward.use_cases.sheets.search.page(ward.nurse, SheetQuery(q=q))
    return (
        [sheet["room"]["name"] for sheet in page["items"]],
        next((sheet["room"]["name"] for sheet in page["items"] if sheet["id"] == page.get("exact")), None),
        [sheet["room"]["name"] for sheet in page.get("nearest", [])],
    )


FOUND = [
    # An exact room comes first; a number matches a record number only at its end.
    ("202", ["202", "202-A"], "202"),
    ("202a", ["202-A"], "202-A"),
    ("202 A", ["202-A", "202"], "202-A"),
    ("201", ["201"], "201"),
    ("1202", ["1202"], "1202"),
    ("02", [], None),
    ("20", ["202-A", "202", "201"], None),
    ("uci 3", ["UCI 3"], "UCI 3"),
    ("UCI4", ["UCI-4"], "UCI-4"),
    ("uci", ["UCI-4", "UCI 3"], None),
    ("0013", ["202"], None),
    ("0202", ["201"], None),
    ("2026-0013", ["202"], None),
    ("2026", [], None),
    # A whole record number.
    ("exp-2026-0013", ["202"], "202"),
    ("EXP20260013", ["202"], "202"),
    ("2020202", ["1202"], "1202"),
    ("hc 77", ["UCI 3"], "UCI 3"),
    ("hc77", ["UCI 3"], "UCI 3"),
    ("EXP-2026-00", ["202"], None),
    # Names that begin with the words come first, then names that contain them, then doctors.
    ("gil", ["UCI-4", "UCI 3", "1202"], None),
    ("ana", ["UCI-4", "UCI 3"], None),
    ("ramirez", ["201"], "201"),
    ("rami", ["201", "UCI-4"], None),
    ("zamora", ["UCI 3", "1202", "202-A"], None),
    ("ramirez 201", ["201"], None),
    ("zamudio 0013", ["202"], None),
]


@pytest.mark.parametrize(("q", "found", "exact"), FOUND, ids=[q for q, *_ in FOUND])
def test_open_sheets_are_found_by_room_number_and_name(full: Ward, q: str, found: list[str], exact: str | None) -> None:
    assert rooms(full, q)[:2] == (found, exact)


OFFERED = [
    ("zamudo", ["202"]),
    ("samudio", ["202"]),
    ("zamuido", ["202"]),
    ("ramieez", ["201"]),
    ("kebedo", ["201"]),
    # Letters that sound alike do not count as a typing error.
    ("kebdo", ["201"]),
    ("samudo", ["202"]),
    ("ernandes", ["202-A"]),
    ("baca", ["202"]),
    ("sesilio", ["202-A"]),
    ("yanos", ["1202"]),
    ("noe yanoz", ["1202"]),
    ("zamudo 202", ["202"]),
    ("qwertz", []),
    ("ros", []),
    ("zamudo luis", []),
]


@pytest.mark.parametrize(("q", "offered"), OFFERED, ids=[q for q, _ in OFFERED])
def test_similar_names_are_suggested_and_never_exact(full: Ward, q: str, offered: list[str]) -> None:
    found, exact, nearest = rooms(full, q)
    assert (exact, nearest) == (None, offered)
    assert found == ([] if q != "ros" else ["201"])


def test_a_doctors_name_does_not_hide_similar_patients(full: Ward) -> None:
    assert rooms(full, "ramires") == (["UCI-4"], None, ["201"])


def test_two_sheets_in_a_room_are_not_exact(full: Ward) -> None:
    with full.store.read() as views:
        [sheet] = views.sheets.page(SheetQuery(q="202a"))["items"]
    other = full.patient("Eva", "Soto")
    full.sheet(patient_id=other.id, room_id=sheet["room_id"])
    assert rooms(full, "202a") == (["202-A", "202-A"], None, [])
    # A second match that is not on the page counts too.
    page = full.use_cases.sheets.search.page(full.nurse, SheetQuery(q="202a", limit=1))
    assert (len(page["items"]), "exact" in page) == (1, False)
    full.sheet(patient_id=other.id, room_id=full.room_id)
    assert rooms(full, "soto eva") == (["101", "202-A"], None, [])


def test_former_and_visit_numbers_are_exact(full: Ward) -> None:
    with full.store.read() as views:
        [sheet] = views.sheets.page(SheetQuery(q="2020202"))["items"]
    merged = full.patient("Noe", "Yanos", record_number="OLD-1")
    draft = MergeDraft(into_id=sheet["patient_id"], reason="La misma persona", number_end="OLD-1")
    full.use_cases.patients.merge(full.admin, merged.id, draft)
    with full.store.begin() as work:
        stored = work.sheets.get(sheet["id"])
        assert isinstance(stored, PatientSheet)
        stored.visit_number = "V-0009"
        work.sheets.save(stored)
    assert rooms(full, "old-1") == rooms(full, "v-0009") == (["1202"], "1202", [])
    page = full.use_cases.patients.search.page(full.nurse, PatientQuery(q="OLD-1"))
    assert page.get("exact") == sheet["patient_id"]


def test_closed_sheets_are_searched_without_suggestions(full: Ward) -> None:
    with full.store.read() as views:
        sheets = views.sheets.page(SheetQuery())["items"]
    for sheet in sheets:
        full.use_cases.sheets.close(full.admin, sheet["id"])
    page = full.use_cases.sheets.search.page(full.nurse, SheetQuery(q="202", closed=True))
    assert [sheet["room"]["name"] for sheet in page["items"]] == ["202", "202-A"]
    assert "nearest" not in full.use_cases.sheets.search.page(full.nurse, SheetQuery(q="zamudo", closed=True))


def test_a_room_with_exactly_that_name_comes_first(full: Ward) -> None:
    full.use_cases.rooms.create(full.admin, RoomDraft(name="0202", status=2, type=1, area_id=full.area_id))
    with full.store.read() as views:
        found = [room["name"] for room in views.rooms.page(RoomQuery(q="202"))["items"]]
    assert found == ["202", "202-A", "0202", "1202"]


def patients(ward: Ward, q: str, **asked: object) -> tuple[list[str], bool, list[str]]:
    page = ward.use_cases.patients.search.page(ward.nurse, PatientQuery(q=q, **asked))  # type: ignore[arg-type]
    return (
        [patient["first_surname"] for patient in page["items"]],
        "exact" in page,
        [patient["first_surname"] for patient in page.get("nearest", [])],
    )


def test_patients_are_found_by_the_same_rules(full: Ward) -> None:
    assert patients(full, "202") == ([], False, [])
    assert patients(full, "0202") == (["Ramírez"], False, [])
    assert patients(full, "exp-2026-0202") == (["Ramírez"], True, [])
    assert patients(full, "gil") == (["Gil", "Gil", "Llanos"], False, [])
    assert patients(full, "quebedo") == ([], False, ["Ramírez"])
    assert patients(full, "quebedo", active=False) == ([], False, [])
    assert patients(full, "rosa quevedo") == (["Ramírez"], True, [])
    assert patients(full, "rosa queved") == (["Ramírez"], False, [])


def test_suggestions_have_the_same_fields_as_matches(full: Ward) -> None:
    page: Callable[[str], object] = lambda q: full.use_cases.sheets.search.page(full.nurse, SheetQuery(q=q))  # noqa: E731
    offered, found = page("zamudo"), page("zamudio")
    assert offered["nearest"] == found["items"]  # type: ignore[index]
    assert "total" not in offered["nearest"][0]  # type: ignore[index]
