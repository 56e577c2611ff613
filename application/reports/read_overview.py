"""Read the overview, the content of the home page."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from decimal import Decimal

from application.audit.access_log import AccessLog
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.readers.reports import DetailOfToday, Overview
from application.ports.views import Read
from application.redaction import redact_for
from application.views.catalogue import ProductNameView
from application.views.reports import OverviewView, SheetAtWorkView, UnusualView
from domain.anomalies import INACTIVE_AFTER_DAYS, Oddity, days_since, highest_total_unasked, sheet_anomaly
from domain.day import day_of
from domain.policy import Actor, Permission

# As many as a person takes in at a glance.
MAX_SHEETS = 8
MAX_PER_KIND = 5
MAX_DISCHARGES = 20
# Held messages that are older need attention. Before that, the data for which they wait may still arrive.
HELD_ALERT_AFTER = timedelta(minutes=10)

# Administrators are warned this long before an API key expires.
KEYS_EXPIRE_WITHIN = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class ReadOverview:
    """Read today's figures, the user's sheets, and unusual records."""

    read: Read
    clock: Clock
    zone: tzinfo
    access_log: AccessLog
    ask_above_total: Decimal

    def __call__(self, actor: Actor) -> OverviewView:
        actor.require(Permission.READ_SHEETS)
        now = self.clock()
        today = day_of(now, self.zone)
        with self.read() as views:
            overview = views.overview
            mine = overview.worked_on(actor.user_id, most=MAX_SHEETS)
            odd = list(self._find_anomalies(actor, overview, today))
            sheets = overview.sheets({*mine, *(sheet_id for _, sheet_id in odd if sheet_id is not None)}, today)
            view = OverviewView(
                day=today,
                open_sheets=overview.open_sheets(),
                today=overview.today(today),
                mine=[sheets[sheet_id] for sheet_id in mine if sheet_id in sheets],
                unusual=[],
                more_unusual=[],
            )
            if actor.can(Permission.MANAGE_LATE_ENTRIES):
                view["late"] = overview.late(most=MAX_SHEETS)
                view["unlisted"], view["unlisted_total"] = overview.unlisted(most=MAX_SHEETS)
            if discharges := overview.discharges(most=MAX_DISCHARGES):
                view["discharges"] = discharges
            if actor.can(Permission.READ_MESSAGES):
                view["held_messages"] = views.inbound_messages.held(self.clock() - HELD_ALERT_AFTER)
            if actor.can(Permission.MANAGE_RECALLS):
                view["recalled"], view["recalled_total"] = overview.recalled(most=MAX_SHEETS)
            if actor.can(Permission.MANAGE_SERVICE_ACCOUNTS):
                view["expiring_keys"] = views.expiring_keys(now + KEYS_EXPIRE_WITHIN, most=MAX_PER_KIND)
        _add_anomalies(view, odd, sheets)
        named = ("recalled", "late", "unlisted", "discharges")
        if sheets or any(view.get(part) for part in named):
            self.access_log.note_list_read(actor, AuditAction.OVERVIEW_LISTED)
        return redact_for(actor, view, OverviewView)

    def _find_anomalies(
        self, actor: Actor, overview: Overview, today: date
    ) -> Iterator[tuple[UnusualView, int | None]]:
        """Yield anomalies with their sheets.

        Up to one more of each kind than the overview shows is found, so that it is known whether there are more.
        """
        most = MAX_PER_KIND + 1
        found: Counter[Oddity] = Counter()
        for sheet in overview.oldest_open(today - timedelta(days=INACTIVE_AFTER_DAYS)):
            last = sheet.last_recorded_at and day_of(sheet.last_recorded_at, self.zone)
            kind = sheet_anomaly(admitted=sheet.admission_date, last_recorded=last, today=today)
            if kind and found[kind] < most:
                found[kind] += 1
                since = (last if kind is Oddity.SHEET_QUIET else None) or sheet.admission_date
                yield _anomaly_view(kind, days=days_since(since, today)), sheet.id
        for detail in overview.zero_of(today, most=most):
            yield _anomaly_view(Oddity.QUANTITY_ZERO, detail=detail), detail.sheet_id
        ask_above_total = highest_total_unasked(actor, self.ask_above_total)
        for detail in overview.far_out_of(today, ask_above_total, most=most):
            yield _anomaly_view(Oddity.QUANTITY_FAR_OUT, detail=detail), detail.sheet_id
        if actor.can(Permission.MANAGE_CATALOGUE) and actor.can(Permission.SEE_PRICES):
            for product in overview.without_price(most=most):
                yield _anomaly_view(Oddity.PRODUCT_WITHOUT_PRICE, product=product), None


def _anomaly_view(
    kind: Oddity,
    *,
    days: int | None = None,
    detail: DetailOfToday | None = None,
    product: ProductNameView | None = None,
) -> UnusualView:
    return UnusualView(
        kind=kind,
        sheet=None,
        days=days,
        detail_id=detail and detail.id,
        product=detail.product if detail else product,
        quantity=detail and detail.quantity,
        usual_quantity=detail and detail.usual,
    )


def _add_anomalies(
    view: OverviewView, odd: list[tuple[UnusualView, int | None]], sheets: dict[int, SheetAtWorkView]
) -> None:
    """Add the anomalies to the view, up to ``MAX_PER_KIND`` of each kind."""
    counts: Counter[Oddity] = Counter()
    for thing, sheet_id in odd:
        if sheet_id is not None:
            thing["sheet"] = sheets.get(sheet_id)
            if thing["sheet"] is None:
                continue  # it was closed or deleted a moment ago
        counts[thing["kind"]] += 1
        if counts[thing["kind"]] <= MAX_PER_KIND:
            view["unusual"].append(thing)
    view["more_unusual"] = [kind for kind in Oddity if counts[kind] > MAX_PER_KIND]
