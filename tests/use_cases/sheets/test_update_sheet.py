"""Updating the admission data of a sheet."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from domain.common.errors import Code, NotFound, VersionConflict
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.stored import nothing_written


def test_an_update_keeps_the_details(ward: Ward) -> None:
    sheet = ward.sheet()
    ward.detail(sheet["id"], "2")
    patient = ward.patient("Luis", "Gil")
    draft = ward.sheet_draft(patient_id=patient.id, diagnosis="Asma", doctor="Dr. Sol")
    updated = ward.use_cases.sheets.update(ward.admin, sheet["id"], draft)
    assert (updated["patient"]["name"], updated["diagnosis"], updated["doctor"]) == ("Luis", "Asma", "Dr. Sol")
    assert (updated["total"], updated["version"]) == (Decimal(25), 3)
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet["id"]) == updated


def test_a_closed_sheet_is_one_of_the_errors(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with nothing_written(ward), refused((Code.REQUIRED, "admission_date"), Code.SHEET_CLOSED):
        ward.use_cases.sheets.update(ward.admin, sheet_id, ward.sheet_draft(admission_date=None))


def test_an_admission_after_the_first_use_is_one_of_the_errors(ward: Ward) -> None:
    sheet_id = ward.sheet(admission_date=TODAY - timedelta(days=9))["id"]
    for days in (0, 1, 1):
        ward.clock.advance(days=days)
        ward.detail(sheet_id)
    other_id = ward.sheet(admission_date=TODAY - timedelta(days=9))["id"]
    for day in (TODAY + timedelta(days=1), TODAY + timedelta(days=2), date.max):
        draft = ward.sheet_draft(admission_date=day, room_id=0)
        with nothing_written(ward), refused((Code.REQUIRED, "room_id"), (Code.USED_BEFORE_ADMISSION, "admission_date")):
            ward.use_cases.sheets.update(ward.nurse, sheet_id, draft)
        ward.use_cases.sheets.update(ward.nurse, other_id, ward.sheet_draft(admission_date=day))
    moved = ward.use_cases.sheets.update(ward.nurse, sheet_id, ward.sheet_draft(admission_date=TODAY))
    assert moved["admission_date"] == TODAY


def test_an_inactive_patient_can_stay_but_not_be_newly_set(ward: Ward) -> None:
    sheet, other = ward.sheet(), ward.sheet(patient_id=ward.patient("Luis", "Gil").id)
    with ward.store.begin() as work:
        patient = work.patients.get(ward.patient_id)
        assert patient is not None
        work.patients.save(replace(patient, active=False))
    ward.use_cases.sheets.update(ward.admin, sheet["id"], ward.sheet_draft(doctor="Dr. Sol"))
    with refused((Code.PATIENT_INACTIVE, "patient_id")):
        ward.use_cases.sheets.update(ward.admin, other["id"], ward.sheet_draft())


def test_updating_an_old_version_is_refused(ward: Ward) -> None:
    sheet = ward.sheet()
    ward.use_cases.sheets.update(ward.admin, sheet["id"], ward.sheet_draft(doctor="Dr. Sol"), frozenset({1}))
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.sheets.update(ward.nurse, sheet["id"], ward.sheet_draft(doctor="Dra. Luz"), frozenset({1}))


def test_updating_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.sheets.update(ward.nurse, 99, ward.sheet_draft())


def test_ward_staff_see_no_total_when_updating(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    answer = ward.use_cases.sheets.update(ward.nurse, sheet_id, ward.sheet_draft(admission_date=TODAY))
    assert "total" not in answer
