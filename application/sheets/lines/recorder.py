"""Record lines on a sheet: one, those of a kit, of a form, of a late entry or of a file."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import NamedTuple

from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.scanning import ReadScan
from application.common.store_errors import DuplicateEntry
from application.sheets.detail_views import DetailView
from application.sheets.line_changes import note_line_changes
from application.sheets.lines.detail_draft import DetailDraft, pack_of
from application.sheets.lines.draft_in_sheet import DraftInSheet, ResolvedDetail
from application.sheets.lines.replays import Answer, answer_to, find_replayed_lines
from application.sheets.recording import RecordingContext, RecordingRequest
from application.sheets.stores import References, SheetSince
from application.sheets.work import Begin, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor
from domain.common.text import code_key
from domain.common.validation import Validator
from domain.hospital.use_reason import UseReason
from domain.scanning.lot import validate_pack
from domain.sheets.anomalies import duplicate_window_start
from domain.sheets.detail import Detail
from domain.sheets.month_change import LineChange
from domain.sheets.sheet import AreaSheet, Sheet, Usage


class ExternalOrigin(NamedTuple):
    """When another system recorded a detail, and its price if known."""

    at: datetime
    unit_price: Decimal | None


class Recording(NamedTuple):
    """Lines to record on one sheet, all or none.

    ``errors`` were found before. ``field`` is where errors name a line, for instance ``items.{}``; without it they name
    only its fields. ``sheet_field`` is the field with the id of the sheet, unless that is in the address. A line gets
    the digest at its position. ``audited_as`` is the user in the audit log, if it is not the author. With a
    ``room_id``, the lines do not get the sheet's room. Without ``has_window``, they may have been used long ago.
    """

    sheet_id: int
    items: Sequence[DetailDraft]
    errors: Sequence[Reason] = ()
    field: str = ""
    sheet_field: str | None = None
    digests: Sequence[bytes | None] = ()
    audited_as: Actor | None = None
    room_id: int | None = None
    form_id: int | None = None
    has_window: bool = True
    external: ExternalOrigin | None = None


class Recorded(NamedTuple):
    """A recorded line, and what it refers to."""

    detail: Detail
    resolved: ResolvedDetail


class _Line(NamedTuple):
    """A valid line."""

    place: int
    resolved: ResolvedDetail
    usage: Usage


@dataclass(frozen=True, slots=True)
class Recorder:
    """Records lines on a sheet.

    The number of statements does not depend on the number of lines.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    read_scan: ReadScan
    ask_above_total: Decimal | None
    billed_waste: Collection[UseReason]

    def record_once(
        self,
        actor: Actor,
        recording: Recording,
        idempotency_key: IdempotencyKey | None,
        shape: type[Answer],
        answer_of: Callable[[Sequence[DetailView]], Answer],
    ) -> Replayable[Answer]:
        """Record the lines in a unit of work of their own.

        With ``idempotency_key``, a repeated request records nothing twice, however much later it arrives. It gets the
        stored answer again. If that was purged, it gets the lines as they are now, even if they were voided meanwhile.
        """
        count = len(recording.items)
        if idempotency_key:
            digests = [idempotency_key.entry_digest(actor.user_id, place) for place in range(count)]
            recording = recording._replace(digests=digests)
        try:
            with self.begin() as work:
                now = self.clock()
                drafts = self._drafts(work, actor, recording, now)
                begun = self._begun(work, actor, recording, drafts, now, idempotency_key, shape)
                answer, replayed = begun.answer, begun.answer is not None
                if answer is None:
                    recorded = self._record(work, actor, recording, drafts, begun)
                    answer = answer_of(self.views_of(recorded))
                    if idempotency_key:
                        at = recorded[0].detail.created_at
                        work.idempotency_store.save(actor.user_id, idempotency_key, answer, at)
        except (DuplicateEntry, Refused) as error:
            found = find_replayed_lines(self.begin, actor.user_id, idempotency_key, count, error)
            answer, replayed = answer_of(found), True
        return Replayable(answer_to(actor, answer, shape), replayed)

    def record_in(self, work: UnitOfWork, actor: Actor, recording: Recording) -> list[Recorded]:
        """Record the lines within a unit of work."""
        now = self.clock()
        drafts = self._drafts(work, actor, recording, now)
        begun = self._begun(work, actor, recording, drafts, now, None, DetailView)
        return self._record(work, actor, recording, drafts, begun)

    def reasons_against(self, work: UnitOfWork, actor: Actor, sheet: Sheet, recording: Recording) -> tuple[Reason, ...]:
        """Return the errors and questions that recording now would cause.

        Whether the sheet is closed is ignored.
        """
        now = self.clock()
        drafts = self._drafts(work, actor, recording, now)
        found = work.details.references(
            [draft.referred for draft in drafts], since=SheetSince(sheet.id, duplicate_window_start(now))
        )
        checks = Validator(recording.errors)
        self._resolve(checks, recording, drafts, sheet, _in_area(work, sheet, drafts, found), now)
        return checks.reasons

    def views_of(self, recorded: Sequence[Recorded]) -> list[DetailView]:
        """Return the views of recorded lines, with their warnings."""
        return [resolved.view_of(detail, day_of(detail.created_at, self.zone)) for detail, resolved in recorded]

    def _drafts(self, work: UnitOfWork, actor: Actor, recording: Recording, now: datetime) -> list[DraftInSheet]:
        drafts = []
        for item in recording.items:
            checks = Validator(item.parse_errors, item.acknowledged or ())
            pack = validate_pack(checks, pack_of(work, item, None, self.read_scan), day_of(now, self.zone))
            drafts.append(
                DraftInSheet(
                    checks=checks,
                    actor=actor,
                    draft=item,
                    pack=pack,
                    referred=item.refers_to(actor, pack),
                    now=now,
                    zone=self.zone,
                    ask_above_total=self.ask_above_total,
                    billed_waste=self.billed_waste,
                    is_external=recording.external is not None,
                )
            )
        return drafts

    def _begun(
        self,
        work: UnitOfWork,
        actor: Actor,
        recording: Recording,
        drafts: Sequence[DraftInSheet],
        now: datetime,
        idempotency_key: IdempotencyKey | None,
        shape: type[Answer],
    ) -> RecordingContext[Answer]:
        since = None if recording.external else SheetSince(recording.sheet_id, duplicate_window_start(now))
        referred = [draft.referred for draft in drafts]
        return work.begin_recording(
            RecordingRequest(actor.user_id, idempotency_key, shape, recording.sheet_id, referred, since)
        )

    def _record(
        self,
        work: UnitOfWork,
        actor: Actor,
        recording: Recording,
        drafts: Sequence[DraftInSheet],
        begun: RecordingContext[Answer],
    ) -> list[Recorded]:
        # After waiting for the lock of the sheet: later lines have later times.
        now = self.clock()
        checks, sheet = Validator(recording.errors), begun.sheet
        if sheet is None:
            if recording.sheet_field is None:
                raise NotFound
            checks.add_error(Code.REFERENCE_UNKNOWN, recording.sheet_field)
        at = recording.external.at if recording.external else now
        lines = self._resolve(checks, recording, drafts, sheet, _in_area(work, sheet, drafts, begun.found), at)
        if sheet is not None:
            checks.add(sheet.check_open())
        checks.raise_if_invalid()
        assert sheet is not None, "a missing sheet was refused"
        recorded: list[Recorded] = []
        for place, resolved, usage in lines:
            try:
                detail = sheet.record(usage, by=actor, at=at, billed_waste=self.billed_waste)
            except Refused as refused:
                checks.add(refused.reasons, within=recording.field.format(place))
                checks.raise_if_invalid()
            detail.room_id = recording.room_id or detail.room_id
            recorded.append(Recorded(detail, resolved))
        details = [detail for detail, _ in recorded]
        work.details.record(details, sheet, begun.detail_id)
        recalled = [detail.id for detail in details if Code.LOT_RECALLED in detail.acknowledged]
        if recalled:
            work.recalled_uses.add(recalled)
        added = [LineChange(None, detail) for detail in details]
        today, audited_as = day_of(now, self.zone), recording.audited_as
        note_line_changes(work, actor, now, today, AuditAction.DETAIL_ADDED, added, audited_as=audited_as)
        return recorded

    def _resolve(
        self,
        checks: Validator,
        recording: Recording,
        drafts: Sequence[DraftInSheet],
        sheet: Sheet | None,
        all_found: Sequence[References],
        at: datetime,
    ) -> list[_Line]:
        """Return the valid lines, and add errors to ``checks``."""
        lines = []
        serials: set[tuple[int | None, str]] = set()
        for place, (draft, found) in enumerate(zip(drafts, all_found, strict=True)):
            if sheet and draft.pack.serial:
                # A serial number earlier in the same request is not stored yet, but is used as well.
                unit = draft.draft.product_id, code_key(draft.pack.serial)
                if unit in serials:
                    found = found._replace(pack=replace(found.pack, sheet_with_serial=sheet.id))
                serials.add(unit)
            draft.sheet = sheet
            used = draft.usage(
                found,
                at,
                has_window=recording.has_window,
                unit_price=recording.external.unit_price if recording.external else None,
                form_id=recording.form_id,
                entry_digest=recording.digests[place] if place < len(recording.digests) else None,
            )
            for reason in draft.checks.reasons:
                # Errors about the sheet are reported once, not for each line.
                is_of_sheet = reason.field == "admission_date"
                checks.add([reason], within="" if is_of_sheet else recording.field.format(place))
            if used:
                lines.append(_Line(place, *used))
        if drafts:
            _check_kit(checks, drafts[0], all_found[0])
        return lines


def _in_area(
    work: UnitOfWork, sheet: Sheet | None, drafts: Sequence[DraftInSheet], all_found: Sequence[References]
) -> Sequence[References]:
    """Return the references, on a page with its area and usual quantities."""
    if not isinstance(sheet, AreaSheet):
        return all_found
    area = work.areas.get(sheet.area_id)
    usual = work.details.usual_in_areas({draft.referred.product_id for draft in drafts})
    for draft in drafts:
        draft.referred = draft.referred._replace(area_id=sheet.area_id)
    return [
        found._replace(area=area, usual=usual.get(draft.referred.product_id))
        for draft, found in zip(drafts, all_found, strict=True)
    ]


def _check_kit(checks: Validator, draft: DraftInSheet, found: References) -> None:
    """Report a kit that the actor could never use.

    A kit that was deleted meanwhile is accepted, because it was used.
    """
    is_usable = found.kit is not None and found.kit.user_id in (None, draft.actor.user_id)
    if draft.referred.kit_id and not is_usable:
        checks.add_error(Code.REFERENCE_UNKNOWN, "kit_id")
