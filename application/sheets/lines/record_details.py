"""Record several consumption details at once, such as those of a kit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from decimal import Decimal
from itertools import chain, repeat
from typing import NamedTuple

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.redaction import redact_for
from application.common.scanning import ReadScan
from application.common.store_errors import DuplicateEntry
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView, RecordedDetailsView, WarningView
from application.sheets.lines.detail_draft import (
    DetailDraft,
    ResolvedDetail,
    TimeOfUse,
    answer_to,
    check_kit,
    find_replayed_lines,
    pack_of,
    resolve_fields,
    time_of_use,
)
from application.sheets.several_details import MAX_BATCH_SIZE
from application.sheets.stores import SheetSince
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.text import code_key
from domain.common.validation import Validator
from domain.scanning.lot import validate_pack
from domain.sheets.anomalies import duplicate_window_start, highest_total_unasked
from domain.sheets.detail import Detail
from domain.sheets.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailsDraft(Draft):
    """The form for recording several details, usually those of a kit.

    Each line has what the user saw and chose.
    """

    items: tuple[DetailDraft, ...] | None = None
    kit_id: int | None = None


@dataclass(frozen=True, slots=True)
class RecordDetails:
    """Record up to ``MAX_BATCH_SIZE`` details on a sheet, all or none.

    The number of statements does not depend on the number of details. With ``idempotency_key``, a repeated request
    records nothing twice.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    read_scan: ReadScan
    ask_above_total: Decimal

    @permitted(Permission.ADD_DETAILS)
    def __call__(
        self,
        actor: Actor,
        sheet_id: int,
        draft: DetailsDraft,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[RecordedDetailsView]:
        try:
            with self.begin() as work:
                kept = idempotency_key and work.idempotency_store.recall(
                    actor.user_id, idempotency_key, RecordedDetailsView
                )
                answer = kept or self._record(work, actor, sheet_id, draft, _digests(actor, idempotency_key))
                if idempotency_key and not kept:
                    at = answer["items"][0]["created_at"]
                    work.idempotency_store.save(actor.user_id, idempotency_key, answer, at)
            replayed = bool(kept)
        except (DuplicateEntry, Refused) as error:
            items = find_replayed_lines(self.begin, actor.user_id, idempotency_key, MAX_BATCH_SIZE, error)
            answer, replayed = RecordedDetailsView(items=items), True
        return Replayable(answer_to(actor, answer, RecordedDetailsView), replayed)

    def record(
        self,
        work: UnitOfWork,
        actor: Actor,
        sheet_id: int,
        draft: DetailsDraft,
        *,
        entry_digest: bytes,
        audited_as: Actor,
        form_id: int | None = None,
    ) -> None:
        """Record the details within a unit of work.

        The first detail gets ``entry_digest``. ``audited_as`` is the user in the audit log. ``form_id`` is the
        contingency form on which the details were noted.
        """
        digests = chain([entry_digest], repeat(None))
        self._record(work, actor, sheet_id, draft, digests, audited_as, form_id=form_id)

    def record_form(
        self,
        work: UnitOfWork,
        actor: Actor,
        sheet_id: int,
        draft: DetailsDraft,
        *,
        form_id: int,
        digests: Sequence[bytes],
    ) -> RecordedDetailsView:
        """Record the details of a contingency form within a unit of work.

        They may have been used long ago. Each gets the digest at its position.
        """
        recorded = self._record(work, actor, sheet_id, draft, iter(digests), form_id=form_id, has_window=False)
        return redact_for(actor, recorded, RecordedDetailsView)

    def reasons_against(self, work: UnitOfWork, actor: Actor, sheet: Sheet, draft: DetailsDraft) -> tuple[Reason, ...]:
        """Return the errors and questions that recording now would cause.

        Whether the sheet is closed is ignored.
        """
        items = [replace(item, kit_id=draft.kit_id) for item in draft.items or ()]
        checks = Validator(draft.parse_errors)
        self._checked(work, checks, actor, sheet, items, self.clock())
        return checks.reasons

    def _record(
        self,
        work: UnitOfWork,
        actor: Actor,
        sheet_id: int,
        draft: DetailsDraft,
        digests: Iterator[bytes | None],
        audited_as: Actor | None = None,
        *,
        form_id: int | None = None,
        has_window: bool = True,
    ) -> RecordedDetailsView:
        items = [replace(item, kit_id=draft.kit_id) for item in draft.items or ()]
        checks = Validator(draft.parse_errors)
        if not items:
            checks.add_error(Code.REQUIRED, "items")
        elif len(items) > MAX_BATCH_SIZE:
            checks.add_error(Code.ITEMS_TOO_MANY, "items", most=MAX_BATCH_SIZE)
        sheet = work.sheets.lock(sheet_id)
        if sheet is None:
            raise NotFound
        now = self.clock()
        if sheet.closed:
            checks.add_error(Code.SHEET_CLOSED)
        lines = []
        if "items" not in {reason.field for reason in checks.reasons}:
            lines = self._checked(work, checks, actor, sheet, items, now, has_window=has_window)
        checks.raise_if_invalid()
        details: list[Detail] = []
        for place, (line, digest) in enumerate(zip(lines, digests, strict=False)):
            try:
                details.append(
                    line.what.recorded_on(
                        sheet,
                        by=actor,
                        at=now,
                        used=line.use,
                        acknowledged=line.acknowledged,
                        form_id=form_id,
                        entry_digest=digest,
                    )
                )
            except Refused as refused:
                checks.add(refused.reasons, within=f"items.{place}")
                checks.raise_if_invalid()
        for detail, reserved in zip(details, work.details.reserve(len(details)), strict=True):
            detail.id = reserved
        work.details.add_all(details)
        work.sheets.save(sheet)
        work.recalled_uses.add([detail.id for detail in details if Code.LOT_RECALLED in detail.acknowledged])
        work.audit_log.extend(
            [entry(audited_as or actor, now, AuditAction.DETAIL_ADDED, after=detail) for detail in details]
        )
        today = day_of(now, self.zone)
        return _answer(line.what.view_of(detail, today) for line, detail in zip(lines, details, strict=True))

    def _checked(
        self,
        work: UnitOfWork,
        checks: Validator,
        actor: Actor,
        sheet: Sheet,
        items: Sequence[DetailDraft],
        now: datetime,
        *,
        has_window: bool = True,
    ) -> list["_Line"]:
        """Return the valid lines, and add errors to ``checks``."""
        today = day_of(now, self.zone)
        ask_above_total = highest_total_unasked(actor, self.ask_above_total)
        checked = [Validator(item.parse_errors, item.acknowledged or ()) for item in items]
        packs = [
            validate_pack(of_item, pack_of(work, item, None, self.read_scan), today)
            for of_item, item in zip(checked, items, strict=True)
        ]
        asked = [item.refers_to(actor, pack) for item, pack in zip(items, packs, strict=True)]
        all_found = work.details.references_of_all(asked, SheetSince(sheet.id, duplicate_window_start(now)))
        check_kit(checks, actor, asked[0], all_found[0])
        lines = []
        serials: set[tuple[int | None, str]] = set()
        each = zip(items, checked, packs, asked, all_found, strict=True)
        for place, (item, of_item, pack, ids, found) in enumerate(each):
            if pack.serial:
                # A serial number earlier in the same request is not stored yet, but is used as well.
                unit = item.product_id, code_key(pack.serial)
                if unit in serials:
                    found = found._replace(pack=replace(found.pack, sheet_with_serial=sheet.id))
                serials.add(unit)
            use = time_of_use(of_item, actor, item, sheet, at=now, zone=self.zone, has_window=has_window)
            what = resolve_fields(
                of_item, item, pack, ids, found, today=today, zone=self.zone, ask_above_total=ask_above_total
            )
            for reason in of_item.reasons:
                # Errors about the sheet are reported once, not for each line.
                checks.add([reason], within="" if reason.field == "admission_date" else f"items.{place}")
            if what:
                lines.append(_Line(what, use, of_item.acknowledged_codes))
        return lines


def _digests(actor: Actor, idempotency_key: IdempotencyKey | None) -> Iterator[bytes | None]:
    """Yield a digest for each line by its position."""
    if idempotency_key is None:
        return repeat(None)
    return (idempotency_key.entry_digest(actor.user_id, place) for place in range(MAX_BATCH_SIZE))


def _answer(views: Iterable[DetailView]) -> RecordedDetailsView:
    """Return the details, with the warnings by position."""
    items = list(views)
    warnings: list[WarningView] = [
        {**warning, "field": f"items.{place}"}
        for place, view in enumerate(items)
        for warning in view.pop("warnings", ())
    ]
    return RecordedDetailsView(items=items, warnings=warnings) if warnings else RecordedDetailsView(items=items)


class _Line(NamedTuple):
    """A validated line that becomes one detail."""

    what: ResolvedDetail
    use: TimeOfUse
    acknowledged: tuple[Code, ...]
