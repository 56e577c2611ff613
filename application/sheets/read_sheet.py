"""Read one sheet."""

from dataclasses import dataclass

from application.common.clock import Clock
from application.sheets.sheet_access import ListSheets
from application.sheets.views import SheetView
from application.sheets.work import Read
from domain.common.policy import Actor
from domain.sheets.sheet import undo_closing_until


@dataclass(frozen=True, slots=True)
class ReadSheet:
    """Return a sheet, and until when the actor may undo its closing."""

    sheets: ListSheets
    read: Read
    clock: Clock

    def __call__(self, actor: Actor, sheet_id: int) -> SheetView:
        view = self.sheets.one(actor, sheet_id)
        closed_at, now = view["deleted_at"], self.clock()
        # Without a look at who closed it, for the many sheets that were closed long ago.
        if undo_closing_until(closed_at=closed_at, closed_by=actor.user_id, by=actor, now=now):
            with self.read() as views:
                closed_by = views.closings.closed_by(sheet_id)
            until = undo_closing_until(closed_at=closed_at, closed_by=closed_by, by=actor, now=now)
            if until:
                view["undo_closing_until"] = until
        return view
