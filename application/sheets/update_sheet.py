"""Update a consumption sheet."""

from dataclasses import dataclass, replace

from application.audit_log import entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.sheets.sheet_draft import SheetDraft, admission
from application.sheets.written import written_sheet_for
from application.views import SheetView
from domain.policy import Actor, Permission
from domain.refusal import NotFound


@dataclass(frozen=True, slots=True)
class UpdateSheet:
    """Correct what was filled in at admission.

    ``expected`` are the versions that the actor goes by, if they are said.
    """

    begin: Begin
    clock: Clock

    def __call__(
        self, actor: Actor, sheet_id: int, draft: SheetDraft, expected: frozenset[int] | None = None
    ) -> SheetView:
        actor.must(Permission.EDIT_SHEETS)
        with self.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            if sheet is None:
                raise NotFound
            sheet.must_be_version(expected)
            before = replace(sheet)
            is_moved = draft.admission_date not in (None, sheet.admission_date)
            first_used = work.details.first_day(sheet.id) if is_moved else None
            filled_in = admission(work, draft, current=sheet, first_used=first_used)
            sheet.correct(**filled_in._asdict(), first_used=first_used)
            work.sheets.save(sheet)
            work.audit_log.append(entry(actor, self.clock(), AuditAction.SHEET_UPDATED, before=before, after=sheet))
            return written_sheet_for(actor, work, sheet.id)
