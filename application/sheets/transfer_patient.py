"""Transfer a patient to another room, and undo the last transfer."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.sheet_view import read_sheet_for
from application.sheets.views import SheetView
from application.sheets.work import Begin
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.sheets.stay import transfer, undo_transfer, validate_transfer_time


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferDraft(Draft):
    """The form of a transfer. Without ``at`` it happens now."""

    room_id: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TransferPatient:
    """Transfer the patient to another room, for details recorded later.

    ``expected`` are the versions that the client knows, if given.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.EDIT_SHEETS)
    def __call__(
        self, actor: Actor, sheet_id: int, draft: TransferDraft, expected: frozenset[int] | None = None
    ) -> SheetView:
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            sheet.ensure_version(expected)
            sheet.ensure_open()
            checks = Validator(draft.parse_errors)
            now = self.clock()
            room_id = checks.required_id("room_id", draft.room_id)
            if room_id == sheet.room_id:
                checks.add_error(Code.ROOM_SAME, "room_id")
            elif room_id and work.rooms.get(room_id) is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "room_id")
            at = validate_transfer_time(checks, draft.at, now, sheet, work.transfers.last(sheet.id), self.zone)
            checks.raise_if_invalid()
            before = replace(sheet)
            work.transfers.add(transfer(sheet, room_id, at, by=actor.user_id))
            work.sheets.save(sheet)
            audit_entry = entry(
                actor, now, AuditAction.SHEET_TRANSFERRED, before=before, after=sheet, moved_at=at.isoformat()
            )
            work.audit_log.append(audit_entry)
            return read_sheet_for(actor, work, sheet.id)


@dataclass(frozen=True, slots=True)
class UndoTransfer:
    """Undo the last transfer: the patient is in the previous room again.

    Details keep the room in which they were recorded.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.DELETE_OPEN_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, expected: frozenset[int] | None = None) -> SheetView:
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            sheet.ensure_version(expected)
            before = replace(sheet)
            undone = undo_transfer(sheet, work.transfers.last(sheet.id))
            work.transfers.remove(undone)
            work.sheets.save(sheet)
            audit_entry = entry(
                actor,
                self.clock(),
                AuditAction.SHEET_TRANSFER_UNDONE,
                before=before,
                after=sheet,
                moved_at=undone.at.isoformat(),
            )
            work.audit_log.append(audit_entry)
            return read_sheet_for(actor, work, sheet.id)
