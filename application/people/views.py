"""Views and list queries of patients and staff."""

from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict

from application.common.paging import ListQuery, Meta


class PersonView(TypedDict):
    """A patient or staff member, by name."""

    id: int
    name: str
    first_surname: str
    second_surname: str | None


class PatientView(TypedDict):
    """A patient; ``active`` is 1 or 0.

    ``open_sheets`` is the number of the patient's open sheets. ``merged_into`` is the id of the record that replaces
    this one, or null; a merged one has the user who did it in ``merged_by``. ``unidentified`` is present, and true, for
    an unidentified patient.
    """

    id: int
    name: str
    first_surname: str
    second_surname: str | None
    date_of_birth: date | None
    active: int
    record_number: str | None
    open_sheets: int
    merged_into: int | None
    merged_by: NotRequired[int | None]
    unidentified: NotRequired[bool]


class SheetsToMoveView(TypedDict):
    """The number of a patient's sheets."""

    open: int
    closed: int


class DifferenceView(TypedDict):
    """A field that differs between two records of a patient.

    ``mine`` is the value of the record that is merged, ``theirs`` that of the other.
    """

    field: str
    mine: str
    theirs: str


class MergePreviewView(TypedDict):
    """A preview of merging a patient into another record.

    ``sheets`` would move, ``fills`` are the fields of the other record that would be filled, and ``differs`` are the
    fields with different values. ``another_person`` says that name, surname or date of birth contradict; then the end
    of the number of the record ``asks_number_of`` has to be typed, unless none has one.
    """

    sheets: SheetsToMoveView
    fills: list[str]
    differs: list[DifferenceView]
    another_person: bool
    asks_number_of: int | None


class UnmergedPatientView(TypedDict):
    """A patient whose merge was undone.

    ``stayed`` are the sheets that were reassigned since, and therefore did not come back.
    """

    patient: PatientView
    returned: list[int]
    stayed: list[int]


class StaffView(TypedDict):
    """A staff member; ``user_id`` is the user with this profile."""

    id: int
    name: str
    first_surname: str
    second_surname: str | None
    telephone_number: str | None
    job_title: str | None
    date_of_birth: date | None
    user_id: int | None


class PatientPage(TypedDict):
    """A page of patients; see ``SheetPage`` for ``exact`` and ``nearest``."""

    items: list[PatientView]
    exact: NotRequired[int]
    nearest: NotRequired[list[PatientView]]
    meta: Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientQuery(ListQuery):
    """A query for patients.

    ``q`` searches names and record numbers. ``merged`` patients are a separate list; None includes both. ``unnumbered``
    selects patients without a record number, except merged ones.
    """

    active: bool | None = None
    merged: bool | None = False
    unnumbered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffQuery(ListQuery):
    """A query for staff.

    ``unassigned`` selects staff members without a user.
    """

    unassigned: bool = False


PATIENT_SORTS = frozenset({"id", "name", "first_surname", "date_of_birth", "active", "record_number"})
STAFF_SORTS = frozenset({"id", "name", "first_surname", "job_title"})
