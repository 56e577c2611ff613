"""Read the worklist: everything that waits for a supervisor."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal

from application.audit.access_log import AccessLog
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.ward.work import Read, Views
from application.ward.worklist_ports import OpenSheet, UnusualDetail, Worklist
from application.ward.worklist_views import UnusualLineView, UnusualSheetView, WorklistCountView, WorklistView
from domain.common.day import day_of, start_of
from domain.common.policy import Actor, Permission
from domain.forms.contingency_form import FormState
from domain.sheets.anomalies import INACTIVE_AFTER_DAYS, NOON, Oddity, days_since, highest_total_unasked, sheet_anomaly

# More items than a person works through in a morning.
MAX_PER_KIND = 50
# Held messages that are older need attention. Before that, the data for which they wait may still arrive.
HELD_ALERT_AFTER = timedelta(minutes=10)
# Administrators are warned this long before an API key expires.
KEYS_EXPIRE_WITHIN = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class ReadWorklist:
    """Read what waits for the supervisor, each kind with its own permission."""

    read: Read
    clock: Clock
    zone: tzinfo
    access_log: AccessLog
    ask_above_total: Decimal

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def __call__(self, actor: Actor) -> WorklistView:
        with self.read() as views:
            view = self._collect(actor, views)
            latest = views.worklist.latest_quantities({line["product"]["id"] for line in view["unusual_lines"]})
        for line in view["unusual_lines"]:
            line["latest_quantities"] = latest[line["product"]["id"]]
        names_patients = (
            view["late_entries"]
            or view["discharges"]
            or view["unusual_lines"]
            or view["unusual_sheets"]
            or view["unlisted_items"]
            or view["recalled_uses"]
        )
        if names_patients:
            self.access_log.note_list_read(actor, AuditAction.WORKLIST_LISTED)
        return redact_for(actor, view, WorklistView)

    @permitted(Permission.MANAGE_LATE_ENTRIES)
    def count(self, actor: Actor) -> WorklistCountView:
        """Return the number of items, which is the same as in the list."""
        with self.read() as views:
            return WorklistCountView(count=self._collect(actor, views)["count"])

    def _collect(self, actor: Actor, views: Views) -> WorklistView:
        """Return the worklist without the latest quantities."""
        now = self.clock()
        today = day_of(now, self.zone)
        worklist = views.worklist
        manages_catalogue = actor.can(Permission.MANAGE_CATALOGUE)
        sees_prices = actor.can(Permission.SEE_PRICES)
        discharges = worklist.discharges(most=MAX_PER_KIND)
        odd_sheets = self._find_sheets(worklist, now, leave_out={each["consumption_sheet_id"] for each in discharges})
        odd_lines = list(self._find_lines(actor, worklist, today))
        ids = {sheet.id for _, sheet, _ in odd_sheets} | {line.sheet_id for _, line in odd_lines}
        sheets = views.overview.sheets(ids, today)
        view = WorklistView(
            count=0,
            max_per_kind=MAX_PER_KIND,
            late_entries=worklist.late(most=MAX_PER_KIND),
            held_messages=(
                views.inbound_messages.held(now - HELD_ALERT_AFTER) if actor.can(Permission.READ_MESSAGES) else 0
            ),
            discharges=discharges,
            unusual_lines=[
                UnusualLineView(
                    kind=kind,
                    detail_id=line.id,
                    version=line.version,
                    sheet=sheets[line.sheet_id],
                    product=line.product,
                    quantity=line.quantity,
                    usual_quantity=line.usual,
                    latest_quantities=[],
                    at=line.at,
                    by=line.by,
                )
                for kind, line in odd_lines
                if line.sheet_id in sheets  # it was closed or deleted a moment ago otherwise
            ],
            unusual_sheets=[
                UnusualSheetView(kind=kind, sheet=sheets[sheet.id], days=days)
                for kind, sheet, days in odd_sheets
                if sheet.id in sheets
            ],
            unlisted_items=worklist.unlisted(most=MAX_PER_KIND),
            open_forms=views.contingency_form_count(FormState.OPEN),
            recalled_uses=worklist.recalled(most=MAX_PER_KIND) if actor.can(Permission.MANAGE_RECALLS) else [],
            unknown_codes=views.packs.unknown(most=MAX_PER_KIND) if manages_catalogue else [],
            device_outboxes=worklist.unsent(most=MAX_PER_KIND),
            expiring_keys=(
                views.expiring_keys(now + KEYS_EXPIRE_WITHIN, most=MAX_PER_KIND)
                if actor.can(Permission.MANAGE_SERVICE_ACCOUNTS)
                else []
            ),
            products_without_price=worklist.without_price() if manages_catalogue and sees_prices else 0,
        )
        view["count"] = _count(view)
        return view

    def _find_sheets(
        self, worklist: Worklist, now: datetime, *, leave_out: set[int]
    ) -> list[tuple[Oddity, OpenSheet, int]]:
        """Return unusual sheets with their days, those that wait longest first.

        Discharged patients are left out: their sheets wait to be closed anyway.
        """
        today = day_of(now, self.zone)
        found = {sheet.id: sheet for sheet in worklist.oldest_open(today - timedelta(days=INACTIVE_AFTER_DAYS))}
        idle = worklist.idle_since(start_of(today, self.zone), today - timedelta(days=1))
        found.update((sheet.id, sheet) for sheet in idle)
        candidates = [sheet for sheet in found.values() if sheet.id not in leave_out]
        judged = worklist.judged_sheets([sheet.id for sheet in candidates])
        odd = []
        for sheet in candidates:
            last = sheet.last_recorded_at and day_of(sheet.last_recorded_at, self.zone)
            kind = sheet_anomaly(
                admitted=sheet.admission_date,
                last_recorded=last,
                today=today,
                judged={each: day_of(at, self.zone) for each, at in judged.get(sheet.id, {}).items()},
                is_afternoon=now.astimezone(self.zone).hour >= NOON,
            )
            if kind:
                since = sheet.admission_date if kind is Oddity.SHEET_OPEN_LONG else last or sheet.admission_date
                odd.append((kind, sheet, days_since(since, today)))
        odd.sort(key=lambda each: (-each[2], each[1].id))
        counts: Counter[Oddity] = Counter()
        kept = []
        for each in odd:
            counts[each[0]] += 1
            if counts[each[0]] <= MAX_PER_KIND:
                kept.append(each)
        return kept

    def _find_lines(self, actor: Actor, worklist: Worklist, today: date) -> Iterator[tuple[Oddity, UnusualDetail]]:
        """Yield unusual lines of today and yesterday that were not judged right."""
        ask_above_total = highest_total_unasked(actor, self.ask_above_total)
        for day in (today, today - timedelta(days=1)):
            for line in worklist.far_out_of(day, ask_above_total, most=MAX_PER_KIND):
                yield Oddity.QUANTITY_FAR_OUT, line
            for line in worklist.zero_of(day, most=MAX_PER_KIND):
                yield Oddity.QUANTITY_ZERO, line


def _count(view: WorklistView) -> int:
    """Return the number of items: each row, and each number of several things."""
    return sum(
        len(kind)
        for kind in (
            view["late_entries"],
            view["discharges"],
            view["unusual_lines"],
            view["unusual_sheets"],
            view["unlisted_items"],
            view["recalled_uses"],
            view["unknown_codes"],
            view["device_outboxes"],
            view["expiring_keys"],
        )
    ) + sum(1 for number in (view["held_messages"], view["open_forms"], view["products_without_price"]) if number)
