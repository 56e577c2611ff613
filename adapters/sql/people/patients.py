"""Patients."""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection, bindparam, func, literal_column, or_, select

from adapters.sql.engine.in_array import is_one_of
from adapters.sql.engine.lists import ListSpec, TableView
from adapters.sql.engine.row_shape import Computed, PresentIf, RowShape
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.people.people import PeopleTiers
from adapters.sql.people.tables import (
    BIRTH_OR_NONE,
    IS_MERGED,
    RECORD_OR_NONE,
    RECORD_WITHOUT_ZEROS,
    patient_identifiers,
    patients,
)
from adapters.sql.sheets.tables import IS_OPEN, sheets
from application.common.paging import Page
from application.people.views import PatientQuery, PatientView, PersonView
from application.sheets.views import SheetPatientView
from domain.common.text import code_key, person_words, sort_name, unique_key
from domain.people.patient import Patient, search_text

MAPPING = TableMapping[Patient](
    patients,
    Patient,
    sheets.c.patient_id,
    patients.c.merged_into,
    keys={
        "record_number": patients.c.record_key,
        "record_number_without_zeros": RECORD_WITHOUT_ZEROS,
        "full_name": patients.c.sort_folded,
        "merged_into": patients.c.merged_into,
        "unidentified_number": patients.c.unidentified_number,
    },
    written={
        "record_key": lambda one: None if one.record_number is None else code_key(one.record_number),
        "told": lambda one: one.external_record,
        "search_folded": lambda one: search_text(
            one.name, one.first_surname, one.second_surname or "", one.record_number
        ),
        "sort_folded": lambda one: sort_name(one.name, one.first_surname, one.second_surname or ""),
    },
    read={"external_record": patients.c.told},
)

_UNIDENTIFIED = PresentIf(patients.c.unidentified_number, Computed(lambda: True))
PATIENT_NAME = RowShape[PersonView](PersonView, patients)
PATIENT_OF_SHEET = RowShape[SheetPatientView](SheetPatientView, patients, names={"unidentified": _UNIDENTIFIED})

_OPEN_SHEETS = (
    select(func.count()).where(sheets.c.patient_id == patients.c.id, IS_OPEN).correlate(patients).scalar_subquery()
)

_PATIENT = RowShape[PatientView](
    PatientView,
    patients,
    names={
        "active": Computed(int, patients.c.active),
        "open_sheets": _OPEN_SHEETS.label("open_sheets"),
        "merged_by": PresentIf(patients.c.merged_into, patients.c.merged_by),
        "unidentified": _UNIDENTIFIED,
    },
)

_RECORD_NUMBER = "record_number"
_IS_RECORD_NUMBER = patient_identifiers.c.system == literal_column(f"'{_RECORD_NUMBER}'")
# Patients with this former record number, by merging.
HAD_RECORD_NUMBER = select(patient_identifiers.c.patient_id).where(
    _IS_RECORD_NUMBER, patient_identifiers.c.value_key == bindparam("exactly")
)

_EVERY_PATIENT = ListSpec[PatientView, PatientQuery](
    source=select(*_PATIENT.columns),
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
    searched=(),
    words_of=person_words,
    tiers=PeopleTiers(HAD_RECORD_NUMBER),
    to_item=_PATIENT.read,
    filters={"active": patients.c.active == bindparam("active")},
    filters_of=lambda query: {"active": query.active},
)
_PATIENTS = replace(_EVERY_PATIENT, always=(patients.c.merged_into.is_(None),))
# Few patients are merged: sort them, instead of scanning all names in order.
_MERGED_PATIENTS = replace(
    _EVERY_PATIENT, always=(IS_MERGED,), order=(patients.c.sort_folded.concat(literal_column("''")), patients.c.id)
)


# If the hospital's system assigns numbers, few patients lack one: the index of numbers finds them.
_UNNUMBERED_PATIENTS = replace(
    _MERGED_PATIENTS, always=(patients.c.merged_into.is_(None), patients.c.record_key.is_(None))
)


_BY_MERGED = {None: _EVERY_PATIENT, True: _MERGED_PATIENTS, False: _PATIENTS}


