"""Print a sheet."""

from dataclasses import dataclass

from application.audit.audit_log import access_entry
from application.entities import AuditAction
from application.people.people import name_of_user
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.ports.views import Read
from application.redaction import redact_for
from application.sheets.closings import build_document, sheet_snapshot
from application.sheets.unlisted_views import open_unlisted_items
from application.views.audit import AuditQuery
from application.views.summaries import PrintedSheetView
from domain.errors import NotFound
from domain.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """Read a sheet for printing, with lines and totals by day and category.

    Prices are redacted for actors who may not see them. A closed sheet is printed as its closing froze it, or as the
    closing number ``turn`` did. An open sheet, or one that was closed before closings were stored, is printed as it is
    now. Unlisted items that arrived after the closing are added. Printing is logged in the sheet's history.
    """

    begin: Begin
    read: Read
    clock: Clock

    def __call__(self, actor: Actor, sheet_id: int, turn: int | None = None) -> PrintedSheetView:
        actor.require(Permission.READ_SHEETS)
        with self.read() as views:
            sheet = views.sheets.one(sheet_id)
            if sheet is None:
                raise NotFound
            document = views.closings.document(sheet_id, turn)
            if document is None:
                if turn is not None:
                    raise NotFound("turn")
                document = build_document(views, sheet_id)
            is_current = turn is None and sheet.get("unlisted_items", 0) > 0
            open_items = open_unlisted_items(views, sheet_id) if is_current else []
            printed_by = name_of_user(views, actor.user_id)
            reopened = any(
                views.audit.page(AuditQuery(sheet_id=sheet_id, action=action, limit=1))["meta"]["total"]
                for action in (AuditAction.SHEET_REOPENED, AuditAction.SHEET_CLOSING_UNDONE)
            )
        printed_at = self.clock()
        whole = sheet_snapshot(document)
        known = {item["id"] for item in whole["unlisted_items"]}
        whole["unlisted_items"] += [item for item in open_items if item["id"] not in known]
        view = PrintedSheetView(
            **whole,
            late_entries=sheet.get("late_entries", 0),
            reopened=reopened,
            printed_by=printed_by,
            printed_at=printed_at,
        )
        with self.begin() as work:
            work.audit_log.append(
                access_entry(
                    actor,
                    printed_at,
                    AuditAction.SHEET_PRINTED,
                    sheet_id,
                    sheet_id=sheet_id,
                    patient_id=view["sheet"]["patient_id"],
                )
            )
        return redact_for(actor, view, PrintedSheetView)
