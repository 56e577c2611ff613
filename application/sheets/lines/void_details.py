"""Void consumption details.

What was recorded by mistake stays visible, but no longer counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.detail_views import DetailsView, DetailView
from application.sheets.line_changes import note_line_changes
from application.sheets.locked_sheets import lock_detail
from application.sheets.notices import add_notices
from application.sheets.several_details import check_ages, load_selection, validate_selection
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.sheets.detail import Detail
from domain.sheets.month_change import LineChange
from domain.sheets.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidDraft(Draft):
    """The reason for voiding a detail; ``ids`` select several details."""

    ids: tuple[int, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class VoidDetails:
    """Void details of an open sheet, with a reason.

    Ward staff may void their own details, supervisors any.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.DELETE_OWN_DETAILS)
    def __call__(
        self, actor: Actor, detail_id: int, draft: VoidDraft, expected: frozenset[int] | None = None
    ) -> DetailView:
        checks = Validator(draft.parse_errors)
        reason = checks.required_line("reason", draft.reason, longest=MAX_REASON_LENGTH)
        with self.begin() as work:
            sheet, detail = lock_detail(work, actor, detail_id, self.clock())
            detail.ensure_may_void(actor)
            detail.ensure_version(expected)
            checks.raise_if_invalid()
            now = self.clock()
            void(work, actor, sheet, [detail], now, day_of(now, self.zone), reason)
            [view] = work.views.details.by_ids([detail_id])
        return redact_for(actor, view, DetailView)

    @permitted(Permission.DELETE_OWN_DETAILS)
    def several(self, actor: Actor, draft: VoidDraft) -> DetailsView:
        """Void several details of one sheet, all or none."""
        checks = Validator(draft.parse_errors)
        reason = checks.required_line("reason", draft.reason, longest=MAX_REASON_LENGTH)
        ids = validate_selection(checks, draft.ids, "ids")
        with self.begin() as work:
            sheet = work.sheets.lock_of_detail(ids[0]) if ids else None
            details = load_selection(work, checks, sheet, ids, "ids")
            if sheet:
                check_ages(checks, sheet, details, "ids", by=actor, at=self.clock())
            if not all(detail.may_be_voided(actor) for detail in details):
                checks.add_error(Code.DETAIL_NOT_OWN, "ids")
            checks.raise_if_invalid()
            assert sheet is not None, "details of no sheet were refused"
            now = self.clock()
            void(work, actor, sheet, details, now, day_of(now, self.zone), reason)
            views = work.views.details.by_ids([detail.id for detail in details])
        return redact_for(actor, DetailsView(items=views), DetailsView)


def void(
    work: UnitOfWork,
    actor: Actor,
    sheet: Sheet,
    details: Sequence[Detail],
    at: datetime,
    today: date,
    reason: str | None = None,
) -> None:
    """Void details within a unit of work that has locked their sheet."""
    before = [replace(detail) for detail in details]
    for detail in details:
        sheet.void(detail, by=actor, at=at, reason=reason)
    work.details.save_all(details)
    work.sheets.save(sheet)
    notes = {"reason": reason} if reason else {}
    add_notices(work, actor, at, zip(before, details, strict=True))
    voided = [LineChange(*pair) for pair in zip(before, details, strict=True)]
    note_line_changes(work, actor, at, today, AuditAction.DETAIL_VOIDED, voided, notes=notes)
