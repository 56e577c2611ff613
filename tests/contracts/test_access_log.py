"""The contract of every store: who looked at a patient's sheet is noted once an hour, and who took it out each time."""

from collections.abc import Callable

import pytest

from application.access_log import hour_of
from application.audit_log import AuditEntry
from application.paging import ListQuery
from application.ports.unit_of_work import StoreUnavailable, UnavailableReason
from application.use_cases import UseCases
from application.views import AuditQuery, DetailQuery, HistoryView, RoomQuery, SheetQuery
from domain.errors import NotFound
from domain.policy import Actor
from tests.builders import Ward, use_cases_on
from tests.contracts.concurrently import at_once

BeginReadOnly = Callable[[UseCases, Actor, int], object]

# All the ways to look at a sheet: one look, however it is looked at.
AT_A_SHEET: dict[str, BeginReadOnly] = {
    "read": lambda uc, who, sheet: uc.sheets.one(who, sheet),
    "its details": lambda uc, who, sheet: uc.list_sheet_details.page(who, DetailQuery(consumption_sheet_id=sheet)),
    "details of all, narrowed": lambda uc, who, sheet: uc.details.page(who, DetailQuery(consumption_sheet_id=sheet)),
    "a detail": lambda uc, who, sheet: uc.details.one(
        who, uc.details.page(who, DetailQuery(consumption_sheet_id=sheet))["items"][0]["id"]
    ),
    "summary": lambda uc, who, sheet: uc.summarize_sheet(who, sheet),
}
# What shows the names of many.
AT_A_LIST: dict[str, tuple[BeginReadOnly, str, str, int]] = {
    "sheets": (
        lambda uc, who, _: uc.sheets.page(who, SheetQuery()),
        "consumption_sheet.listed",
        "consumption_sheet",
        0,
    ),
    "rooms": (lambda uc, who, _: uc.rooms.page(who, RoomQuery()), "room.listed", "room", 0),
    "a room": (lambda uc, who, _: uc.rooms.one(who, 1), "room.read", "room", 1),
    "the overview": (lambda uc, who, _: uc.read_overview(who), "overview.listed", "overview", 0),
}


