"""List products that may be used again on a sheet.

They come from a day of the sheet, or from another sheet, and are added up by product.
"""

from collections.abc import Mapping
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
from application.sheets.work import Begin, Read, Views
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission

_NO_SHEET = 0


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
            source_id = from_sheet or sheet_id
            patients = {one: _patient_of(views, one) for one in dict.fromkeys((sheet_id, source_id))}
            if patients[sheet_id] == _NO_SHEET:
                raise NotFound
            if patients[source_id] == _NO_SHEET:
                raise InvalidQuery("from_sheet")
            days = views.summaries.days(source_id)
            if day is None and source_id == sheet_id and days:
                day = days[-1]
            items = views.summaries.products(source_id, day)
        if source_id != sheet_id:
            self._note(actor, sheet_id, source_id, patients)
        else:
            self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, RepeatableView(day=day, days=days, items=items), RepeatableView)

    def _note(self, actor: Actor, sheet_id: int, source_id: int, patients: Mapping[int, int | None]) -> None:
        now = self.clock()
        with self.begin() as work:
            work.audit_log.extend(
                [
                    _entry(actor, now, sheet_id, patients, from_sheet_id=source_id),
                    _entry(actor, now, source_id, patients, to_sheet_id=sheet_id),
                ]
            )


def _patient_of(views: Views, sheet_id: int) -> int | None:
    """Return the sheet's patient, None for a page, or ``_NO_SHEET``."""
    view = views.sheets.one(sheet_id)
    if view is not None:
        return view["patient_id"]
    return _NO_SHEET if views.version_of_sheet(sheet_id) is None else None


def _entry(actor: Actor, at: datetime, sheet_id: int, patients: Mapping[int, int | None], **other: int) -> AuditEntry:
    changes: Changes = {name: (None, number) for name, number in other.items()}
    return entry_by_id(
        actor,
        at,
        AuditAction.SHEET_COPIED_FROM,
        sheet_id,
        changes,
        sheet_id=sheet_id,
        patient_id=patients[sheet_id],
    )
