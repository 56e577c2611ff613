"""What a sheet looks like after it was changed, read within the unit of work that changed it."""

from application.ports import UnitOfWork
from application.views import SheetView, conceal_sheet
from domain.policy import Actor, Permission


def written_sheet(work: UnitOfWork, sheet_id: int) -> SheetView:
    """The sheet as it now is."""
    view = work.views.sheets.one(sheet_id)
    assert view is not None, "a sheet under this unit of work's lock cannot be gone"
    return view


def written_sheet_for(actor: Actor, work: UnitOfWork, sheet_id: int) -> SheetView:
    """The sheet as it now is, as far as the actor may see it."""
    view = written_sheet(work, sheet_id)
    if not actor.may(Permission.SEE_PRICES):
        conceal_sheet(view)
    return view
