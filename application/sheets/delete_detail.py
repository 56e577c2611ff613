"""Delete a consumption detail."""

from dataclasses import dataclass

from application.audit_log import entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from domain.policy import Actor, Permission
from domain.refusal import NotFound


@dataclass(frozen=True, slots=True)
class DeleteDetail:
    """Take a detail off its open sheet: ward staff their own, others any."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, detail_id: int, expected: frozenset[int] | None = None) -> None:
        actor.must(Permission.DELETE_OWN_DETAILS)
        with self.begin() as work:
            sheet = work.sheets.lock_of_detail(detail_id)
            detail = work.details.get(detail_id)
            if sheet is None or detail is None:
                raise NotFound
            detail.must_be_removable(actor)
            detail.must_be_version(expected)
            sheet.remove(detail, by=actor)
            work.details.remove(detail)
            work.sheets.save(sheet)
            work.audit_log.append(entry(actor, self.clock(), AuditAction.DETAIL_DELETED, before=detail))
