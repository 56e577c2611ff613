"""Late entries: entries that arrive after their sheet was closed.

They wait for a supervisor, so that they are neither lost nor recorded unnoticed.
"""

import json
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, cast

from application.audit.access_log import AccessLog
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.entity_view import EntityView
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.lines.recorder import Recorder
from application.sheets.several_details import MAX_BATCH_SIZE
from application.sheets.views import ErrorView, LateEntriesView, LateEntryView, LateItemView
from application.sheets.work import Begin, BeginReadOnly, UnitOfWork, Views
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission, Role
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.sheets.late_entry import Decision, LateEntry
from domain.sheets.sheet import Sheet, is_outside_recording_window

# The fields of a line that are stored as they were sent.
_KEPT = (
    *("product_id", "quantity", "staff_id", "area_id", "acknowledged", "recall_reason", "implant_reason"),
    *("scan", "gtin", "lot", "expiry", "serial", "use_reason"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntryDraft(Draft):
    """The form of a late entry: details used together, and the time of use."""

    items: tuple[DetailDraft, ...] | None = None
    kit_id: int | None = None
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissDraft(Draft):
    """The reason for dismissing a late entry."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLateDraft(Draft):
    """The questions that the supervisor overrides when recording.

    ``recall_reason`` is why recalled lots were used, and ``implant_reason`` why implants lack their lot or serial
    number; without one the author's reasons count.
    """

    acknowledged: tuple[str, ...] | None = None
    recall_reason: str | None = None
    implant_reason: str | None = None


@dataclass(frozen=True, slots=True)
class SubmitLateEntry:
    """Store an entry that the sheet no longer accepts, for a supervisor.

    Only its shape and size are validated. A repeated request with the same key returns the same entry, however much
    later it arrives.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.ADD_DETAILS)
    def __call__(
        self, actor: Actor, sheet_id: int, draft: LateEntryDraft, *, idempotency_key: IdempotencyKey
    ) -> Replayable[LateEntryView]:
        now = self.clock()
        digest = idempotency_key.entry_digest(actor.user_id)
        body, occurred_at = validate_late_entry(draft)
        with self.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            if sheet is None:
                raise NotFound
            late = work.late_entries.find("digest", digest)
            if late is not None:
                if (late.sheet_id, late.body) != (sheet_id, body):
                    raise Refused(Reason(Code.KEY_REUSED))
                return Replayable(_view(work.views, late), replayed=True)
            if work.details.find_by_entry_digest([digest]):
                raise Refused(Reason(Code.LATE_ENTRY_ENTERED))
            if not sheet.closed and not is_outside_recording_window(occurred_at, now, actor):
                raise Refused(Reason(Code.SHEET_NOT_CLOSED))
            late = LateEntry(
                sheet_id=sheet_id,
                user_id=actor.user_id,
                digest=digest,
                body=body,
                # The clock of a device may be ahead.
                occurred_at=min(occurred_at, now),
                arrived_at=now,
            )
            work.late_entries.add(late)
            sheet.touch()
            work.sheets.save(sheet)
            work.audit_log.append(entry(actor, now, AuditAction.LATE_ENTRY_ARRIVED, after=late))
            return Replayable(_view(work.views, late), replayed=False)


@dataclass(frozen=True, slots=True)
class ListLateEntries:
    """List a sheet's late entries, the undecided first.

    Each has the errors and questions that recording it now would cause.
    """

    begin_read_only: BeginReadOnly
    access_log: AccessLog
    recorder: Recorder

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor, sheet_id: int) -> LateEntriesView:
        with self.begin_read_only() as work:
            sheet = work.sheets.get(sheet_id)
            if sheet is None:
                raise NotFound
            found = work.late_entries.find_many("sheet_id", [sheet_id])
            found.sort(key=lambda late: (late.decision is not None, late.id))
            view = LateEntriesView(items=_views(work.views, found))
            for late, item in zip(found, view["items"], strict=True):
                if late.decision is None and (reasons := self._reasons(work, actor, sheet, late)):
                    item["errors"] = [*map(_error, reasons)]
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, view, LateEntriesView)

    def _reasons(self, work: UnitOfWork, actor: Actor, sheet: Sheet, late: LateEntry) -> tuple[Reason, ...]:
        author, details = _recording_of(work, actor, late)
        return self.recorder.reasons_against(work, author, sheet, details.on_sheet(sheet.id))


