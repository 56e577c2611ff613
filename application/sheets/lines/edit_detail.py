"""Edit a consumption detail."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import tzinfo
from decimal import Decimal

from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.scanning import ReadScan
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView
from application.sheets.line_changes import note_line_changes
from application.sheets.lines.detail_draft import DetailDraft, pack_of
from application.sheets.lines.draft_in_sheet import DraftInSheet
from application.sheets.locked_sheets import lock_detail
from application.sheets.notices import add_notices
from application.sheets.work import Begin
from domain.common.day import day_of
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.hospital.use_reason import UseReason
from domain.scanning.lot import validate_pack
from domain.sheets.month_change import LineChange
from domain.sheets.sheet import AreaSheet


@dataclass(frozen=True, slots=True)
class EditDetail:
    """Edit product, quantity, total, staff or area of a detail.

    Its sheet and author stay. ``expected`` are the versions that the client knows, if given.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    read_scan: ReadScan
    ask_above_total: Decimal
    billed_waste: Collection[UseReason]

    @permitted(Permission.EDIT_DETAILS)
    def __call__(
        self, actor: Actor, detail_id: int, draft: DetailDraft, expected: frozenset[int] | None = None
    ) -> DetailView:
        checks = Validator(draft.parse_errors, draft.acknowledged or ())
        now = self.clock()
        today = day_of(now, self.zone)
        total = None if draft.total is None else checks.line_total("total", draft.total)
        # A return reveals whether a total was set by hand. With this permission missing, it would reveal whether the
        # total equals the price.
        if total is not None and not actor.can(Permission.SEE_PRICES):
            checks.add_error(Code.TOTAL_NOT_ALLOWED, "total")
        if draft.charged and not actor.can(Permission.SEE_PRICES):
            checks.add_error(Code.TOTAL_NOT_ALLOWED, "charged")
        with self.begin() as work:
            sheet, detail = lock_detail(work, actor, detail_id, now)
            if detail.voided:
                raise NotFound
            detail.ensure_version(expected)
            pack = validate_pack(checks, pack_of(work, draft, detail, self.read_scan), today)
            # The kit of a recorded detail does not change.
            referred = draft.refers_to(actor, pack)._replace(kit_id=detail.kit_id)
            if isinstance(sheet, AreaSheet):
                referred = referred._replace(area_id=sheet.area_id)
            edited = DraftInSheet(
                checks=checks,
                actor=actor,
                draft=draft,
                sheet=sheet,
                pack=pack,
                referred=referred,
                now=now,
                zone=self.zone,
                # A total that was set by hand is intended, so it is not questioned.
                ask_above_total=None if total is not None else self.ask_above_total,
                current=detail,
            )
            [found] = work.details.references([referred], but=detail.id)
            used = edited.resolve(found)
            checks.add(sheet.check_open())
            checks.raise_if_invalid()
            assert used is not None, "what is missing was refused"
            before = replace(detail)
            sheet.edit(
                detail,
                used.product,
                used.quantity,
                total=total,
                is_charged=bool(draft.charged),
                staff_id=used.staff_id,
                area_id=used.area_id,
                pack=used.pack,
                acknowledged=checks.acknowledged_codes,
                recall_reason=used.recall_reason,
                implant_reason=used.implant_reason,
                use_reason=used.use_reason,
                billed_waste=self.billed_waste,
            )
            work.details.save(detail)
            work.sheets.save(sheet)
            if Code.LOT_RECALLED in checks.acknowledged_codes:
                work.recalled_uses.add([detail.id])
            add_notices(work, actor, now, [(before, detail)])
            change = LineChange(before, detail)
            note_line_changes(work, actor, now, today, AuditAction.DETAIL_EDITED, [change])
        return redact_for(actor, used.view_of(detail, today), DetailView)
