"""Undo a closing shortly after it was made."""

from dataclasses import dataclass, replace

from application.audit.audit_log import entry
from application.closing.work import Begin
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.sheet_view import read_sheet_for
from application.sheets.views import SheetView
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class UndoClosing:
    """Undo the actor's own closing, without a reason.

    Its charges stay, as after a reopening: the next closing charges the difference.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.CLOSE_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> SheetView:
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            before, now = replace(sheet), self.clock()
            sheet.undo_closing(closed_by=work.views.closings.closed_by(sheet_id), by=actor, at=now)
            work.sheets.save(sheet)
            work.audit_log.append(entry(actor, now, AuditAction.SHEET_CLOSING_UNDONE, before=before, after=sheet))
            return read_sheet_for(actor, work, sheet_id)
