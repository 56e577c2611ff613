"""Import patients, and find the patient of a row in any file."""

from collections.abc import Mapping, Sequence
from typing import Any

from application.imports.reading.row import Row, quotable
from application.imports.rows.people import (
    CALLED,
    name_in_row,
    names_told,
    parts_of,
    single_match,
    sorted_name,
    sorted_name_told,
)
from application.imports.rows.row_importer import (
    FirstSeen,
    ImportContext,
    Outcome,
    RowImporter,
    filled_in,
    upsert,
    warn_of_zeros,
)
from application.imports.rows.similar_names import people_differ
from application.people.patients import CreatePatient, PatientDraft, UpdatePatient
from domain.common.errors import Code
from domain.common.text import code_key, strip_leading_zeros
from domain.people.patient import Patient


class PatientImporter(RowImporter):
    """Imports patients, identified by record number.

    Without one they are identified by names and date of birth.
    """

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._patients = context.staged.patients
        self._create = CreatePatient(context.begin, context.clock, context.zone)
        self._update = UpdatePatient(context.begin, context.clock, context.zone)
        self._lines = FirstSeen()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the patients by record number and by names."""
        look_up_records(self._patients, rows)
        self._patients.look_up("full_name", [name for row in rows if (name := sorted_name_told(row))])

    def import_row(self, row: Row) -> Outcome:
        """Register the patient, or update the existing record."""
        names = parts_of(row)
        known = find_patient(self._patients, row, names)
        values = filled_in(known, row, PatientDraft, "name", "first_surname")
        values |= names_told(self._context, row, names, known)
        outcome = upsert(
            self._create, self._update, self._actor, known, PatientDraft(**values, parse_errors=row.faults)
        )
        number = row.text("record_number")
        if number and (known is None or not known.record_number):
            warn_on_record_change(self._context, row)
        elif number and known is not None:
            warn_identity_mismatch(self._context, row, known, CALLED)
        if number:
            return self._lines.check_repeat(code_key(number), row, outcome, "record_number")
        return self._lines.check_repeat((sorted_name(names), row.day("date_of_birth")), row, outcome, *CALLED)


def look_up_records(patients: Any, rows: Sequence[Row]) -> None:
    """Read the patients with these record numbers.

    For unknown numbers, also read those that differ only in leading zeros.
    """
    keys = [code_key(text) for row in rows if (text := row.text("record_number"))]
    patients.look_up("record_number", keys)
    new = [key for key in keys if not patients.find_many("record_number", key)]
    patients.look_up("record_number_without_zeros", map(strip_leading_zeros, new))


def warn_on_record_change(context: ImportContext, row: Row) -> None:
    """Warn if a new record number differs from another only in zeros."""
    alike = context.staged.patients.find_many(
        "record_number_without_zeros", strip_leading_zeros(row.text("record_number"))
    )
    warn_of_zeros(context, row, "record_number", (one.record_number for one in alike))


def warn_identity_mismatch(context: ImportContext, row: Row, known: Patient, called: Sequence[str]) -> None:
    """Warn if names or date of birth differ from the record with that number.

    The row may be about another person.
    """
    number, names = row.quoted("record_number"), name_in_row(row, called)
    its = " ".join(filter(None, [known.name, known.first_surname, known.second_surname]))
    if people_differ(its, names or its):
        field = next(name for name in called if row.text(name))
        context.warn(Code.PATIENT_NAME_MISMATCH, field, value=quotable(names), known=quotable(its), number=number)
    born, its_birth = row.day("date_of_birth"), known.date_of_birth
    if born and its_birth and born != its_birth:
        value = row.quoted("date_of_birth") or born.isoformat()
        context.warn(Code.BIRTH_DATE_MISMATCH, "date_of_birth", value=value, known=its_birth.isoformat(), number=number)


def find_patient(patients: Any, row: Row, names: Mapping[str, str]) -> Patient | None:
    """Find a patient by record number, or by names and date of birth.

    A patient who was registered without a record number, and has the same names and date of birth, is the same person.
    """
    born, number = row.day("date_of_birth"), row.text("record_number")
    found: Patient | None = patients.find("record_number", code_key(number)) if number else None
    if found is not None or not names["name"] or row.wrong("date_of_birth", "record_number"):
        return found
    alike = [
        one
        for one in patients.find_many("full_name", sorted_name(names))
        if one.date_of_birth == born and one.merged_into is None
    ]
    if number:
        alike = [one for one in alike if one.record_number is None and born is not None]
    return single_match(alike, "name", " ".join(filter(None, names.values())))
