"""Return unused supplies, at the price of their line."""

from dataclasses import dataclass, replace
from datetime import tzinfo
from decimal import Decimal

from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable, answer_once
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView
from application.sheets.line_changes import note_line_changes
from application.sheets.locked_sheets import lock_detail
from application.sheets.notices import add_notices
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.sheets.detail import DetailReturn, ReturnReason
from domain.sheets.month_change import LineChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnDraft(Draft):
    """The quantity that came back, and the reason.

    ``total`` is the new total of the line, required if the old one was set by hand.
    """

    quantity: Decimal | None = None
    reason: str | None = None
    note: str | None = None
    total: Decimal | None = None


@dataclass(frozen=True, slots=True)
class ReturnDetail:
    """Return a part of a detail, which reduces its quantity and total.

    The sheet's total decreases too. Any actor who may return details may do so for details of other authors. With
    ``idempotency_key``, a repeated request returns nothing twice.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.RETURN_DETAILS)
    def __call__(
        self,
        actor: Actor,
        detail_id: int,
        draft: ReturnDraft,
        expected: frozenset[int] | None = None,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[DetailView]:
        with self.begin() as work:
            done = answer_once(
                work.idempotency_store,
                actor.user_id,
                idempotency_key,
                DetailView,
                lambda: self._return(work, actor, detail_id, draft, expected),
                self.clock,
            )
        return Replayable(redact_for(actor, done.answer, DetailView), done.replayed)

    def _return(
        self, work: UnitOfWork, actor: Actor, detail_id: int, draft: ReturnDraft, expected: frozenset[int] | None
    ) -> DetailView:
        checks = Validator(draft.parse_errors)
        reason = checks.str_enum("reason", draft.reason, ReturnReason)
        note = checks.optional_line("note", draft.note, longest=MAX_REASON_LENGTH)
        quantity = checks.quantity("quantity", draft.quantity)
        if not quantity:
            checks.add_error(Code.REQUIRED, "quantity")
        may_set = draft.total is not None and actor.can(Permission.SEE_PRICES)
        total = checks.line_total("total", draft.total) if may_set else None
        now = self.clock()
        sheet, detail = lock_detail(work, actor, detail_id, now)
        detail.ensure_version(expected)
        product = work.products.get(detail.product_id)
        if product:
            checks.within_precision("quantity", quantity, product.decimals)
        checks.raise_if_invalid()
        today = day_of(now, self.zone)
        before = replace(detail)
        sheet.return_quantity(detail, quantity, by=actor, total=total)
        work.details.save(detail)
        work.details.add_return(
            DetailReturn(
                detail_id=detail.id,
                quantity=quantity,
                total=before.total - detail.total,
                reason=reason,
                note=note,
                user_id=actor.user_id,
                at=now,
                day=today,
            )
        )
        work.sheets.save(sheet)
        add_notices(work, actor, now, [(before, detail)])
        notes = {"reason": reason, **({"note": note} if note else {})}
        change = LineChange(before, detail)
        note_line_changes(work, actor, now, today, AuditAction.DETAIL_RETURNED, [change], notes=notes)
        [view] = work.views.details.by_ids([detail.id])
        return view