@dataclass(frozen=True, slots=True)
class DismissLateEntry:
    """Decide, with a reason, that a late entry is not recorded."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor, late_entry_id: int, draft: DismissDraft) -> LateEntryView:
        checks = Validator(draft.parse_errors)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        checks.raise_if_invalid()
        with self.begin() as work:
            late = _locked(work, late_entry_id)
            return _decided(work, actor, late, Decision.DISMISSED, self.clock(), reason)


@dataclass(frozen=True, slots=True)
class RecordLateEntry:
    """Record a late entry on its sheet, which must be open again.

    The author of the entry becomes the author of the details. They get the current prices. The rules are those for the
    supervisor who decides, and who has to answer all questions again. If anything is refused, nothing is recorded.
    """

    begin: Begin
    clock: Clock
    recorder: Recorder

    @permitted(Permission.BACKDATE_DETAILS, Permission.READ_SHEETS)
    def __call__(self, actor: Actor, late_entry_id: int, draft: RecordLateDraft) -> LateEntryView:
        Validator(draft.parse_errors).raise_if_invalid()
        with self.begin() as work:
            late = _locked(work, late_entry_id)
            late.ensure_pending()
            if work.details.find_by_entry_digest([late.digest]):
                raise Refused(Reason(Code.LATE_ENTRY_ENTERED))
            author, details = _recording_of(work, actor, late, draft)
            form_id = json.loads(late.body).get("form_id")
            recording = details.on_sheet(late.sheet_id)
            recording = recording._replace(digests=[late.digest], audited_as=actor, form_id=form_id)
            self.recorder.record_in(work, author, recording)
            return _decided(work, actor, late, Decision.RECORDED, self.clock())


def _decided(
    work: UnitOfWork, actor: Actor, late: LateEntry, decision: Decision, at: datetime, reason: str | None = None
) -> LateEntryView:
    before = replace(late)
    late.decide(decision, actor, at, reason)
    work.late_entries.save(late)
    sheet = work.sheets.lock(late.sheet_id)
    assert sheet is not None, "it was locked just now"
    sheet.touch()
    work.sheets.save(sheet)
    action = AuditAction.LATE_ENTRY_RECORDED if decision is Decision.RECORDED else AuditAction.LATE_ENTRY_DISMISSED
    work.audit_log.append(entry(actor, at, action, before=before, after=late))
    return _view(work.views, late)


def _locked(work: UnitOfWork, late_entry_id: int) -> LateEntry:
    """Lock the entry after its sheet, in the order that all use cases use."""
    late = work.late_entries.get(late_entry_id)
    if late is None or work.sheets.lock(late.sheet_id) is None:
        raise NotFound
    late = work.late_entries.lock(late_entry_id)
    if late is None:
        raise NotFound
    return late


def validate_late_entry(draft: LateEntryDraft, *, form_id: int | None = None) -> tuple[str, datetime]:
    """Return the body for storage and the time of use.

    Raise ``Refused`` for invalid fields. ``form_id`` is the contingency form on which it was noted.
    """
    checks = Validator(draft.parse_errors)
    items = draft.items or ()
    if not items:
        checks.add_error(Code.REQUIRED, "items")
    elif len(items) > MAX_BATCH_SIZE:
        checks.add_error(Code.ITEMS_TOO_MANY, "items", most=MAX_BATCH_SIZE)
    if draft.occurred_at is None:
        checks.add_error(Code.REQUIRED, "occurred_at")
    for place, item in enumerate(items[:MAX_BATCH_SIZE]):
        of_item = Validator(item.parse_errors)
        of_item.required_id("product_id", item.product_id)
        of_item.quantity("quantity", item.quantity)
        for name in ("scan", "gtin", "lot", "serial", "recall_reason", "implant_reason", "use_reason"):
            of_item.optional_text(name, getattr(item, name))
        for code in item.acknowledged or ():
            of_item.optional_line("acknowledged", code)
        checks.add(of_item.reasons, within=f"items.{place}")
    checks.raise_if_invalid()
    assert draft.occurred_at is not None, "refused above"
    kept: dict[str, Any] = {"items": [_as_sent(item) for item in items], "kit_id": draft.kit_id or None}
    if form_id is not None:
        kept["form_id"] = form_id
    return json.dumps(kept, separators=(",", ":")), draft.occurred_at


def _as_sent(item: DetailDraft) -> dict[str, Any]:
    sent = {name: getattr(item, name) for name in _KEPT}
    return {name: _plain(value) for name, value in sent.items() if value is not None}


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Decimal | date) else value


def _recording_of(
    work: UnitOfWork, actor: Actor, late: LateEntry, decision: RecordLateDraft | None = None
) -> tuple[Actor, DetailsDraft]:
    """Return the author with the supervisor's rights, and the lines.

    Only the supervisor's ``acknowledged`` codes count. The author's answers stay in the body, but were given before any
    validation.
    """
    author = work.users.get(late.user_id)
    recorder = replace(actor, user_id=author.id, staff_id=author.staff_id) if author else actor
    body = json.loads(late.body)

    def draft_of(sent: dict[str, Any]) -> DetailDraft:
        expiry = sent.get("expiry")
        # Ward staff record as their own profile.
        is_ward_staff = author is not None and author.role is Role.USER
        return DetailDraft(
            product_id=sent["product_id"],
            staff_id=recorder.staff_id if is_ward_staff else sent.get("staff_id"),
            area_id=sent.get("area_id"),
            use_reason=sent.get("use_reason"),
            scan=sent.get("scan"),
            gtin=sent.get("gtin"),
            lot=sent.get("lot"),
            serial=sent.get("serial"),
            quantity=Decimal(sent["quantity"]),
            expiry=date.fromisoformat(expiry) if expiry else None,
            acknowledged=(decision and decision.acknowledged) or (),
            recall_reason=(decision and decision.recall_reason) or sent.get("recall_reason"),
            implant_reason=(decision and decision.implant_reason) or sent.get("implant_reason"),
            occurred_at=late.occurred_at,
        )

    return recorder, DetailsDraft(items=tuple(map(draft_of, body["items"])), kit_id=body["kit_id"])


def _error(reason: Reason) -> ErrorView:
    error: dict[str, object] = {"field": reason.field, "code": reason.code, **reason.params}
    if reason.acknowledgeable:
        error["acknowledgeable"] = True
    return cast("ErrorView", error)


_LATE_ENTRY = EntityView[LateEntryView](
    LateEntryView,
    LateEntry,
    *("consumption_sheet_id", "items", "kit_id", "by", "decided_by"),
    # Only of undecided ones, in the list of a sheet.
    omitted={"errors"},
)


def _view(views: Views, late: LateEntry) -> LateEntryView:
    return _views(views, [late])[0]


def _views(views: Views, found: list[LateEntry]) -> list[LateEntryView]:
    bodies = [json.loads(late.body) for late in found]
    products = views.names("product_id", {item["product_id"] for body in bodies for item in body["items"]})
    people = {late.user_id for late in found} | {late.decided_by for late in found if late.decided_by}
    named, emails = views.names("user_id", people), views.names("account_id", people)

    def called(user_id: int | None) -> str | None:
        return None if user_id is None else named.get(user_id) or emails.get(user_id)

    return [
        _LATE_ENTRY.of(
            late,
            consumption_sheet_id=late.sheet_id,
            items=[
                LateItemView(
                    product_id=item["product_id"],
                    product=products.get(item["product_id"]),
                    quantity=Decimal(item["quantity"]),
                    lot=item.get("lot"),
                    expiry=date.fromisoformat(item["expiry"]) if item.get("expiry") else None,
                    serial=item.get("serial"),
                )
                for item in body["items"]
            ],
            kit_id=body["kit_id"],
            by=called(late.user_id),
            decided_by=called(late.decided_by),
        )
        for late, body in zip(found, bodies, strict=True)
    ]
