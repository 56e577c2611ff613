"""Log who looks at sheets."""

from collections.abc import Sequence

from application.audit.access_log import AccessLog, is_narrowed
from application.common.entities import SHEET, AuditAction
from application.records.list_reader import ListReader
from application.sheets.views import SHEET_SORTS, SheetQuery, SheetView
from domain.common.policy import Actor, Permission


class SheetAccess:
    """Access to sheets, which show their patients."""

    def __init__(self, access_log: AccessLog) -> None:
        self._access_log = access_log

    def listed(self, actor: Actor, query: SheetQuery, items: Sequence[SheetView]) -> None:
        """Log all sheets, those of one patient, or those that are named."""
        if not self.named(actor, query, items):
            self._access_log.note_list_read(actor, AuditAction.SHEET_LISTED)

    def named(self, actor: Actor, query: SheetQuery, items: Sequence[SheetView]) -> bool:
        """Log the sheets of a narrowed list."""
        if query.patient_id is not None and query.ids is None:
            if items:
                self._access_log.note_patient_sheets_read(actor, query.patient_id)
            return True
        if not is_narrowed(query, {item["patient"]["id"] for item in items}):
            return False
        self._access_log.note_sheets_read(actor, (item["id"] for item in items))
        return True

    def read(self, actor: Actor, item: SheetView) -> None:
        """Log one sheet."""
        self._access_log.note_sheet_read(actor, item["id"])

    def exported(self, actor: Actor, query: SheetQuery) -> bool:
        """Return False: exports of sheets are logged like any other list."""
        return False


class ListSheets(ListReader[SheetView, SheetQuery]):
    """The sheets, the newest first."""

    kind = SHEET
    permission = Permission.READ_SHEETS
    item_type = SheetView
    sorts = SHEET_SORTS
    access = SheetAccess
