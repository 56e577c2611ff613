"""Open a consumption sheet."""

from dataclasses import dataclass

from application.audit import entry
from application.ports import Begin, Clock, Done, Once, UnitOfWork
from application.sheets.sheet_draft import SheetDraft, admission
from application.sheets.written import written_sheet
from application.views import SheetView, conceal_sheet
from domain.policy import Actor, Permission
from domain.sheet import Sheet


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """Open a consumption sheet for a patient who is admitted.

    A patient may have several open sheets. With ``once``, sending the same again opens no second.
    """

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: SheetDraft, once: Once | None = None) -> Done[SheetView]:
        actor.must(Permission.OPEN_SHEETS)
        with self.begin() as work:
            answer = work.answers.recall(actor.user_id, once, SheetView) if once else None
            replayed = answer is not None
            if answer is None:
                sheet = self.opened(work, actor, draft)
                answer = written_sheet(work, sheet.id)
                if once:
                    work.answers.keep(actor.user_id, once, answer, self.clock())
        if not actor.may(Permission.SEE_PRICES):
            conceal_sheet(answer)
        return Done(answer, replayed)

    def opened(self, work: UnitOfWork, actor: Actor, draft: SheetDraft) -> Sheet:
        """The sheet, kept within that unit of work."""
        actor.must(Permission.OPEN_SHEETS)
        sheet = Sheet(**admission(work, draft, current=None)._asdict())
        work.sheets.add(sheet)
        work.trail.append(entry(actor, self.clock(), "sheet.opened", "consumption_sheet", after=sheet))
        return sheet
