"""The access log of patients' sheets.

A user's reads of a sheet get one entry per hour, and every export or print gets its own.
"""

from collections.abc import Callable

import pytest

from application.audit.views import AuditQuery, NamedEntryView
from application.catalogue.views import RoomQuery
from application.common.paging import ListQuery
from application.common.store_errors import StoreUnavailable, UnavailableReason
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from application.use_cases import UseCases
from domain.common.errors import NotFound
from domain.common.policy import Actor
from tests.builders import NOON, Ward

BeginReadOnly = Callable[[UseCases, Actor, int], object]


# All the ways to read a sheet. They count as the same access.
AT_A_SHEET: dict[str, BeginReadOnly] = {
    "read": lambda uc, who, sheet: uc.sheets.reader.one(who, sheet),
    "its details": lambda uc, who, sheet: uc.details.list_of_sheet.page(who, DetailQuery(consumption_sheet_id=sheet)),
    "details of all, narrowed": lambda uc, who, sheet: uc.details.reader.page(
        who, DetailQuery(consumption_sheet_id=sheet)
    ),
    "a detail": lambda uc, who, sheet: uc.details.reader.one(
        who, uc.details.reader.page(who, DetailQuery(consumption_sheet_id=sheet))["items"][0]["id"]
    ),
    "summary": lambda uc, who, sheet: uc.sheets.summarize(who, sheet),
    "its room": lambda uc, who, _: uc.rooms.reader.one(who, 1),
}


# Answers that show the names of several patients.
AT_A_LIST: dict[str, tuple[BeginReadOnly, str, str, int]] = {
    "sheets": (
        lambda uc, who, _: uc.sheets.reader.page(who, SheetQuery()),
        "consumption_sheet.listed",
        "consumption_sheet",
        0,
    ),
    "rooms": (lambda uc, who, _: uc.rooms.reader.page(who, RoomQuery()), "room.listed", "room", 0),
    "the overview": (lambda uc, who, _: uc.reports.read_overview(who), "overview.listed", "overview", 0),
    # At noon in UTC the present shift begins: without a moment, the one before is read.
    "the shift": (lambda uc, who, _: uc.reports.read_shift(who, NOON), "shift.listed", "shift", 0),
    "the ward": (lambda uc, who, _: uc.reports.read_ward(who), "ward.listed", "ward", 0),
}


@pytest.fixture
def sheet(ward: Ward) -> int:
    """Return the id of a sheet with one detail."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, by=ward.nurse)
    return sheet_id


def readers(ward: Ward, **asked: object) -> list[NamedEntryView]:
    query = AuditQuery(patient_id=ward.patient_id, limit=100, **asked)  # type: ignore[arg-type]
    return ward.use_cases.audit.read_access_log.page(ward.supervisor, query)["items"]


def noted(ward: Ward) -> list[str]:
    """Return the actions in the audit log, oldest first."""
    with ward.store.read() as views:
        return [str(entry["action"]) for entry in views.audit.page(AuditQuery(limit=100))["items"]][::-1]


@pytest.mark.parametrize("how", AT_A_SHEET)
def test_every_way_to_read_a_sheet_is_logged_with_its_patient(ward: Ward, sheet: int, how: str) -> None:
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


@pytest.mark.parametrize("what", AT_A_LIST)
def test_lists_with_patient_names_are_logged_once_an_hour(ward: Ward, sheet: int, what: str) -> None:
    look, action, entity, entity_id = AT_A_LIST[what]
    before = len(noted(ward))
    for _ in range(3):
        look(ward.use_cases, ward.nurse, sheet)
    with ward.store.read() as views:
        latest = views.audit.page(AuditQuery(limit=1))["items"][0]
    assert noted(ward)[before:] == [action]
    assert (latest["entity"], latest["entity_id"], latest["patient_id"]) == (entity, entity_id, None)


def test_listing_a_patients_sheets_is_logged_for_the_patient(ward: Ward, sheet: int) -> None:
    for closed in (False, True, False):
        ward.use_cases.sheets.reader.page(ward.nurse, SheetQuery(patient_id=ward.patient_id, closed=closed))
    assert [entry["action"] for entry in readers(ward, user_id=ward.nurse.user_id)] == ["patient.sheets_listed"]


def test_rooms_without_patients_are_not_logged(ward: Ward) -> None:
    before = noted(ward)
    ward.use_cases.rooms.reader.page(ward.nurse, RoomQuery())
    ward.use_cases.rooms.reader.one(ward.nurse, ward.room_id)
    ward.use_cases.reports.read_overview(ward.nurse)
    ward.use_cases.reports.read_ward(ward.nurse)
    ward.use_cases.reports.read_shift(ward.nurse)
    ward.use_cases.reports.list_notices(ward.nurse)
    assert noted(ward) == before


def test_prints_and_exports_are_logged_each_time(ward: Ward, sheet: int) -> None:
    query = DetailQuery(consumption_sheet_id=sheet)
    for _ in range(2):
        ward.use_cases.sheets.print(ward.nurse, sheet)
        list(ward.use_cases.details.list_of_sheet.iterate(ward.nurse, query))
        list(ward.use_cases.details.reader.iterate(ward.nurse, query))
    reported = [(entry["action"], entry["entity_id"]) for entry in readers(ward, user_id=ward.nurse.user_id)]
    assert (
        reported
        == [("consumption_sheet.exported", sheet), ("consumption_sheet.exported", sheet), ("sheet.printed", sheet)] * 2
    )


def test_polling_the_sheet_version_is_not_logged(ward: Ward, sheet: int) -> None:
    before = noted(ward)
    ward.use_cases.sheets.read_version(ward.nurse, sheet)
    assert noted(ward) == before


def test_reading_a_missing_sheet_is_not_found_and_not_logged(ward: Ward) -> None:
    before = noted(ward)
    for look in (AT_A_SHEET["read"], AT_A_SHEET["its details"], AT_A_SHEET["summary"]):
        with pytest.raises(NotFound):
            look(ward.use_cases, ward.nurse, 999)
    assert noted(ward) == before


def test_access_log_has_changes_too_but_no_other_patient(ward: Ward, sheet: int) -> None:
    other = ward.patient("Luis", "Gil")
    ward.use_cases.sheets.reader.one(ward.nurse, ward.sheet(patient_id=other.id)["id"])
    ward.use_cases.patients.reader.one(ward.supervisor, ward.patient_id)
    ward.use_cases.sheets.close(ward.nurse, sheet)
    reported = [entry["action"] for entry in readers(ward)]
    assert reported == ["sheet.closed", "patient.read", "sheet.opened", "patient.created"]
    assert all(entry["patient_id"] in (None, ward.patient_id) for entry in readers(ward))


def test_a_read_that_cannot_be_logged_is_refused(ward: Ward, sheet: int, monkeypatch: pytest.MonkeyPatch) -> None:
    access_log = ward.use_cases.sheets.reader.access_log

    def full() -> object:
        raise StoreUnavailable(UnavailableReason.FULL)

    with monkeypatch.context() as patched:
        patched.setattr(access_log, "_begin", full)
        for look in AT_A_SHEET.values():
            with pytest.raises(StoreUnavailable):
                look(ward.use_cases, ward.nurse, sheet)
        # Lists that show no patient still work.
        assert ward.use_cases.areas.reader.page(ward.nurse, ListQuery())["items"]
    # The failed attempts were not remembered as logged.
    before = len(noted(ward))
    ward.use_cases.sheets.reader.one(ward.nurse, sheet)
    assert noted(ward)[before:] == ["consumption_sheet.read"]
