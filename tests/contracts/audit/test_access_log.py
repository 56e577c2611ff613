"""Contract of every store: the access log of patients' sheets.

A user's reads of a sheet get one entry per hour, and every export or print gets its own.
"""

import pytest

from application.audit.access_log import hour_of
from application.audit.audit_log import AuditEntry
from application.audit.views import AuditQuery
from domain.common.errors import NotFound
from tests.builders import Ward, use_cases_on
from tests.contracts.common.concurrently import at_once
from tests.use_cases.audit.test_access_log import AT_A_SHEET, noted, readers


@pytest.fixture
def sheet(ward: Ward) -> int:
    """Return the id of a sheet with one detail."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, by=ward.nurse)
    return sheet_id


def test_repeated_reads_are_logged_once_per_user_sheet_and_hour(ward: Ward, sheet: int) -> None:
    before = noted(ward)
    for _ in range(3):
        for look in AT_A_SHEET.values():
            look(ward.use_cases, ward.nurse, sheet)
        ward.clock.advance(minutes=19)
    assert noted(ward)[len(before) :] == ["consumption_sheet.read"]
    # The next hour, another user and another sheet each get an entry of their own.
    ward.clock.advance(minutes=4)
    ward.use_cases.sheets.reader.one(ward.nurse, sheet)
    ward.use_cases.sheets.reader.one(ward.supervisor, sheet)
    ward.use_cases.sheets.reader.one(ward.nurse, ward.sheet()["id"])
    assert noted(ward)[len(before) :] == ["consumption_sheet.read"] * 3 + ["sheet.opened", "consumption_sheet.read"]


def test_concurrent_reads_by_several_processes_are_logged_once(ward: Ward, sheet: int) -> None:
    before = len(noted(ward))
    others = [use_cases_on(ward.store, clock=ward.clock) for _ in range(6)]
    at_once([lambda uc=uc: uc.sheets.reader.one(ward.nurse, sheet) for uc in others])  # type: ignore[misc]
    assert noted(ward)[before:] == ["consumption_sheet.read"]


def test_purging_an_hour_keeps_its_audit_entries(ward: Ward, sheet: int) -> None:
    ward.use_cases.sheets.reader.one(ward.nurse, sheet)
    before = noted(ward)
    this_hour = hour_of(ward.clock())
    for hour, again in ((this_hour, 0), (this_hour + 1, 1)):
        with ward.store.begin() as work:
            work.audit_log.purge_hours(hour)
        use_cases_on(ward.store, clock=ward.clock).sheets.reader.one(ward.nurse, sheet)
        assert noted(ward) == before + ["consumption_sheet.read"] * again


def test_access_log_is_paged_and_filtered_by_user_and_day(ward: Ward, sheet: int) -> None:
    for hours in range(5):
        ward.use_cases.sheets.reader.one((ward.nurse, ward.supervisor)[hours % 2], sheet)
        ward.clock.advance(hours=6)
    everything = readers(ward)
    read = ward.use_cases.audit.read_access_log
    pages = [read.page(ward.admin, AuditQuery(patient_id=ward.patient_id, limit=2, page=n)) for n in range(1, 5)]
    assert [entry for page in pages for entry in page["items"]] == everything
    assert [page["meta"]["total"] for page in pages] == [len(everything)] * 4
    assert len(readers(ward, user_id=ward.nurse.user_id)) == 3
    assert len(readers(ward, since=ward.clock().date(), until=ward.clock().date())) < len(everything)
    exported = list(read.iterate(ward.admin, AuditQuery(patient_id=ward.patient_id)))
    assert [entry["id"] for entry in exported] == [entry["id"] for entry in everything]


def test_access_log_of_a_deleted_patient_can_still_be_read(ward: Ward) -> None:
    gone = ward.patient("Luis", "Gil")
    ward.use_cases.patients.reader.one(ward.nurse, gone.id)
    ward.use_cases.patients.delete(ward.admin, gone.id)
    reported = ward.use_cases.audit.read_access_log.page(ward.supervisor, AuditQuery(patient_id=gone.id))["items"]
    assert [entry["action"] for entry in reported] == ["patient.deleted", "patient.read", "patient.created"]
    nothing = AuditQuery(patient_id=gone.id, action="nothing")
    assert ward.use_cases.audit.read_access_log.page(ward.supervisor, nothing)["items"] == []
    for read in (ward.use_cases.audit.read_access_log.page, ward.use_cases.audit.read_access_log.iterate):
        with pytest.raises(NotFound):
            read(ward.supervisor, AuditQuery(patient_id=999))


def test_old_entries_without_patient_id_are_found_by_entity(ward: Ward) -> None:
    old = AuditEntry(
        at=ward.clock(), user_id=ward.nurse.user_id, action="patient.read", entity="patient",
        entity_id=ward.patient_id, changes={},
    )  # fmt: skip
    with ward.store.begin() as work:
        work.audit_log.append(old)
    assert readers(ward)[0]["action"] == "patient.read"
