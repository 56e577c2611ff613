"""Correct a quantity: void the detail and record another one instead."""

from dataclasses import dataclass, replace
from datetime import tzinfo
from decimal import Decimal

from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.redaction import redact_for
from application.common.store_errors import DuplicateEntry
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView
from application.sheets.line_changes import note_line_changes
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.draft_in_sheet import DraftInSheet
from application.sheets.lines.replays import find_replayed_lines
from application.sheets.locked_sheets import lock_detail
from application.sheets.notices import add_notices
from application.sheets.stores import ReferredIds
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.sheets.month_change import LineChange, MonthChangeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionDraft(Draft):
    """The correct quantity.

    ``acknowledged`` are the codes of the questions that the user overrides.
    """

    quantity: Decimal | None = None
    acknowledged: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CorrectDetail:
    """Correct the quantity of a detail on an open sheet.

    Ward staff may correct their own details, supervisors any. With ``idempotency_key``, a repeated request corrects
    nothing twice, however much later it arrives.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    ask_above_total: Decimal

    @permitted(Permission.ADD_DETAILS, Permission.DELETE_OWN_DETAILS)
    def __call__(
        self,
        actor: Actor,
        detail_id: int,
        draft: CorrectionDraft,
        expected: frozenset[int] | None = None,
        *,
        reason: str,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[DetailView]:
        try:
            with self.begin() as work:
                kept = idempotency_key and work.idempotency_store.recall(actor.user_id, idempotency_key, DetailView)
                answer = kept or self._correct(work, actor, detail_id, draft, expected, reason, idempotency_key)
                if idempotency_key and not kept:
                    work.idempotency_store.save(actor.user_id, idempotency_key, answer, answer["created_at"])
            replayed = bool(kept)
        except (DuplicateEntry, Refused) as error:
            [answer] = find_replayed_lines(self.begin, actor.user_id, idempotency_key, 1, error)
            replayed = True
        return Replayable(redact_for(actor, answer, DetailView), replayed)

    def _correct(
        self,
        work: UnitOfWork,
        actor: Actor,
        detail_id: int,
        draft: CorrectionDraft,
        expected: frozenset[int] | None,
        reason: str,
        idempotency_key: IdempotencyKey | None,
    ) -> DetailView:
        checks = Validator(draft.parse_errors, draft.acknowledged or ())
        now = self.clock()
        sheet, detail = lock_detail(work, actor, detail_id, now)
        detail.ensure_may_void(actor)
        detail.ensure_not_voided()
        detail.ensure_version(expected)
        if draft.quantity == 0:
            checks.add_error(Code.QUANTITY_ZERO, "quantity")
        if draft.quantity == detail.quantity:
            checks.add_error(Code.QUANTITY_SAME, "quantity", quantity=detail.quantity)
        referred = ReferredIds(detail.product_id, detail.staff_id, detail.area_id, detail.kit_id)
        corrected_draft = DraftInSheet(
            checks=checks,
            actor=actor,
            draft=DetailDraft(product_id=detail.product_id, quantity=draft.quantity, acknowledged=draft.acknowledged),
            sheet=sheet,
            pack=detail.pack,
            referred=referred,
            now=now,
            zone=self.zone,
            ask_above_total=self.ask_above_total,
            current=detail,
        )
        [found] = work.details.references([referred])
        used = corrected_draft.resolve(found)
        checks.add(sheet.check_open())
        checks.raise_if_invalid()
        assert used is not None, "a product that is in use exists"
        before = replace(detail)
        corrected = sheet.correct_quantity(
            detail,
            used.quantity,
            by=actor,
            at=now,
            reason=reason,
            acknowledged=checks.acknowledged_codes,
            entry_digest=idempotency_key.entry_digest(actor.user_id) if idempotency_key else None,
        )
        work.details.save(detail)
        work.details.record([corrected], sheet)
        if Code.LOT_RECALLED in corrected.acknowledged:
            work.recalled_uses.add([corrected.id])
        add_notices(work, actor, now, [(before, corrected)])
        today, kind = day_of(now, self.zone), MonthChangeKind.CORRECTED
        voided, added = LineChange(before, detail), LineChange(None, corrected)
        note_line_changes(
            work, actor, now, today, AuditAction.DETAIL_VOIDED, [voided], kind=kind, notes={"reason": reason}
        )
        note_line_changes(work, actor, now, today, AuditAction.DETAIL_ADDED, [added], kind=kind)
        return used.view_of(corrected, today)
