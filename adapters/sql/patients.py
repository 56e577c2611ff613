"""Patients as rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, bindparam, func, select

from adapters.sql.lists import ListOf
from adapters.sql.table_mapping import TableMapping
from adapters.sql.tables import BIRTH_OR_NONE, RECORD_OR_NONE, RECORD_WITHOUT_ZEROS, patients, sheets
from application.views import PatientQuery, PatientView, SheetPatientView
from domain.patient import Patient, patient_text
from domain.text import fold, unique_key


def to_row(patient: Patient) -> dict[str, Any]:
    """A patient as a row."""
    name, first, second = patient.name, patient.first_surname, patient.second_surname or ""
    return {
        "name": patient.name,
        "first_surname": patient.first_surname,
        "second_surname": patient.second_surname,
        "date_of_birth": patient.date_of_birth,
        "active": patient.active,
        "record_number": patient.record_number,
        "record_key": None if patient.record_number is None else unique_key(patient.record_number),
        "search_folded": patient_text(name, first, second, patient.record_number),
        "sort_folded": fold(f"{first} {second} {name}"),
    }


def to_entity(row: Row[Any]) -> Patient:
    """A row as a patient."""
    return Patient(
        id=row.id,
        name=row.name,
        first_surname=row.first_surname,
        second_surname=row.second_surname,
        date_of_birth=row.date_of_birth,
        active=row.active,
        record_number=row.record_number,
    )


MAPPING = TableMapping(
    patients,
    to_row,
    to_entity,
    sheets.c.patient_id,
    keys={
        "record_number": patients.c.record_key,
        "record_number_without_zeros": RECORD_WITHOUT_ZEROS,
        "full_name": patients.c.sort_folded,
    },
)


PATIENT_OF_SHEET = (
    patients.c.id, patients.c.name, patients.c.first_surname, patients.c.second_surname, patients.c.record_number,
)  # fmt: skip


def to_patient_of_sheet(row: Sequence[Any]) -> SheetPatientView:
    """The patient of a sheet, from these columns."""
    patient_id, name, first_surname, second_surname, record_number = row
    return SheetPatientView(
        id=patient_id,
        name=name,
        first_surname=first_surname,
        second_surname=second_surname,
        record_number=record_number,
    )


_OPEN_SHEETS = (
    select(func.count())
    .where(sheets.c.patient_id == patients.c.id, sheets.c.closed_at.is_(None))
    .correlate(patients)
    .scalar_subquery()
)

PATIENTS = ListOf[PatientView, PatientQuery](
    source=select(patients, _OPEN_SHEETS.label("open_sheets")),
    id=patients.c.id,
    order=(patients.c.sort_folded, patients.c.id),
    sorts={
        "id": patients.c.id,
        "name": patients.c.search_folded,
        "first_surname": patients.c.sort_folded,
        "date_of_birth": BIRTH_OR_NONE,
        "active": patients.c.active,
        "record_number": RECORD_OR_NONE,
    },
    searched=(patients.c.search_folded,),
    to_item=lambda row: PatientView(
        id=row.id,
        name=row.name,
        first_surname=row.first_surname,
        second_surname=row.second_surname,
        date_of_birth=row.date_of_birth,
        active=int(row.active),
        record_number=row.record_number,
        open_sheets=row.open_sheets,
    ),
    filters={"active": patients.c.active == bindparam("active")},
    filters_of=lambda query: {"active": query.active},
    exact=(patients.c.record_key,),
)