@pytest.fixture
def sheet(ward: Ward) -> int:
    """A sheet with a detail."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, by=ward.nurse)
    return sheet_id


def readers(ward: Ward, **asked: object) -> list[HistoryView]:
    query = AuditQuery(patient_id=ward.patient_id, limit=100, **asked)  # type: ignore[arg-type]
    return ward.use_cases.read_access_log.page(ward.supervisor, query)["items"]


def noted(ward: Ward) -> list[str]:
    """What the audit log holds, the oldest first."""
    with ward.store.read() as views:
        return [str(entry["action"]) for entry in views.audit.page(AuditQuery(limit=100))["items"]][::-1]


@pytest.mark.parametrize("how", AT_A_SHEET)
def test_however_a_sheet_is_looked_at_it_is_noted_with_its_patient(ward: Ward, sheet: int, how: str) -> None:
    AT_A_SHEET[how](ward.use_cases, ward.nurse, sheet)
    latest = readers(ward)[0]
    assert (latest["action"], latest["entity"], latest["entity_id"]) == (
        "consumption_sheet.read",
        "consumption_sheet",
        sheet,
    )
    assert latest["user"] == {"id": ward.nurse.user_id, "email": "user@consumo.test"}
    assert (latest["person"], latest["patient"], latest["patient_id"]) == ("Nuria Paz", "Ana Ríos", ward.patient_id)
    assert (latest["at"], latest["changes"]) == (ward.clock(), {})


def test_a_person_and_a_sheet_are_noted_once_an_hour(ward: Ward, sheet: int) -> None:
    before = noted(ward)
    for _ in range(3):
        for look in AT_A_SHEET.values():
            look(ward.use_cases, ward.nurse, sheet)
        ward.clock.advance(minutes=19)
    assert noted(ward)[len(before) :] == ["consumption_sheet.read"]
    # In the next hour, by another person, and another sheet: each is a look of its own.
    ward.clock.advance(minutes=4)
    ward.use_cases.sheets.one(ward.nurse, sheet)
    ward.use_cases.sheets.one(ward.supervisor, sheet)
    ward.use_cases.sheets.one(ward.nurse, ward.sheet()["id"])
    assert noted(ward)[len(before) :] == ["consumption_sheet.read"] * 3 + ["sheet.opened", "consumption_sheet.read"]


def test_what_another_process_noted_is_not_noted_again(ward: Ward, sheet: int) -> None:
    before = len(noted(ward))
    others = [use_cases_on(ward.store, clock=ward.clock) for _ in range(6)]
    at_once([lambda uc=uc: uc.sheets.one(ward.nurse, sheet) for uc in others])  # type: ignore[misc]
    assert noted(ward)[before:] == ["consumption_sheet.read"]


def test_what_is_known_of_an_hour_is_dropped_and_the_entry_stays(ward: Ward, sheet: int) -> None:
    ward.use_cases.sheets.one(ward.nurse, sheet)
    before = noted(ward)
    this_hour = hour_of(ward.clock())
    for hour, again in ((this_hour, 0), (this_hour + 1, 1)):
        with ward.store.begin() as work:
            work.audit_log.purge_hours(hour)
        use_cases_on(ward.store, clock=ward.clock).sheets.one(ward.nurse, sheet)
        assert noted(ward) == before + ["consumption_sheet.read"] * again


@pytest.mark.parametrize("what", AT_A_LIST)
def test_what_shows_the_names_of_many_is_noted_once_an_hour(ward: Ward, sheet: int, what: str) -> None:
    look, action, entity, entity_id = AT_A_LIST[what]
    before = len(noted(ward))
    for _ in range(3):
        look(ward.use_cases, ward.nurse, sheet)
    with ward.store.read() as views:
        latest = views.audit.page(AuditQuery(limit=1))["items"][0]
    assert noted(ward)[before:] == [action]
    assert (latest["entity"], latest["entity_id"], latest["patient_id"]) == (entity, entity_id, None)


def test_the_sheets_of_one_patient_are_a_look_at_that_patient(ward: Ward, sheet: int) -> None:
    for closed in (False, True, False):
        ward.use_cases.sheets.page(ward.nurse, SheetQuery(patient_id=ward.patient_id, closed=closed))
    assert [entry["action"] for entry in readers(ward, user_id=ward.nurse.user_id)] == ["patient.sheets_listed"]


def test_rooms_in_which_nobody_lies_show_no_names(ward: Ward) -> None:
    before = noted(ward)
    ward.use_cases.rooms.page(ward.nurse, RoomQuery())
    ward.use_cases.rooms.one(ward.nurse, ward.room_id)
    ward.use_cases.read_overview(ward.nurse)
    assert noted(ward) == before


def test_paper_and_files_are_noted_each_time(ward: Ward, sheet: int) -> None:
    query = DetailQuery(consumption_sheet_id=sheet)
    for _ in range(2):
        ward.use_cases.print_sheet(ward.nurse, sheet)
        list(ward.use_cases.list_sheet_details.every(ward.nurse, query))
        list(ward.use_cases.details.every(ward.nurse, query))
    told = [(entry["action"], entry["entity_id"]) for entry in readers(ward, user_id=ward.nurse.user_id)]
    assert (
        told
        == [("consumption_sheet.exported", sheet), ("consumption_sheet.exported", sheet), ("sheet.printed", sheet)] * 2
    )


def test_looking_at_the_version_for_whoever_polls_shows_nothing_and_is_not_noted(ward: Ward, sheet: int) -> None:
    before = noted(ward)
    ward.use_cases.read_sheet_version(ward.nurse, sheet)
    assert noted(ward) == before


def test_a_sheet_that_is_not_there_cannot_be_looked_at(ward: Ward) -> None:
    before = noted(ward)
    for look in (AT_A_SHEET["read"], AT_A_SHEET["its details"], AT_A_SHEET["summary"]):
        with pytest.raises(NotFound):
            look(ward.use_cases, ward.nurse, 999)
    assert noted(ward) == before


def test_who_opened_and_who_changed_is_told_too_and_nothing_of_another_patient(ward: Ward, sheet: int) -> None:
    other = ward.patient("Luis", "Gil")
    ward.use_cases.sheets.one(ward.nurse, ward.sheet(patient_id=other.id)["id"])
    ward.use_cases.patients.one(ward.supervisor, ward.patient_id)
    ward.use_cases.close_sheet(ward.nurse, sheet)
    told = [entry["action"] for entry in readers(ward)]
    assert told == ["sheet.closed", "patient.read", "sheet.opened", "patient.created"]
    assert all(entry["patient_id"] in (None, ward.patient_id) for entry in readers(ward))


def test_they_come_page_by_page_and_by_person_and_day(ward: Ward, sheet: int) -> None:
    for hours in range(5):
        ward.use_cases.sheets.one((ward.nurse, ward.supervisor)[hours % 2], sheet)
        ward.clock.advance(hours=6)
    everything = readers(ward)
    read = ward.use_cases.read_access_log
    pages = [read.page(ward.admin, AuditQuery(patient_id=ward.patient_id, limit=2, page=n)) for n in range(1, 5)]
    assert [entry for page in pages for entry in page["items"]] == everything
    assert [page["meta"]["total"] for page in pages] == [len(everything)] * 4
    assert len(readers(ward, user_id=ward.nurse.user_id)) == 3
    assert len(readers(ward, since=ward.clock().date(), until=ward.clock().date())) < len(everything)
    exported = list(read.every(ward.admin, AuditQuery(patient_id=ward.patient_id)))
    assert [entry["id"] for entry in exported] == [entry["id"] for entry in everything]


def test_who_looked_is_told_even_of_a_patient_who_was_deleted_and_of_nobody_who_never_was(ward: Ward) -> None:
    gone = ward.patient("Luis", "Gil")
    ward.use_cases.patients.one(ward.nurse, gone.id)
    ward.use_cases.delete_patient(ward.admin, gone.id)
    told = ward.use_cases.read_access_log.page(ward.supervisor, AuditQuery(patient_id=gone.id))["items"]
    assert [entry["action"] for entry in told] == ["patient.deleted", "patient.read", "patient.created"]
    nothing = AuditQuery(patient_id=gone.id, action="empty")
    assert ward.use_cases.read_access_log.page(ward.supervisor, nothing)["items"] == []
    for read in (ward.use_cases.read_access_log.page, ward.use_cases.read_access_log.every):
        with pytest.raises(NotFound):
            read(ward.supervisor, AuditQuery(patient_id=999))


def test_entries_from_before_patients_were_told_are_found_by_what_they_are_about(ward: Ward) -> None:
    old = AuditEntry(
        at=ward.clock(), user_id=ward.nurse.user_id, action="patient.read", entity="patient",
        entity_id=ward.patient_id, changes={},
    )  # fmt: skip
    with ward.store.begin() as work:
        work.audit_log.append(old)
    assert readers(ward)[0]["action"] == "patient.read"


def test_what_cannot_be_noted_is_not_shown(ward: Ward, sheet: int, monkeypatch: pytest.MonkeyPatch) -> None:
    access_log = ward.use_cases.sheets.access._access_log  # type: ignore[union-attr]

    def full() -> object:
        raise StoreUnavailable(UnavailableReason.FULL)

    with monkeypatch.context() as patched:
        patched.setattr(access_log, "_begin", full)
        for look in AT_A_SHEET.values():
            with pytest.raises(StoreUnavailable):
                look(ward.use_cases, ward.nurse, sheet)
        # Lists that show nobody go on.
        assert ward.use_cases.areas.page(ward.nurse, ListQuery())["items"]
    # What could not be noted was not taken for noted.
    before = len(noted(ward))
    ward.use_cases.sheets.one(ward.nurse, sheet)
    assert noted(ward)[before:] == ["consumption_sheet.read"]
