"""Mark supplies on a sheet as thrown away, and take the mark back."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import tzinfo
from decimal import Decimal

from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable, answer_once
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.detail_views import DetailsView, DetailView
from application.sheets.line_changes import note_line_changes
from application.sheets.locked_sheets import ensure_of_patient, lock_detail
from application.sheets.notices import add_notices
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.hospital.use_reason import UseReason
from domain.sheets.month_change import LineChange, MonthChangeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class WasteDraft(Draft):
    """The quantity that was thrown away, and why."""

    quantity: Decimal | None = None
    use_reason: str | None = None


@dataclass(frozen=True, slots=True)
class MarkWaste:
    """Mark a detail, or a part of it, as thrown away.

    A part becomes a detail of its own. The patient is charged for the reasons in ``billed_waste``. Any actor who may
    return details may do so for details of other authors. With ``idempotency_key``, a repeated request marks nothing
    twice.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    billed_waste: Collection[UseReason]

    @permitted(Permission.RETURN_DETAILS)
    def __call__(
        self,
        actor: Actor,
        detail_id: int,
        draft: WasteDraft,
        expected: frozenset[int] | None = None,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[DetailsView]:
        with self.begin() as work:
            done = answer_once(
                work.idempotency_store,
                actor.user_id,
                idempotency_key,
                DetailsView,
                lambda: self._mark(work, actor, detail_id, draft, expected),
                self.clock,
            )
        return Replayable(redact_for(actor, done.answer, DetailsView), done.replayed)

    def _mark(
        self, work: UnitOfWork, actor: Actor, detail_id: int, draft: WasteDraft, expected: frozenset[int] | None
    ) -> DetailsView:
        checks = Validator(draft.parse_errors)
        reason = checks.str_enum("use_reason", draft.use_reason, UseReason)
        quantity = checks.quantity("quantity", draft.quantity)
        if not quantity:
            checks.add_error(Code.REQUIRED, "quantity")
        now = self.clock()
        locked, detail = lock_detail(work, actor, detail_id, now)
        sheet = ensure_of_patient(work, locked)
        detail.ensure_version(expected)
        product = work.products.get(detail.product_id)
        if product:
            checks.within_precision("quantity", quantity, product.decimals)
        checks.raise_if_invalid()
        today = day_of(now, self.zone)
        before = replace(detail)
        part = sheet.mark_wasted(detail, quantity, reason, billed=self.billed_waste, at=now)
        work.details.save(detail)
        if part:
            work.details.record([part], sheet)
            if Code.LOT_RECALLED in part.acknowledged:
                work.recalled_uses.add([part.id])
        else:
            work.sheets.save(sheet)
        wasted = part or detail
        add_notices(work, actor, now, [(before, wasted)])
        if part:
            kept = LineChange(before, detail)
            note_line_changes(work, actor, now, today, AuditAction.DETAIL_EDITED, [kept], kind=MonthChangeKind.WASTED)
        change = LineChange(None if part else before, wasted)
        note_line_changes(work, actor, now, today, AuditAction.DETAIL_WASTED, [change])
        ids = [detail.id, part.id] if part else [detail.id]
        return DetailsView(items=work.views.details.by_ids(ids))


@dataclass(frozen=True, slots=True)
class UnmarkWaste:
    """Take back that a detail was thrown away."""

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.RETURN_DETAILS)
    def __call__(self, actor: Actor, detail_id: int, expected: frozenset[int] | None = None) -> DetailView:
        with self.begin() as work:
            locked, detail = lock_detail(work, actor, detail_id, self.clock())
            sheet = ensure_of_patient(work, locked)
            detail.ensure_version(expected)
            product = work.products.get(detail.product_id)
            assert product is not None, "a product that is in use exists"
            before = replace(detail)
            sheet.unmark_wasted(detail, product)
            work.details.save(detail)
            work.sheets.save(sheet)
            now, change = self.clock(), LineChange(before, detail)
            today = day_of(now, self.zone)
            note_line_changes(work, actor, now, today, AuditAction.DETAIL_WASTE_UNDONE, [change])
            [view] = work.views.details.by_ids([detail_id])
        return redact_for(actor, view, DetailView)
