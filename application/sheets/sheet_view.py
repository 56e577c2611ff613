"""What a sheet looks like after it was changed, read within the unit of work that changed it."""

from application.ports.unit_of_work import UnitOfWork
from application.redaction import as_seen_by
from application.views import SheetView
from domain.policy import Actor


def sheet_view(work: UnitOfWork, sheet_id: int) -> SheetView:
    """The sheet as it now is."""
    view = work.views.sheets.one(sheet_id)
    assert view is not None, "a sheet under this unit of work's lock cannot be gone"
    return view


def read_sheet_for(actor: Actor, work: UnitOfWork, sheet_id: int) -> SheetView:
    """The sheet as it now is, as far as the actor may see it."""
    return as_seen_by(actor, sheet_view(work, sheet_id))
