"""Unlisted items: used supplies that are not in the catalogue.

They are noted on the sheet until a supervisor decides.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from decimal import Decimal

from application.audit.access_log import AccessLog
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.use_case import permitted
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.draft_in_sheet import ask_if_before_admission
from application.sheets.lines.recorder import Recorder, Recording
from application.sheets.unlisted_views import open_unlisted_items, unlisted_item_view
from application.sheets.views import UnlistedItemsView, UnlistedItemView
from application.sheets.work import Begin, Read, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.sheets.sheet import CLOCK_DRIFT, AreaSheet, PatientSheet, Sheet, validate_use_reason
from domain.sheets.unlisted_item import MAX_OPEN_ON_SHEET, UnlistedItem


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlistedItemDraft(Draft):
    """The form of an unlisted item. Without ``occurred_at`` it was used now."""

    description: str | None = None
    quantity: Decimal | None = None
    staff_id: int | None = None
    area_id: int | None = None
    use_reason: str | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveDraft(Draft):
    """The product of an unlisted item, pack data, and acknowledged questions."""

    product_id: int | None = None
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    acknowledged: tuple[str, ...] | None = None
    recall_reason: str | None = None
    implant_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardDraft(Draft):
    """The reason for discarding an unlisted item."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class NoteUnlistedItem:
    """Note a used supply on a sheet that is not in the catalogue.

    A closed sheet accepts items that were used before its closing and arrive only now, because they wait for a
    supervisor in any case. For the same reason there is no limit of how long ago it was used. With ``idempotency_key``,
    a repeated request notes nothing twice, however much later it arrives.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(
        self,
        actor: Actor,
        sheet_id: int,
        draft: UnlistedItemDraft,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[UnlistedItemView]:
        digest = idempotency_key.entry_digest(actor.user_id) if idempotency_key else None
        with self.begin() as work:
            kept = idempotency_key and work.idempotency_store.recall(actor.user_id, idempotency_key, UnlistedItemView)
            if kept:
                return Replayable(kept, replayed=True)
            sheet = work.sheets.lock(sheet_id)
            if sheet is None:
                raise NotFound
            before = work.unlisted_items.find("digest", digest) if digest else None
            if before is not None and before.sheet_id != sheet_id:
                raise Refused(Reason(Code.KEY_REUSED))
            item = before or self._note(work, actor, sheet, draft, digest)
            view = unlisted_item_view(work.views, item)
            if idempotency_key and before is None:
                work.idempotency_store.save(actor.user_id, idempotency_key, view, item.created_at)
            return Replayable(view, replayed=before is not None)

    def _note(
        self, work: UnitOfWork, actor: Actor, sheet: Sheet, draft: UnlistedItemDraft, digest: bytes | None
    ) -> UnlistedItem:
        now = self.clock()
        checks = Validator(draft.parse_errors, draft.acknowledged or ())
        description = checks.required_line("description", draft.description)
        quantity = checks.quantity("quantity", draft.quantity)
        if not quantity:
            checks.add_error(Code.REQUIRED, "quantity")
        occurred_at = draft.occurred_at or now
        if occurred_at > now + CLOCK_DRIFT:
            checks.add_error(Code.USED_IN_FUTURE, "occurred_at")
        occurred_at = min(occurred_at, now)
        field = "occurred_at" if draft.occurred_at else "admission_date"
        ask_if_before_admission(checks, actor, sheet, day_of(occurred_at, self.zone), field)
        checks.add(sheet.check_open(occurred_at))
        # Ward staff record as their own profile, regardless of the request.
        any_staff = actor.can(Permission.RECORD_FOR_ANY_STAFF)
        staff_id = (draft.staff_id or None) if any_staff else actor.staff_id
        area_id = sheet.area_id if isinstance(sheet, AreaSheet) else draft.area_id or None
        use_reason = validate_use_reason(checks, draft.use_reason, sheet)
        if staff_id and work.staff.get(staff_id) is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "staff_id")
        if area_id and work.areas.get(area_id) is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
        if sum(one.open for one in work.unlisted_items.find_many("sheet_id", [sheet.id])) >= MAX_OPEN_ON_SHEET:
            checks.add_error(Code.UNLISTED_ITEMS_TOO_MANY, most=MAX_OPEN_ON_SHEET)
        checks.raise_if_invalid()
        item = UnlistedItem(
            sheet_id=sheet.id,
            user_id=actor.user_id,
            staff_id=staff_id,
            area_id=area_id,
            room_id=sheet.room_id if isinstance(sheet, PatientSheet) else None,
            use_reason=use_reason,
            description=description,
            quantity=quantity,
            occurred_at=occurred_at,
            created_at=now,
            digest=digest,
        )
        work.unlisted_items.add(item)
        sheet.touch()
        work.sheets.save(sheet)
        work.audit_log.append(entry(actor, now, AuditAction.UNLISTED_ITEM_NOTED, after=item))
        return item


@dataclass(frozen=True, slots=True)
class ListUnlistedItems:
    """List the open unlisted items of a sheet, by time of use."""

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> UnlistedItemsView:
        with self.read() as views:
            if views.version_of_sheet(sheet_id) is None:
                raise NotFound
            view = UnlistedItemsView(items=open_unlisted_items(views, sheet_id))
        self.access_log.note_sheet_read(actor, sheet_id)
        return view


@dataclass(frozen=True, slots=True)
class ResolveUnlistedItem:
    """Record an unlisted item as a product, at the current price.

    The rules are those of any recording. The detail keeps the item's author, time of use, staff, area, room and
    quantity. The supervisor who decides has to answer all questions.
    """

    begin: Begin
    clock: Clock
    recorder: Recorder

    @permitted(Permission.BACKDATE_DETAILS, Permission.READ_SHEETS)
    def __call__(self, actor: Actor, item_id: int, draft: ResolveDraft) -> UnlistedItemView:
        with self.begin() as work:
            item = _lock(work, item_id)
            item.raise_if_decided()
            detail_draft = DetailDraft(
                product_id=draft.product_id,
                quantity=item.quantity,
                staff_id=item.staff_id,
                area_id=item.area_id,
                use_reason=item.use_reason,
                occurred_at=item.occurred_at,
                gtin=draft.gtin,
                lot=draft.lot,
                expiry=draft.expiry,
                serial=draft.serial,
                acknowledged=draft.acknowledged,
                recall_reason=draft.recall_reason,
                implant_reason=draft.implant_reason,
                parse_errors=draft.parse_errors,
            )
            author = replace(actor, user_id=item.user_id, staff_id=item.staff_id)
            recording = Recording(
                sheet_id=item.sheet_id,
                items=[detail_draft],
                digests=[item.digest],
                audited_as=actor,
                room_id=item.room_id,
            )
            [(detail, _)] = self.recorder.record_in(work, author, recording)
            return _decide(
                work,
                actor,
                item,
                AuditAction.UNLISTED_ITEM_RESOLVED,
                self.clock(),
                lambda now: item.resolve(detail.id, by=actor, at=now),
            )


@dataclass(frozen=True, slots=True)
class DiscardUnlistedItem:
    """Decide, with a reason, that an item becomes no detail.

    This is possible on a closed sheet too.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor, item_id: int, draft: DiscardDraft) -> UnlistedItemView:
        checks = Validator(draft.parse_errors)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        checks.raise_if_invalid()
        with self.begin() as work:
            item = _lock(work, item_id)
            return _decide(
                work,
                actor,
                item,
                AuditAction.UNLISTED_ITEM_DISCARDED,
                self.clock(),
                lambda now: item.discard(reason, by=actor, at=now),
            )


