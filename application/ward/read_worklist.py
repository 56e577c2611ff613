"""Read the worklist: everything that waits for a supervisor."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import partial

from application.audit.access_log import AccessLog
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.ward.overview_views import SheetAtWorkView
from application.ward.work import Read, Views
from application.ward.worklist_ports import MAX_PER_KIND, OpenSheet, UnusualDetail, Worklist
from application.ward.worklist_views import UnusualLineView, UnusualSheetView, WorklistCountView, WorklistView
from domain.common.day import day_of, start_of
from domain.common.policy import Actor, Permission
from domain.forms.contingency_form import FormState
from domain.sheets.anomalies import INACTIVE_AFTER_DAYS, NOON, Oddity, days_since, highest_total_unasked, sheet_anomaly

# Held messages that are older need attention. Before that, the data for which they wait may still arrive.
HELD_ALERT_AFTER = timedelta(minutes=10)
# Administrators are warned this long before an API key expires.
KEYS_EXPIRE_WITHIN = timedelta(days=14)
# Kinds that not every supervisor sees.
_PERMISSIONS = {
    "held_messages": (Permission.READ_MESSAGES,),
    "recalled_uses": (Permission.MANAGE_RECALLS,),
    "unknown_codes": (Permission.MANAGE_CATALOGUE,),
    "expiring_keys": (Permission.MANAGE_SERVICE_ACCOUNTS,),
    "products_without_price": (Permission.MANAGE_CATALOGUE, Permission.SEE_PRICES),
}
# Kinds that are one item, however many things wait.
_ONE_ITEM = ("held_messages", "open_forms", "products_without_price")


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
            for in_areas in (False, True):
                lines = [line for line in view["unusual_lines"] if ("area" in line) is in_areas]
                products = {line["product"]["id"] for line in lines}
                latest = views.worklist.latest_quantities(products, in_areas=in_areas)
                for line in lines:
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
        """Return the number of items, which is the same as in the list.

        It is read without the items: the page of every supervisor asks for it each minute.
        """
        now = self.clock()
        with self.read() as views:
            numbers = views.worklist.numbers(
                day_of(now, self.zone),
                highest_total_unasked(actor, self.ask_above_total),
                received_before=now - HELD_ALERT_AFTER,
                expires_before=now + KEYS_EXPIRE_WITHIN,
            )
            odd_sheets = self._find_sheets(views.worklist, now)
        items = [
            min(number, 1) if kind in _ONE_ITEM else number
            for kind, number in numbers._asdict().items()
            if _may_see(actor, kind)
        ]
        return WorklistCountView(count=len(odd_sheets) + sum(items))

    def _collect(self, actor: Actor, views: Views) -> WorklistView:
        """Return the worklist without the latest quantities."""
        now = self.clock()
        today = day_of(now, self.zone)
        worklist, sees = views.worklist, partial(_may_see, actor)
        odd_sheets = self._find_sheets(worklist, now)
        odd_lines = list(self._find_lines(actor, worklist, today))
        ids = {sheet.id for _, sheet, _ in odd_sheets} | {line.sheet_id for _, line in odd_lines if not line.area}
        sheets = views.overview.sheets(ids, today)
        view = WorklistView(
            count=0,
            max_per_kind=MAX_PER_KIND,
            late_entries=worklist.late(most=MAX_PER_KIND),
            held_messages=views.inbound_messages.held(now - HELD_ALERT_AFTER) if sees("held_messages") else 0,
            discharges=worklist.discharges(most=MAX_PER_KIND),
            unusual_lines=[
                _line_view(kind, line, sheets.get(line.sheet_id))
                for kind, line in odd_lines
                if line.area or line.sheet_id in sheets  # it was closed or deleted a moment ago otherwise
            ],
            unusual_sheets=[
                UnusualSheetView(kind=kind, sheet=sheets[sheet.id], days=days)
                for kind, sheet, days in odd_sheets
                if sheet.id in sheets
            ],
            unlisted_items=worklist.unlisted(most=MAX_PER_KIND),
            open_forms=views.contingency_form_count(FormState.OPEN),
            recalled_uses=worklist.recalled(most=MAX_PER_KIND) if sees("recalled_uses") else [],
            unknown_codes=views.packs.unknown(most=MAX_PER_KIND) if sees("unknown_codes") else [],
            device_outboxes=worklist.unsent(most=MAX_PER_KIND),
            expiring_keys=(
                views.expiring_keys(now + KEYS_EXPIRE_WITHIN, most=MAX_PER_KIND) if sees("expiring_keys") else []
            ),
            products_without_price=worklist.without_price() if sees("products_without_price") else 0,
        )
        rows = [value for value in view.values() if isinstance(value, list)]
        view["count"] = sum(map(len, rows)) + sum(
            map(bool, (view["held_messages"], view["open_forms"], view["products_without_price"]))
        )
        return view

    def _find_sheets(self, worklist: Worklist, now: datetime) -> list[tuple[Oddity, OpenSheet, int]]:
        """Return unusual sheets with their days, those that wait longest first.

        Discharged patients are left out: their sheets wait to be closed anyway.
        """
        today = day_of(now, self.zone)
        found = {sheet.id: sheet for sheet in worklist.oldest_open(today - timedelta(days=INACTIVE_AFTER_DAYS))}
        idle = worklist.idle_since(start_of(today, self.zone), today - timedelta(days=1))
        found.update((sheet.id, sheet) for sheet in idle)
        judged = worklist.judged_sheets()
        odd = []
        for sheet in found.values():
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


def _line_view(kind: Oddity, line: UnusualDetail, sheet: SheetAtWorkView | None) -> UnusualLineView:
    view = UnusualLineView(
        kind=kind,
        detail_id=line.id,
        version=line.version,
        consumption_sheet_id=line.sheet_id,
        sheet=sheet,
        product=line.product,
        quantity=line.quantity,
        usual_quantity=line.usual,
        latest_quantities=[],
        at=line.at,
        by=line.by,
    )
    if line.area:
        view["area"] = line.area
    return view


def _may_see(actor: Actor, kind: str) -> bool:
    """Return whether the actor has the permissions for a kind of item."""
    return all(map(actor.can, _PERMISSIONS.get(kind, ())))
