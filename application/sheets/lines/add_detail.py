"""Add a consumption detail."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.scanning import ReadScan
from application.common.store_errors import DuplicateEntry
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView
from application.sheets.lines.detail_draft import (
    DetailDraft,
    ResolvedDetail,
    answer_to,
    find_replayed_lines,
    pack_of,
    resolve_detail,
    time_of_use,
)
from application.sheets.recording import RecordingContext, RecordingRequest
from application.sheets.stores import SheetSince
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.scanning.lot import EMPTY_PACK, Pack, validate_pack
from domain.sheets.anomalies import duplicate_window_start, highest_total_unasked
from domain.sheets.detail import Detail


@dataclass(frozen=True, slots=True)
class ExternalOrigin:
    """When another system recorded a detail, and its price if known."""

    at: datetime
    unit_price: Decimal | None


@dataclass(frozen=True, slots=True)
class NotedBefore:
    """Data that a detail keeps from its unlisted item.

    ``decided_by`` is the supervisor who named the product.
    """

    decided_by: Actor
    room_id: int
    entry_digest: bytes | None


@dataclass(frozen=True, slots=True)
class AddDetail:
    """Record what a patient consumed, at the product's current price.

    ``sheet_id`` is the sheet in the request's path (``NotFound`` if it does not exist). Without it the draft has one.

    With ``idempotency_key``, a repeated request records nothing twice, however much later it arrives. It gets the
    stored answer again. If that was purged, it gets the line as it is now, even if it was voided meanwhile.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    read_scan: ReadScan
    ask_above_total: Decimal | None

    @permitted(Permission.ADD_DETAILS)
    def __call__(
        self,
        actor: Actor,
        draft: DetailDraft,
        *,
        sheet_id: int | None = None,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[DetailView]:
        try:
            with self.begin() as work:
                pack = pack_of(work, draft, None, self.read_scan)
                begun = work.begin_recording(self._recording_request(actor, draft, pack, sheet_id, idempotency_key))
                answer = begun.answer
                replayed = answer is not None
                if answer is None:
                    detail, used = self._record(
                        work, actor, draft, sheet_id, begun, pack=pack, idempotency_key=idempotency_key
                    )
                    answer = used.view_of(detail, day_of(detail.created_at, self.zone))
                    if idempotency_key:
                        work.idempotency_store.save(actor.user_id, idempotency_key, answer, answer["created_at"])
        except (DuplicateEntry, Refused) as error:
            answer, *_ = find_replayed_lines(self.begin, actor.user_id, idempotency_key, 1, error)
            replayed = True
        return Replayable(answer_to(actor, answer, DetailView), replayed)

    def record_in(
        self, work: UnitOfWork, actor: Actor, draft: DetailDraft, sheet_id: int, origin: ExternalOrigin
    ) -> None:
        """Record, within a unit of work, a detail of another system.

        Such details have no pack data.
        """
        actor.require(Permission.ADD_DETAILS)
        asked = RecordingRequest(actor.user_id, None, DetailView, sheet_id, draft.refers_to(actor, EMPTY_PACK), None)
        self._record(work, actor, draft, sheet_id, work.begin_recording(asked), origin=origin)

    def record_noted(
        self, work: UnitOfWork, recorder: Actor, draft: DetailDraft, sheet_id: int, noted: NotedBefore
    ) -> int:
        """Record an unlisted item as a detail, and return the detail's id.

        It happens within the given unit of work. ``recorder`` is the author of the detail. The audit log names the
        supervisor who decided.
        """
        pack = pack_of(work, draft, None, self.read_scan)
        begun = work.begin_recording(self._recording_request(recorder, draft, pack, sheet_id, None))
        detail, _ = self._record(work, recorder, draft, sheet_id, begun, pack=pack, noted=noted)
        return detail.id

    def _recording_request(
        self,
        actor: Actor,
        draft: DetailDraft,
        pack: Pack,
        sheet_id: int | None,
        idempotency_key: IdempotencyKey | None,
    ) -> RecordingRequest[DetailView]:
        # Errors are ignored here. They are reported with all others once the sheet is locked.
        ignored_errors, now = Validator(), self.clock()
        pack = validate_pack(ignored_errors, pack, day_of(now, self.zone))
        chosen = sheet_id or ignored_errors.required_id("consumption_sheet_id", draft.consumption_sheet_id) or 0
        since = SheetSince(chosen, duplicate_window_start(now))
        return RecordingRequest(actor.user_id, idempotency_key, DetailView, chosen, draft.refers_to(actor, pack), since)

    def _record(
        self,
        work: UnitOfWork,
        actor: Actor,
        draft: DetailDraft,
        sheet_id: int | None,
        begun: RecordingContext[DetailView],
        *,
        pack: Pack = EMPTY_PACK,
        origin: ExternalOrigin | None = None,
        noted: NotedBefore | None = None,
        idempotency_key: IdempotencyKey | None = None,
    ) -> tuple[Detail, ResolvedDetail]:
        """Record the detail, and return it with its resolved references."""
        checks = Validator(draft.parse_errors, draft.acknowledged or ())
        sheet = begun.sheet
        if sheet_id is None:
            checks.required_id("consumption_sheet_id", draft.consumption_sheet_id)
        if sheet is None:
            if sheet_id:
                raise NotFound
            checks.add_error(Code.REFERENCE_UNKNOWN, "consumption_sheet_id")
        now = self.clock()
        at = origin.at if origin else now
        use = time_of_use(checks, actor, draft, sheet, at=at, zone=self.zone)
        used = resolve_detail(
            work,
            checks,
            actor,
            draft,
            sheet=sheet,
            pack=pack,
            checks_pack=origin is None,
            today=day_of(now, self.zone),
            zone=self.zone,
            ask_above_total=highest_total_unasked(actor, self.ask_above_total),
            found=begun.found,
        )
        assert sheet is not None, "a missing sheet was refused"
        detail = used.recorded_on(
            sheet,
            by=actor,
            at=at,
            used=use,
            acknowledged=checks.acknowledged_codes,
            unit_price=origin.unit_price if origin else None,
            entry_digest=idempotency_key.entry_digest(actor.user_id) if idempotency_key else None,
        )
        if noted:
            detail.room_id, detail.entry_digest = noted.room_id, noted.entry_digest
        detail.id = begun.detail_id or detail.id
        work.details.record(detail, sheet)
        if Code.LOT_RECALLED in checks.acknowledged_codes:
            work.recalled_uses.add([detail.id])
        decided_by = noted.decided_by if noted else actor
        work.audit_log.append(entry(decided_by, now, AuditAction.DETAIL_ADDED, after=detail))
        return detail, used
