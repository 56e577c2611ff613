"""Queries for the FHIR API: entities by id, and changes since a time."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from application.audit.access_log import AccessLog
from application.common.entities import AREA, DETAIL, PATIENT, PRODUCT, ROOM, SHEET, STAFF, AuditAction, EntityKind
from application.common.use_case import permitted, retried
from application.people.views import PatientQuery
from application.records.list_reader import validate_query
from application.reports.changes import Deletion, Tracked
from application.reports.work import Read
from application.sheets.admission_data import PATIENT_CLASS
from application.sheets.ports import ClosingRecord
from domain.common.policy import Actor, Permission
from domain.interop.external_record import ExternalRecord

_PERSON = ("name", "first_surname", "second_surname")

# What the resources repeat of other entities: a poller by the time of the last change must read them again.
PATIENTS = Tracked(PATIENT)
PRACTITIONERS = Tracked(STAFF)
AREAS = Tracked(AREA)
ROOMS = Tracked(ROOM, related=((AREA, ("name",)),))
ENCOUNTERS = Tracked(SHEET, related=((PATIENT, _PERSON), (ROOM, ("name",))))
CHARGES = Tracked(
    DETAIL,
    related=((SHEET, ("patient_id",)), (PATIENT, _PERSON), (PRODUCT, ("name", "code")), (STAFF, _PERSON)),
)
INVOICES = Tracked(SHEET, ("closed_at", "patient_id"))


@dataclass(frozen=True, slots=True)
class ReadPatientClasses:
    """Read the patient classes of sheets, as the admission messages told them."""

    read: Read

    @permitted(Permission.READ_FHIR)
    def __call__(self, actor: Actor, ids: Collection[int]) -> dict[int, str]:
        """Return the classes by sheet id, as far as they are known."""
        with self.read() as views:
            records = views.external_records(ids)
        classes = {each: ExternalRecord.from_json(record).value(PATIENT_CLASS) for each, record in records.items()}
        return {each: name for each, name in classes.items() if name}


@dataclass(frozen=True, slots=True)
class ReadLastChanges:
    """Read when entities were last changed, and which changed since a time.

    It uses the audit log, because no column of the entities covers every change.
    """

    read: Read

    @permitted(Permission.READ_FHIR)
    def __call__(self, actor: Actor, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return the last change by id.

        Changes from before the audit log are unknown.
        """
        with self.read() as views:
            return views.last_changes(tracked, ids)

    @permitted(Permission.READ_FHIR)
    def since(
        self, actor: Actor, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """Return ids of entities that changed in a period, in order.

        They are greater than ``behind``. Deleted entities are included.
        """
        with self.read() as views:
            return views.changed(tracked, since, until, behind=behind, most=most)

    @permitted(Permission.READ_FHIR)
    def deletions(self, actor: Actor, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted."""
        with self.read() as views:
            return views.deletions(kind, ids)


@dataclass(frozen=True, slots=True)
class FindPatientsByNumber:
    """Find patients by a current or former record number.

    Each is mapped to the surviving patient.
    """

    read: Read

    @permitted(Permission.READ_FHIR)
    def __call__(self, actor: Actor, number: str) -> dict[int, int]:
        validate_query(PatientQuery(q=number), frozenset())
        with self.read() as views:
            return views.patients_numbered(number)


@dataclass(frozen=True, slots=True)
class ReadClosingRecords:
    """Read closings of many sheets.

    The actor must see prices, because a bill without prices is useless.
    """

    read: Read
    access_log: AccessLog

    @retried
    def __call__(
        self,
        actor: Actor,
        sheet_id: int,
        turn: int,
        *,
        most: int,
        patient_id: int | None = None,
        sheet_ids: Collection[int] | None = None,
    ) -> list[ClosingRecord]:
        """Return the closings after a sheet id and number, in that order.

        They are those of one patient's sheets, of these sheets, or of all.
        """
        for permission in (Permission.READ_FHIR, Permission.READ_SHEETS, Permission.SEE_PRICES):
            actor.require(permission)
        with self.read() as views:
            found = views.closings.after(sheet_id, turn, most=most, patient_id=patient_id, sheet_ids=sheet_ids)
        if found and patient_id is not None:
            self.access_log.note_patient_sheets_read(actor, patient_id)
        elif found and sheet_ids is not None:
            self.access_log.note_sheets_read(actor, {one.sheet_id for one in found})
        elif found:
            self.access_log.note_list_read(actor, AuditAction.SHEET_LISTED)
        return found

    @retried
    def one(self, actor: Actor, sheet_id: int, turn: int) -> ClosingRecord | None:
        """Return one closing, or None."""
        for permission in (Permission.READ_FHIR, Permission.READ_SHEETS, Permission.SEE_PRICES):
            actor.require(permission)
        with self.read() as views:
            found = views.closings.after(sheet_id, turn - 1, most=1)
        if not found or (found[0].sheet_id, found[0].turn) != (sheet_id, turn):
            return None
        self.access_log.note_sheet_read(actor, sheet_id)
        return found[0]
