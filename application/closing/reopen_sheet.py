"""Reopen a closed consumption sheet."""

from dataclasses import dataclass, replace

from application.audit.audit_log import entry
from application.closing.work import Begin
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.sheet_view import read_sheet_for
from application.sheets.views import SheetView
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenDraft(Draft):
    """The reason for reopening a sheet."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ReopenSheet:
    """Reopen a closed sheet, with a reason.

    The closing remains in the audit log.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.REOPEN_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, draft: ReopenDraft) -> SheetView:
        checks = Validator(draft.parse_errors)
        reason = checks.required_text("reason", draft.reason)
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            if not sheet.closed:
                checks.add_error(Code.SHEET_NOT_CLOSED)
            checks.raise_if_invalid()
            before = replace(sheet)
            sheet.reopen()
            work.sheets.save(sheet)
            work.audit_log.append(
                entry(
                    actor,
                    self.clock(),
                    AuditAction.SHEET_REOPENED,
                    before=before,
                    after=sheet,
                    reason=reason,
                )
            )
            return read_sheet_for(actor, work, sheet.id)