class SqlPatientsView(TableView[PatientView, PatientQuery]):
    """Read model of patients."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, _EVERY_PATIENT)

    def page(self, query: PatientQuery) -> Page[PatientView]:
        """Return a page of active records, merged ones or all."""
        return self._list_for(query).page(query)

    def names(self, query: PatientQuery) -> Iterable[tuple[int, str]]:
        """Yield id and folded name of all filtered patients."""
        return self._list_for(query).texts(query, patients.c.sort_folded)

    def _list_for(self, query: PatientQuery) -> TableView[PatientView, PatientQuery]:
        found = _UNNUMBERED_PATIENTS if query.unnumbered else _BY_MERGED[query.merged]
        return TableView(self._connection, found)


_ADD_NUMBER = patient_identifiers.insert()
_REMOVE_NUMBER = patient_identifiers.delete().where(
    _IS_RECORD_NUMBER, patient_identifiers.c.value_key == bindparam("number_key")
)
_NUMBERS_OF = (
    select(patient_identifiers.c.value)
    .where(_IS_RECORD_NUMBER, patient_identifiers.c.patient_id == bindparam("patient"))
    .order_by(patient_identifiers.c.id)
)


_OWNER = select(patient_identifiers.c.patient_id).where(
    _IS_RECORD_NUMBER, patient_identifiers.c.value_key == bindparam("number_key")
)


_NUMBERED = select(patients.c.id, patients.c.merged_into).where(
    or_(patients.c.record_key == bindparam("exactly"), is_one_of(patients.c.id, HAD_RECORD_NUMBER))
)


def read_patients_numbered(connection: Connection, number: str) -> dict[int, int]:
    """Return patients by record number, each with the record that replaces it.

    Former numbers are included.
    """
    rows = connection.execute(_NUMBERED, {"exactly": code_key(number)})
    return {row.id: row.merged_into or row.id for row in rows}


class SqlFormerRecordNumbers:
    """Record numbers of merged records."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, patient_id: int, number: str) -> None:
        """Add a former record number of a patient."""
        row = {"patient_id": patient_id, "system": _RECORD_NUMBER, "value": number, "value_key": code_key(number)}
        self._connection.execute(_ADD_NUMBER, row)

    def remove(self, number: str) -> None:
        """Remove a former record number."""
        self._connection.execute(_REMOVE_NUMBER, {"number_key": code_key(number)})

    def of(self, patient_id: int) -> list[str]:
        """Return a patient's former record numbers in order of addition."""
        return [number for (number,) in self._connection.execute(_NUMBERS_OF, {"patient": patient_id})]

    def whose(self, number: str) -> int | None:
        """Return the patient with this former record number."""
        row = self._connection.execute(_OWNER, {"number_key": code_key(number)}).one_or_none()
        return None if row is None else row.patient_id


_AUTHORITY = "authority"
# Separates the number from its authority; no component of a field contains it.
_BETWEEN, _BEHIND = "^", "_"
_IS_AUTHORITY = patient_identifiers.c.system == literal_column(f"'{_AUTHORITY}'")
_AUTHORITIES = select(patient_identifiers.c.value, patient_identifiers.c.patient_id).where(
    _IS_AUTHORITY,
    patient_identifiers.c.value_key >= bindparam("first"),
    patient_identifiers.c.value_key < bindparam("behind"),
)
_REMOVE_AUTHORITY = patient_identifiers.delete().where(
    _IS_AUTHORITY, patient_identifiers.c.value_key == bindparam("assigned_key")
)


class SqlNumberAuthorities:
    """Assigning authorities of record numbers, within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def patients_by_authority(self, number: str) -> dict[str, int]:
        """Return the patient whom the number means, for each authority."""
        key = code_key(number)
        rows = self._connection.execute(_AUTHORITIES, {"first": key + _BETWEEN, "behind": key + _BEHIND})
        return {row.value.rpartition(_BETWEEN)[2]: row.patient_id for row in rows}

    def set_patient(self, number: str, authority: str, patient_id: int) -> None:
        """Let the number of this authority mean that patient."""
        key = f"{code_key(number)}{_BETWEEN}{unique_key(authority)}"
        self._connection.execute(_REMOVE_AUTHORITY, {"assigned_key": key})
        row = {"patient_id": patient_id, "system": _AUTHORITY, "value": f"{number}{_BETWEEN}{authority}"}
        self._connection.execute(_ADD_NUMBER, row | {"value_key": key})
