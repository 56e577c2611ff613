"""Opening a sheet."""

import pytest

from application.sheets.sheet_draft import SheetDraft
from domain.common.errors import Code, Reason
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.stored import nothing_written


def test_a_new_sheet_is_open_and_empty(ward: Ward) -> None:
    sheet = ward.use_cases.sheets.open(ward.admin, ward.sheet_draft()).answer
    assert (sheet["closed"], sheet["deleted_at"], sheet["consumptions"], sheet["version"]) == (False, None, [], 1)
    assert sheet["total"] == 0
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet["id"]) == sheet


def test_a_sheet_has_patient_room_admission_diagnosis_and_doctor(ward: Ward) -> None:
    patient = ward.patient("Luis", "Gil", second_surname="Mora", record_number="HC-7")
    sheet = ward.sheet(patient_id=patient.id, diagnosis="  Asma ", doctor=" Dr. Sol ")
    name = {"name": "Luis", "first_surname": "Gil", "second_surname": "Mora"}
    assert sheet["patient"] == {"id": patient.id, "record_number": "HC-7", "date_of_birth": None, **name}
    assert sheet["room"] == {"id": ward.room_id, "name": "101", "area_id": ward.area_id}
    assert (sheet["admission_date"], sheet["diagnosis"], sheet["doctor"]) == (TODAY, "Asma", "Dr. Sol")


def test_diagnosis_and_doctor_are_optional(ward: Ward) -> None:
    sheet = ward.sheet(diagnosis=None, doctor="   ")
    assert (sheet["diagnosis"], sheet["doctor"]) == ("", "")


def test_a_patient_may_have_several_open_sheets(ward: Ward) -> None:
    assert ward.sheet()["id"] != ward.sheet()["id"]


def test_all_errors_of_a_sheet_are_reported_at_once(ward: Ward) -> None:
    with (
        nothing_written(ward),
        refused(
            (Code.REQUIRED, "patient_id"),
            (Code.REQUIRED, "admission_date"),
            (Code.TEXT_TOO_LONG, "diagnosis"),
            (Code.TEXT_TOO_LONG, "doctor"),
            (Code.REFERENCE_UNKNOWN, "room_id"),
        ),
    ):
        ward.sheet(patient_id=0, room_id=99, admission_date=None, diagnosis="x" * 2_001, doctor="x" * 201)


def test_unreadable_fields_are_reported_with_the_other_errors(ward: Ward) -> None:
    unreadable = (Reason(Code.DATE_EXPECTED, "admission_date"),)
    with refused((Code.DATE_EXPECTED, "admission_date"), (Code.REQUIRED, "patient_id"), (Code.REQUIRED, "room_id")):
        ward.use_cases.sheets.open(ward.nurse, SheetDraft(parse_errors=unreadable))


@pytest.mark.parametrize("field", ["patient_id", "room_id"])
def test_patient_and_room_must_exist(ward: Ward, field: str) -> None:
    with nothing_written(ward), refused((Code.REFERENCE_UNKNOWN, field)):
        ward.sheet(**{field: 99})


def test_an_inactive_patient_gets_no_new_sheet(ward: Ward) -> None:
    left = ward.patient("Luis", "Gil", active=0)
    with nothing_written(ward), refused((Code.PATIENT_INACTIVE, "patient_id")):
        ward.sheet(patient_id=left.id)


def test_ward_staff_see_no_total_when_opening(ward: Ward) -> None:
    assert "total" not in ward.use_cases.sheets.open(ward.nurse, ward.sheet_draft()).answer
