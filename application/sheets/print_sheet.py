"""Print a sheet."""

from dataclasses import dataclass
from datetime import datetime

from application.audit.audit_log import access_entry
from application.audit.views import AuditQuery
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.people.people import name_of_user
from application.sheets.closings import build_document, sheet_snapshot
from application.sheets.summary_views import PrintedSheetView
from application.sheets.unlisted_views import open_unlisted_items
from application.sheets.work import Begin, Read, Views
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.scanning.label import LabelKind, paper_label_text


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

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, turn: int | None = None) -> PrintedSheetView:
        printed_at = self.clock()
        with self.read() as views:
            view = build_printed_sheet(views, sheet_id, turn, user_id=actor.user_id, printed_at=printed_at)
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


def build_printed_sheet(
    views: Views, sheet_id: int, turn: int | None, *, user_id: int, printed_at: datetime
) -> PrintedSheetView:
    """Build the view of a printed sheet, with prices."""
    sheet = views.sheets.one(sheet_id)
    if sheet is None:
        raise NotFound
    closing = views.closings.frozen(sheet_id, turn)
    if closing is None and turn is not None:
        raise NotFound("turn")
    document = closing.document if closing else build_document(views, sheet_id)
    is_current = turn is None and sheet.get("unlisted_items", 0) > 0
    open_items = open_unlisted_items(views, sheet_id) if is_current else []
    whole = sheet_snapshot(document)
    known = {item["id"] for item in whole["unlisted_items"]}
    whole["unlisted_items"] += [item for item in open_items if item["id"] not in known]
    proof = None
    if closing and closing.digest:
        number = views.installation_number()
        proof = paper_label_text(LabelKind.CLOSING, sheet_id, closing.turn, closing.digest, number)
    return PrintedSheetView(
        **whole,
        late_entries=sheet.get("late_entries", 0),
        reopened=_was_reopened(views, sheet_id),
        printed_by=name_of_user(views, user_id),
        printed_at=printed_at,
        turn=closing.turn if closing else None,
        proof=proof,
    )


def _was_reopened(views: Views, sheet_id: int) -> bool:
    return any(
        views.audit.page(AuditQuery(sheet_id=sheet_id, action=action, limit=1))["meta"]["total"]
        for action in (AuditAction.SHEET_REOPENED, AuditAction.SHEET_CLOSING_UNDONE)
    )
