"""Update a consumption sheet."""

from dataclasses import dataclass, replace
from datetime import date, tzinfo

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.sheets.admission_data import forget_admission_data
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.sheet_draft import SheetDraft, admission, locked_patient
from application.sheets.sheet_view import read_sheet_for
from application.sheets.views import SheetView
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class UpdateSheet:
    """Correct the admission data.

    ``expected`` are the versions that the client knows, if given.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.EDIT_SHEETS)
    def __call__(
        self, actor: Actor, sheet_id: int, draft: SheetDraft, expected: frozenset[int] | None = None
    ) -> SheetView:
        with self.begin() as work:
            # Lock the patient before the sheet, as all use cases do.
            patient = locked_patient(work, draft)
            sheet = lock_patient_sheet(work, sheet_id)
            sheet.ensure_version(expected)
            before = replace(sheet)
            is_moved = draft.admission_date not in (None, sheet.admission_date)
            first_used = first_day(work, sheet.id, self.zone) if is_moved else None
            filled_in = admission(work, draft, patient=patient, current=sheet, first_used=first_used)
            sheet.update_admission(**filled_in._asdict(), first_used=first_used)
            if sheet.patient_id != before.patient_id:
                forget_admission_data(sheet)
            work.sheets.save(sheet)
            work.audit_log.append(entry(actor, self.clock(), AuditAction.SHEET_UPDATED, before=before, after=sheet))
            return read_sheet_for(actor, work, sheet.id)


def first_day(work: UnitOfWork, sheet_id: int, zone: tzinfo) -> date | None:
    """Return the first day of use or of a transfer on a sheet."""
    first_used, first_moved = work.details.first_day(sheet_id), work.transfers.first(sheet_id)
    days = (first_used, day_of(first_moved.at, zone) if first_moved else None)
    return min((day for day in days if day is not None), default=None)
