"""Delete a consumption sheet permanently."""

from dataclasses import dataclass
from datetime import tzinfo

from application.audit.audit_log import entry
from application.billing.charging import credit_all
from application.billing.ports import WriteChargesMessage
from application.closing.work import Begin
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.sheets.issued_documents import Subject
from application.sheets.line_changes import note_line_changes
from application.sheets.locked_sheets import lock_patient_sheet
from domain.common.day import day_of
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.sheets.month_change import LineChange


@dataclass(frozen=True, slots=True)
class DeleteSheet:
    """Delete a sheet with its details, and credit its charges.

    Ward staff may delete open sheets on which nothing is recorded, and of which no closing or account was frozen;
    supervisors any open sheet.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    write_charges: WriteChargesMessage | None = None

    @permitted(Permission.DELETE_EMPTY_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, expected: frozenset[int] | None = None) -> None:
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            details = work.details.on_sheet(sheet.id)
            others = (work.late_entries, work.unlisted_items)
            closings = work.closings.closing_count(sheet.id)
            has_papers = closings or work.views.accounts.about(Subject(sheet.id))
            is_empty = (
                not details and not has_papers and not any(store.find_many("sheet_id", [sheet.id]) for store in others)
            )
            if sheet.closed and not actor.can(Permission.DELETE_CLOSED_SHEETS):
                raise Refused(Reason(Code.SHEET_FOR_ADMINISTRATION))
            if not sheet.closed and not is_empty and not actor.can(Permission.DELETE_OPEN_SHEETS):
                raise Refused(Reason(Code.SHEET_FOR_SUPERVISION))
            sheet.ensure_version(expected)
            now = self.clock()
            deleted = [LineChange(detail, None) for detail in details]
            note_line_changes(work, actor, now, day_of(now, self.zone), AuditAction.DETAIL_DELETED, deleted)
            if self.write_charges:
                credit_all(work, self.write_charges, sheet, now)
            # Its closings are deleted too.
            notes = {"closings": str(closings)} if closings else {}
            work.sheets.remove(sheet)
            work.audit_log.append(entry(actor, now, AuditAction.SHEET_DELETED, before=sheet, **notes))
