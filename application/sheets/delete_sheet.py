"""Delete a consumption sheet for good."""

from dataclasses import dataclass

from application.audit_log import entry
from application.charging import credit_all
from application.entities import AuditAction
from application.ports.charging import WriteChargesMessage
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from domain.policy import Actor, Permission
from domain.refusal import NotFound


@dataclass(frozen=True, slots=True)
class DeleteSheet:
    """Delete a sheet and its details for good, and take back what was charged; closed ones only by whoever may."""

    begin: Begin
    clock: Clock
    write_charges: WriteChargesMessage | None = None

    def __call__(self, actor: Actor, sheet_id: int, expected: frozenset[int] | None = None) -> None:
        actor.must(Permission.DELETE_OPEN_SHEETS)
        with self.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            if sheet is None:
                raise NotFound
            if sheet.closed:
                actor.must(Permission.DELETE_CLOSED_SHEETS)
            sheet.must_be_version(expected)
            now = self.clock()
            work.audit_log.extend(
                [
                    entry(actor, now, AuditAction.DETAIL_DELETED, before=detail)
                    for detail in work.details.on_sheet(sheet.id)
                    if not detail.voided
                ]
            )
            if self.write_charges:
                credit_all(work, self.write_charges, sheet, now)
            work.sheets.remove(sheet)
            work.audit_log.append(entry(actor, now, AuditAction.SHEET_DELETED, before=sheet))
