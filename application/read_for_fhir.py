"""What other systems read: everything of a kind by its ids, and what was changed since they looked last."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from application.access_log import AccessLog
from application.entities import AuditAction, EntityKind
from application.list_reader import validate_query
from application.ports.views import ClosingRecord, Read
from application.views import PatientQuery
from domain.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ReadLastChanges:
    """When things of a kind were last changed, which of them were since some moment, by the audit log: no column of
    theirs tells of every change.
    """

    read: Read

    def __call__(self, actor: Actor, kind: EntityKind, ids: Collection[int]) -> dict[int, datetime]:
        """By id; what was there before the audit log is not told."""
        actor.must(Permission.READ_FHIR)
        with self.read() as views:
            return views.last_changes(kind.name, ids)

    def since(
        self, actor: Actor, kind: EntityKind, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """The ids behind that one of what was changed since then and before ``until``, by id."""
        actor.must(Permission.READ_FHIR)
        with self.read() as views:
            return views.changed(kind.name, since, until, behind=behind, most=most)


@dataclass(frozen=True, slots=True)
class FindPatientsByNumber:
    """The patients whose record number that is or was, each with the one who goes on in its place."""

    read: Read

    def __call__(self, actor: Actor, number: str) -> dict[int, int]:
        actor.must(Permission.READ_FHIR)
        validate_query(PatientQuery(q=number), frozenset())
        with self.read() as views:
            return views.patients_numbered(number)


@dataclass(frozen=True, slots=True)
class ReadClosingRecords:
    """What closings of many sheets froze, for whoever sees prices: an account without them is none."""

    read: Read
    access_log: AccessLog

    def __call__(
        self, actor: Actor, sheet_id: int, turn: int, *, most: int, patient_id: int | None = None
    ) -> list[ClosingRecord]:
        """Those behind that one by sheet and turn, of one patient's sheets or of all."""
        for permission in (Permission.READ_FHIR, Permission.READ_SHEETS, Permission.SEE_PRICES):
            actor.must(permission)
        with self.read() as views:
            found = views.closings.behind(sheet_id, turn, most=most, patient_id=patient_id)
        if found and patient_id is not None:
            self.access_log.note_patient_sheets_read(actor, patient_id)
        elif found:
            self.access_log.note_list_read(actor, AuditAction.SHEET_LISTED)
        return found

    def one(self, actor: Actor, sheet_id: int, turn: int) -> ClosingRecord | None:
        """That one; None where there is none."""
        for permission in (Permission.READ_FHIR, Permission.READ_SHEETS, Permission.SEE_PRICES):
            actor.must(permission)
        with self.read() as views:
            found = views.closings.behind(sheet_id, turn - 1, most=1, patient_id=None)
        if not found or (found[0].sheet_id, found[0].turn) != (sheet_id, turn):
            return None
        self.access_log.note_sheet_read(actor, sheet_id)
        return found[0]
