"""Consumption reports of a period.

They add up by day, month, shift, area, category, product, staff, patient or reason, and compare with the period before.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from itertools import islice
from typing import cast

from application.audit.audit_log import access_entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.paging import InvalidQuery, Sort, page_of, read_offset
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.people.people import name_of_user
from application.records.list_reader import allowed_sorts, validate_query
from application.reports.compare_over_time import add_up, add_up_before, compare_over_time
from application.reports.ports import ReportPage
from application.reports.views import (
    CONSUMPTION_SORTS,
    EXTRA_SUMS,
    ConsumptionBy,
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionReportView,
    ConsumptionRowView,
    ConsumptionSumsView,
    ConsumptionTotalsView,
    DividedSumsView,
    PeriodSumsView,
    PeriodView,
)
from application.reports.work import Begin, Read, Views
from application.sheets.used_for import UsedFor
from domain.common.day import day_of, period_before
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.ward.shift import Shifts

# The default period in days, including the last one.
DEFAULT_DAYS = 30

# The additional permission for reports by people.
_NEEDED = {ConsumptionBy.STAFF: Permission.MANAGE_STAFF, ConsumptionBy.PATIENT: Permission.READ_PATIENTS}

_OVER_TIME = frozenset({ConsumptionBy.DAY, ConsumptionBy.MONTH})
_IN_TIME = _OVER_TIME | {ConsumptionBy.SHIFT}


@dataclass(frozen=True, slots=True)
class ReportConsumption:
    """Report the consumption of a period, with redaction of prices.

    Reports by staff require permission to manage staff. Reports by patient show the consumption of each patient, so
    access is logged in the audit log.
    """

    begin: Begin
    read_for_reports: Read
    clock: Clock
    zone: tzinfo
    shifts: Shifts

    @permitted(Permission.READ_REPORTS)
    def page(self, actor: Actor, query: ConsumptionQuery) -> ConsumptionPage:
        """Read a page of the report, with the sums of all rows.

        Raise ``InvalidQuery`` for an invalid query.
        """
        asked = self._asked(actor, read_offset(query))
        if asked.cursor is not None:
            raise InvalidQuery("cursor")
        with self.read_for_reports() as views:
            found = _compared_page(views, asked) if _is_compared_over_time(asked) else views.consumption.report(asked)
            sums = self._totals(views, asked, found.sums, found.previous)
        following = asked.next_offset() if asked.first + len(found.rows) < found.all_rows else None
        page = page_of(found.rows, asked, found.all_rows, following=following)
        report = ConsumptionPage(
            by=asked.by, period=_period(*asked.period), sums=sums, items=page["items"], meta=page["meta"]
        )
        if asked.previous:
            report["previous_period"] = _period(*asked.previous)
        if query.by is ConsumptionBy.PATIENT:
            self._note(actor, AuditAction.CONSUMPTION_LISTED)
        return redact_for(actor, report, ConsumptionPage)

    @permitted(Permission.READ_REPORTS)
    def iterate(self, actor: Actor, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Iterate over all rows, ignoring page and limit."""
        asked = self._asked(actor, query)
        self._note(actor, AuditAction.CONSUMPTION_EXPORTED)
        return self._walk(actor, asked)

    @permitted(Permission.READ_REPORTS)
    def full_report(self, actor: Actor, query: ConsumptionQuery, *, most: int) -> ConsumptionReportView:
        """Return the report for printing.

        Raise ``Refused`` if it has more than ``most`` rows.
        """
        asked = self._asked(actor, query)
        with self.read_for_reports() as views:
            rows = list(islice(_rows(views, asked), most + 1))
            if len(rows) > most:
                raise Refused(Reason(Code.LIST_TOO_LONG, params={"most": most}))
            before = (row["previous"] for row in rows) if asked.previous else ()
            previous = add_up_before(before, asked.used_for) if asked.previous else None
            if _is_compared_over_time(asked):
                previous = _compared_page(views, asked).previous
            sums = self._totals(views, asked, add_up(rows, asked.used_for), previous)
            areas = views.names("area_id", {asked.area_id}) if asked.area_id else {}
            printed_by = name_of_user(views, actor.user_id)
        report = ConsumptionReportView(
            by=asked.by,
            returns=asked.returns,
            used_for=asked.used_for,
            period=_period(*asked.period),
            area=areas.get(asked.area_id, f"#{asked.area_id}") if asked.area_id else None,
            sums=sums,
            items=rows,
            printed_by=printed_by,
            printed_at=self.clock(),
        )
        if asked.previous:
            report["previous_period"] = _period(*asked.previous)
        self._note(actor, AuditAction.CONSUMPTION_EXPORTED)
        return redact_for(actor, report, ConsumptionReportView)

    def _walk(self, actor: Actor, asked: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        with self.read_for_reports() as views:
            for row in _rows(views, asked):
                yield redact_for(actor, row, ConsumptionRowView)

    def _asked(self, actor: Actor, query: ConsumptionQuery) -> ConsumptionQuery:
        """Check the query, and add the default period and order."""
        needed = _NEEDED.get(query.by)
        if needed and not actor.can(needed):
            raise Refused(Reason(Code.REPORT_FOR_SUPERVISION, "by"))
        sees_prices = actor.can(Permission.SEE_PRICES)
        amount = "total" if query.used_for is UsedFor.PATIENTS else "value"
        sorts = CONSUMPTION_SORTS if query.used_for is UsedFor.PATIENTS else CONSUMPTION_SORTS.union(EXTRA_SUMS)
        validate_query(query, allowed_sorts(actor, sorts, ConsumptionRowView))
        # Days, months and shifts are in chronological order. Other rows are sorted by their amount, and for ward staff
        # by number of details, so that the order reveals no price.
        most = Sort(amount if sees_prices else "details", descending=True)
        usual = Sort("key") if query.by in _IN_TIME else most
        until = query.until or day_of(self.clock(), self.zone)
        since = query.since or date.fromordinal(max(1, until.toordinal() - DEFAULT_DAYS + 1))
        previous = period_before(since, until) if query.compare else None
        if query.compare and previous is None:
            raise InvalidQuery("from")
        return replace(query, since=since, until=until, previous=previous, shifts=self.shifts, sort=query.sort or usual)

    def _totals(
        self,
        views: Views,
        asked: ConsumptionQuery,
        sums: DividedSumsView,
        previous: ConsumptionSumsView | None,
    ) -> ConsumptionTotalsView:
        """Add the patient-days to the sums. Days to come have none."""
        today = day_of(self.clock(), self.zone)

        def patient_days(since: date, until: date) -> int:
            return views.consumption.patient_days(since, min(until, today), asked.area_id)

        totals = cast("ConsumptionTotalsView", {**sums, "patient_days": patient_days(*asked.period)})
        if previous is not None and asked.previous is not None:
            totals["previous"] = PeriodSumsView(**previous, patient_days=patient_days(*asked.previous))
        return totals

    def _note(self, actor: Actor, action: AuditAction) -> None:
        with self.begin() as work:
            work.audit_log.append(access_entry(actor, self.clock(), action, 0))


def _is_compared_over_time(asked: ConsumptionQuery) -> bool:
    return asked.previous is not None and asked.by in _OVER_TIME


def _rows(views: Views, asked: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
    """Yield all rows of the report."""
    if _is_compared_over_time(asked):
        yield from _compared_rows(views, asked)[0]
    else:
        yield from views.consumption.rows(asked)


def _compared_page(views: Views, asked: ConsumptionQuery) -> ReportPage:
    """Return a page of days or months, and the sums of both periods."""
    rows, previous = _compared_rows(views, asked)
    return ReportPage(rows[asked.first : asked.first + asked.limit], len(rows), add_up(rows, asked.used_for), previous)


def _compared_rows(views: Views, asked: ConsumptionQuery) -> tuple[list[ConsumptionRowView], ConsumptionSumsView]:
    """Return all days or months, and the sums of the period before."""
    assert asked.previous is not None
    assert asked.sort is not None
    since, until = asked.previous
    alone = replace(asked, previous=None, sort=Sort("key"))
    before = list(views.consumption.rows(replace(alone, since=since, until=until)))
    rows = compare_over_time(
        asked.by,
        views.consumption.rows(alone),
        before,
        period=asked.period,
        previous_since=since,
        used_for=asked.used_for,
        sort=asked.sort,
    )
    return rows, add_up_before(before, asked.used_for)


def _period(since: date, until: date) -> PeriodView:
    return PeriodView({"from": since, "to": until})
