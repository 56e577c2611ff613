"""Read a sheet within the unit of work that changed it."""

from application.common.redaction import redact_for
from application.sheets.views import SheetView
from application.sheets.work import UnitOfWork
from domain.common.policy import Actor


def read_sheet(work: UnitOfWork, sheet_id: int) -> SheetView:
    """Return the sheet as it is now, with prices."""
    view = work.views.sheets.one(sheet_id)
    assert view is not None, "a sheet under this unit of work's lock cannot be gone"
    return view


def read_sheet_for(actor: Actor, work: UnitOfWork, sheet_id: int) -> SheetView:
    """Return the sheet as it is now, redacted for the actor."""
    return redact_for(actor, read_sheet(work, sheet_id), SheetView)
