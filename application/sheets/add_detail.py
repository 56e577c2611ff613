"""Add a consumption detail."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal

from application.as_seen_by import as_seen_by
from application.audit_log import entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.idempotency import IdempotencyKey, Replayable
from application.ports.scanning import ReadScan
from application.ports.stores import SheetSince
from application.ports.unit_of_work import AlreadyEntered, Begin, UnitOfWork
from application.sheets.detail_draft import Consumption, DetailDraft, consumption, lines_entered_before, pack_of, use_of
from application.views import DetailView
from domain.checks import Checks
from domain.day import day_of
from domain.policy import Actor, Permission
from domain.refusal import Code, NotFound, Refused
from domain.sheet import Detail
from domain.unusual import repeats_since


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """When another system recorded a detail, and at which price if it tells."""

    at: datetime
    unit_price: Decimal | None


@dataclass(frozen=True, slots=True)
class AddDetail:
    """Record what a patient consumed, at the product's price of this moment.

    ``sheet_id`` is the sheet at which the actor stands (``NotFound`` where there is none); without it the draft names
    one. With ``idempotency_key``, sending the same again records nothing twice, however much later: the answer that was
    kept is given once more or, where it is kept no longer, the line as it is now, even if it was taken back meanwhile.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    read_scan: ReadScan

    def __call__(
        self,
        actor: Actor,
        draft: DetailDraft,
        *,
        sheet_id: int | None = None,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[DetailView]:
        actor.must(Permission.ADD_DETAILS)
        try:
            with self.begin() as work:
                answer = (
                    work.idempotency_store.recall(actor.user_id, idempotency_key, DetailView)
                    if idempotency_key
                    else None
                )
                replayed = answer is not None
                if answer is None:
                    answer = self._add(work, actor, draft, sheet_id, idempotency_key)
                    if idempotency_key:
                        work.idempotency_store.keep(actor.user_id, idempotency_key, answer, answer["created_at"])
        except (AlreadyEntered, Refused) as error:
            answer, *_ = lines_entered_before(self.begin, actor.user_id, idempotency_key, 1, error)
            replayed = True
        return Replayable(as_seen_by(actor, answer), replayed)

    def _add(
        self,
        work: UnitOfWork,
        actor: Actor,
        draft: DetailDraft,
        sheet_id: int | None,
        idempotency_key: IdempotencyKey | None,
    ) -> DetailView:
        detail, used = self.recorded(work, actor, draft, sheet_id, idempotency_key=idempotency_key)
        return used.view_of(detail, day_of(detail.created_at, self.zone))

    def recorded(
        self,
        work: UnitOfWork,
        actor: Actor,
        draft: DetailDraft,
        sheet_id: int | None = None,
        *,
        elsewhere: Elsewhere | None = None,
        idempotency_key: IdempotencyKey | None = None,
    ) -> tuple[Detail, Consumption]:
        """The detail, kept within that unit of work, and all it refers to; ``elsewhere`` tells of another system's."""
        actor.must(Permission.ADD_DETAILS)
        checks = Checks(draft.unreadable, draft.acknowledged or ())
        chosen = sheet_id or checks.reference("consumption_sheet_id", draft.consumption_sheet_id)
        sheet = work.sheets.lock(chosen) if chosen else None
        if sheet is None:
            if sheet_id:
                raise NotFound
            checks.refuse(Code.REFERENCE_UNKNOWN, "consumption_sheet_id")
        now = self.clock()
        at = elsewhere.at if elsewhere else now
        use = use_of(checks, actor, draft, sheet, at=at, zone=self.zone)
        used = consumption(
            work,
            checks,
            actor,
            draft,
            sheet=sheet,
            pack=pack_of(draft, None, self.read_scan),
            is_judged=elsewhere is None,
            today=day_of(now, self.zone),
            # What another system recorded is not recorded at this moment.
            since=SheetSince(sheet.id, repeats_since(now)) if sheet and not elsewhere else None,
        )
        assert sheet is not None, "a missing sheet was refused"
        detail = used.recorded_on(
            sheet,
            by=actor,
            at=at,
            used=use,
            acknowledged=checks.gone_past,
            unit_price=elsewhere.unit_price if elsewhere else None,
            entry_digest=idempotency_key.entry_digest(actor.user_id) if idempotency_key else None,
        )
        work.details.record(detail, sheet)
        if Code.LOT_RECALLED in checks.gone_past:
            work.recalled_uses.note([detail.id])
        work.audit_log.append(entry(actor, now, AuditAction.DETAIL_ADDED, after=detail))
        return detail, used