@dataclass(frozen=True, slots=True)
class WithdrawUnlistedItem:
    """Take back an unlisted item that the actor noted on an open sheet."""

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, item_id: int) -> None:
        with self.begin() as work:
            item = _lock(work, item_id)
            sheet = work.sheets.get(item.sheet_id)
            assert sheet is not None, "it was locked just now"
            sheet.ensure_open()
            _decide(
                work,
                actor,
                item,
                AuditAction.UNLISTED_ITEM_WITHDRAWN,
                self.clock(),
                lambda now: item.withdraw(by=actor, at=now),
            )


def _lock(work: UnitOfWork, item_id: int) -> UnlistedItem:
    """Lock the sheet and then the item, in the order of all use cases."""
    item = work.unlisted_items.get(item_id)
    if item is None or work.sheets.lock(item.sheet_id) is None:
        raise NotFound
    item = work.unlisted_items.lock(item_id)
    if item is None:
        raise NotFound
    return item


def _decide(
    work: UnitOfWork,
    actor: Actor,
    item: UnlistedItem,
    action: AuditAction,
    now: datetime,
    change: Callable[[datetime], None],
) -> UnlistedItemView:
    before = replace(item)
    change(now)
    work.unlisted_items.save(item)
    sheet = work.sheets.lock(item.sheet_id)
    assert sheet is not None, "it was locked just now"
    sheet.touch()
    work.sheets.save(sheet)
    work.audit_log.append(entry(actor, now, action, before=before, after=item))
    return unlisted_item_view(work.views, item)
