"""Move details to the sheet of the patient who got them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.detail_views import MovedDetailsView, SheetSumView
from application.sheets.line_changes import note_line_changes
from application.sheets.notices import add_notices
from application.sheets.several_details import check_ages, load_selection, validate_selection
from application.sheets.work import Begin
from domain.common.day import day_of
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail
from domain.sheets.month_change import LineChange
from domain.sheets.sheet import Sheet, check_not_before_admission, validate_use_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveDraft(Draft):
    """The form for moving details: ids, target sheet and reason.

    ``use_reason`` is what they were used for in the area to which they are moved.
    """

    detail_ids: tuple[int, ...] | None = None
    to_sheet_id: int | None = None
    reason: str | None = None
    use_reason: str | None = None
    acknowledged: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoveDetails:
    """Move details from one open sheet to another, all or none.

    Between patients the sum of both totals stays the same. What is moved to an area is not charged; what is moved from
    there is charged at its price.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    billed_waste: Collection[UseReason]

    @permitted(Permission.MOVE_OWN_DETAILS)
    def __call__(
        self, actor: Actor, sheet_id: int, draft: MoveDraft, expected: frozenset[int] | None = None
    ) -> MovedDetailsView:
        checks = Validator(draft.parse_errors, draft.acknowledged or ())
        ids = validate_selection(checks, draft.detail_ids, "detail_ids")
        to_sheet_id = checks.required_id("to_sheet_id", draft.to_sheet_id)
        reason = checks.required_line("reason", draft.reason, longest=MAX_REASON_LENGTH)
        with self.begin() as work:
            # Lock in the order of ids. Otherwise two users who move details in opposite directions would deadlock.
            sheets = {each: work.sheets.lock(each) for each in sorted({sheet_id, to_sheet_id} - {0})}
            source, target = sheets[sheet_id], sheets.get(to_sheet_id)
            if source is None:
                raise NotFound
            source.ensure_version(expected)
            details = load_selection(work, checks, source, ids, "detail_ids")
            if not all(detail.may_be_moved(actor) for detail in details):
                checks.add_error(Code.DETAIL_NOT_OWN, "detail_ids")
            checks.add(source.check_open())
            now = self.clock()
            # A line that is too old to leave the page of an area is also too old to come to it.
            aging = source if source.ages or target is None else target
            check_ages(checks, aging, details, "detail_ids", by=actor, at=now)
            if to_sheet_id and target is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "to_sheet_id")
            elif target is not None:
                _validate_target(checks, actor, source, target, details)
                use_reason = _validate_reason(checks, target, details, draft.use_reason)
            checks.raise_if_invalid()
            assert target is not None, "a missing sheet was refused"
            before = [replace(detail) for detail in details]
            # Between two sheets of patients, what is charged stays.
            may_change = type(source) is not type(target) or use_reason is not None
            product_ids = {one.product_id for one in details} if may_change else set()
            products = {one.id: one for one in work.products.find_many("id", product_ids)} if may_change else {}
            for detail in details:
                source.move_detail_to(
                    detail,
                    target,
                    by=actor,
                    product=products.get(detail.product_id),
                    use_reason=use_reason,
                    billed_waste=self.billed_waste,
                )
                new = tuple(code for code in checks.acknowledged_codes if code not in detail.acknowledged)
                detail.acknowledged = (*detail.acknowledged, *new)
            work.details.save_all(details)
            work.sheets.save(source)
            work.sheets.save(target)
            changes = [LineChange(*pair) for pair in zip(before, details, strict=True)]
            add_notices(work, actor, now, zip(before, details, strict=True))
            for change in changes:
                away = entry(
                    actor, now, AuditAction.DETAIL_MOVED_AWAY, before=change.before, after=change.after, reason=reason
                )
                # Both sheets have the move in their history.
                work.audit_log.append(replace(away, sheet_id=source.id))
                today = day_of(now, self.zone)
                note_line_changes(
                    work, actor, now, today, AuditAction.DETAIL_MOVED_HERE, [change], notes={"reason": reason}
                )
            moved = work.views.details.by_ids([detail.id for detail in details])
        view = MovedDetailsView({"moved": moved, "from": _sheet_sum(source), "to": _sheet_sum(target)})
        return redact_for(actor, view, MovedDetailsView)


def _validate_target(checks: Validator, actor: Actor, source: Sheet, target: Sheet, details: list[Detail]) -> None:
    if target.id == source.id:
        checks.add_error(Code.TARGET_SAME, "to_sheet_id")
    elif target.closed:
        checks.add_error(Code.TARGET_CLOSED, "to_sheet_id")
    first = min((detail.day for detail in details), default=None)
    for reason in check_not_before_admission(first, target.first_day, "to_sheet_id") if first else ():
        if actor.can(Permission.BACKDATE_DETAILS):
            checks.require_acknowledgement(reason.code, reason.field, **reason.params)
        else:
            checks.add([reason])


def _validate_reason(checks: Validator, target: Sheet, details: Sequence[Detail], text: str | None) -> UseReason | None:
    """Return the reason that the details get on the target.

    It may be missing if all of them have one that they keep.
    """
    has_reasons = not text and not any(target.check_reason(target.moved_reason(one, None)) for one in details)
    return None if has_reasons else validate_use_reason(checks, text, target)


def _sheet_sum(sheet: Sheet) -> SheetSumView:
    return SheetSumView(id=sheet.id, version=sheet.version, total=sheet.total)
