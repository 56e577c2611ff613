"""Open a consumption sheet."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.sheet_draft import SheetDraft, admission, locked_patient
from application.sheets.sheet_view import read_sheet
from application.sheets.views import SheetView
from application.sheets.work import Begin, UnitOfWork
from domain.common.policy import Actor, Permission
from domain.sheets.sheet import PatientSheet


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """Open a consumption sheet for a patient who is admitted.

    A patient may have several open sheets. With ``idempotency_key``, a repeated request opens no second sheet.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.OPEN_SHEETS)
    def __call__(
        self, actor: Actor, draft: SheetDraft, idempotency_key: IdempotencyKey | None = None
    ) -> Replayable[SheetView]:
        with self.begin() as work:
            return open_once(work, actor, idempotency_key, self.clock(), lambda: self.open_in(work, actor, draft))

    def open_in(self, work: UnitOfWork, actor: Actor, draft: SheetDraft) -> PatientSheet:
        """Open the sheet within a unit of work."""
        return open_sheet(work, actor, draft, self.clock())


def open_once(
    work: UnitOfWork,
    actor: Actor,
    idempotency_key: IdempotencyKey | None,
    at: datetime,
    open_new: Callable[[], PatientSheet],
) -> Replayable[SheetView]:
    """Open a sheet, or return the stored answer to a repeated request."""
    store = work.idempotency_store
    answer = store.recall(actor.user_id, idempotency_key, SheetView) if idempotency_key else None
    replayed = answer is not None
    if answer is None:
        answer = read_sheet(work, open_new().id)
        if idempotency_key:
            store.save(actor.user_id, idempotency_key, answer, at)
    return Replayable(redact_for(actor, answer, SheetView), replayed)


def open_sheet(
    work: UnitOfWork,
    actor: Actor,
    draft: SheetDraft,
    at: datetime,
    *,
    visit_number: str | None = None,
    external_record: str | None = None,
    **notes: str,
) -> PatientSheet:
    """Open a sheet within a unit of work.

    ``visit_number`` and ``external_record`` are set if a message of the hospital's system opens it.
    """
    actor.require(Permission.OPEN_SHEETS)
    filled_in = admission(work, draft, patient=locked_patient(work, draft), current=None)
    sheet = PatientSheet(**filled_in._asdict(), visit_number=visit_number, external_record=external_record)
    work.sheets.add(sheet)
    work.audit_log.append(entry(actor, at, AuditAction.SHEET_OPENED, after=sheet, **notes))
    return sheet
