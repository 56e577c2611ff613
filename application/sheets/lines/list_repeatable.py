"""List products that may be used again on a sheet.

They come from a day of the sheet, or from another sheet, and are added up by product.
"""

from dataclasses import dataclass
from datetime import date, datetime

from application.audit.access_log import AccessLog
from application.audit.audit_log import AuditEntry, Changes, entry_by_id
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.paging import InvalidQuery
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.detail_views import RepeatableView
from application.sheets.views import SheetView
from application.sheets.work import Begin, Read
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ListRepeatable:
    """List active products with the quantities that were recorded.

    They are those of ``day``, or else of the last day with details. For another sheet, ``from_sheet``, all days count
    unless a day is given, and the access is logged in the histories of both sheets. Nothing is recorded: the user ticks
    what was really used.
    """

    begin: Begin
    read: Read
    clock: Clock
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(
        self, actor: Actor, sheet_id: int, *, day: date | None = None, from_sheet: int | None = None
    ) -> RepeatableView:
        with self.read() as views:
            sheet = views.sheets.one(sheet_id)
            if sheet is None:
                raise NotFound
            source = views.sheets.one(from_sheet) if from_sheet else sheet
            if source is None:
                raise InvalidQuery("from_sheet")
            days = views.summaries.days(source["id"])
            if day is None and source is sheet and days:
                day = days[-1]
            items = views.summaries.products(source["id"], day)
        if source["id"] != sheet["id"]:
            self._note(actor, sheet, source)
        else:
            self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, RepeatableView(day=day, days=days, items=items), RepeatableView)

    def _note(self, actor: Actor, sheet: SheetView, source: SheetView) -> None:
        now = self.clock()
        with self.begin() as work:
            work.audit_log.extend(
                [
                    _entry(actor, now, sheet, from_sheet_id=source["id"]),
                    _entry(actor, now, source, to_sheet_id=sheet["id"]),
                ]
            )


def _entry(actor: Actor, at: datetime, sheet: SheetView, **other: int) -> AuditEntry:
    changes: Changes = {name: (None, number) for name, number in other.items()}
    return entry_by_id(
        actor,
        at,
        AuditAction.SHEET_COPIED_FROM,
        sheet["id"],
        changes,
        sheet_id=sheet["id"],
        patient_id=sheet["patient_id"],
    )
