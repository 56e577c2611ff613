"""Close a consumption sheet."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from application.audit.audit_log import entry
from application.billing.charging import charge_closing
from application.billing.ports import WriteChargesMessage
from application.closing.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.sheets.closings import build_document, lines_of, take_snapshot
from application.sheets.implants import lacks_reason
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.sheet_view import read_sheet_for
from application.sheets.views import SheetView
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.sheets.sheet import PatientSheet


@dataclass(frozen=True, slots=True)
class CloseSheet:
    """Close a consumption sheet, which makes the patient's account final.

    ``expected`` are the versions that the client knows, if given: a user who saw another total must not close this one.
    Open unlisted items, an unidentified patient, and implants that lack their lot or serial number without a reason
    have to be acknowledged. Charges are written in the
    same unit of work, if billing messages are configured.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    write_charges: WriteChargesMessage | None = None

    @permitted(Permission.CLOSE_SHEETS)
    def __call__(
        self,
        actor: Actor,
        sheet_id: int,
        expected: frozenset[int] | None = None,
        *,
        acknowledged: Collection[str] = (),
    ) -> SheetView:
        with self.begin() as work:
            before, sheet, now = self._close(work, actor, sheet_id, expected)
            document = build_document(work.views, sheet_id)
            checks = Validator(acknowledged=acknowledged)
            ask_about_closing(
                checks,
                unlisted_items=len(document["unlisted_items"]),
                unidentified=document["sheet"]["patient"].get("unidentified", False),
            )
            if untraced := [line["product"]["name"] for line in lines_of(document) if lacks_reason(line)]:
                # The line remains in the register of implants as incomplete, so the discharge does not have to wait.
                names = ", ".join(dict.fromkeys(untraced))
                checks.require_acknowledgement(Code.IMPLANTS_INCOMPLETE, count=len(untraced), names=names)
            checks.raise_if_invalid()
            closing = take_snapshot(work, sheet_id, actor.user_id, document)
            digest = closing.digest or ""
            work.audit_log.append(
                entry(actor, now, AuditAction.SHEET_CLOSED, before=before, after=sheet, document_digest=digest)
            )
            if self.write_charges:
                charge_closing(work, self.write_charges, closing, self.clock())
            return read_sheet_for(actor, work, sheet_id)

    def close(
        self,
        work: UnitOfWork,
        actor: Actor,
        sheet_id: int,
        expected: frozenset[int] | None = None,
        *,
        at: datetime | None = None,
    ) -> None:
        """Close the sheet within a unit of work, without freezing it.

        ``at`` is the time at which another system closed it. The caller has nothing that ``ask_about_closing`` asks.
        """
        before, sheet, now = self._close(work, actor, sheet_id, expected, at=at)
        work.audit_log.append(entry(actor, now, AuditAction.SHEET_CLOSED, before=before, after=sheet))

    def _close(
        self,
        work: UnitOfWork,
        actor: Actor,
        sheet_id: int,
        expected: frozenset[int] | None,
        *,
        at: datetime | None = None,
    ) -> tuple[PatientSheet, PatientSheet, datetime]:
        """Close the sheet. Return it before and after, and the time."""
        actor.require(Permission.CLOSE_SHEETS)
        sheet = lock_patient_sheet(work, sheet_id)
        sheet.ensure_version(expected)
        before = replace(sheet)
        now = self.clock()
        closed_at = at or now
        sheet.close(closed_at, day_of(closed_at, self.zone))
        work.sheets.save(sheet)
        return before, sheet, now


def ask_about_closing(checks: Validator, *, unlisted_items: int, unidentified: bool) -> None:
    """Ask about what only a user may decide before a sheet is closed.

    ``unlisted_items`` is the number of open ones.
    """
    if unlisted_items:
        checks.require_acknowledgement(Code.UNLISTED_ITEMS_OPEN, count=unlisted_items)
    if unidentified:
        checks.require_acknowledgement(Code.PATIENT_UNIDENTIFIED)
