"""Consumption reports of a period.

They add up by day, month, area, category, product, staff or patient.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from itertools import islice

from application.audit.audit_log import access_entry
from application.entities import AuditAction
from application.list_reader import validate_query
from application.paging import PRICED_SORTS, InvalidQuery, Sort, read_offset
from application.people.people import name_of_user
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.ports.views import Read
from application.redaction import redact_for
from application.views.reports import (
    CONSUMPTION_SORTS,
    ConsumptionBy,
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionReportView,
    ConsumptionRowView,
    ConsumptionSumsView,
    PeriodView,
)
from domain.day import day_of
from domain.errors import Code, Reason, Refused
from domain.money import QUANTITY_STEP, ZERO
from domain.policy import Actor, Permission

# The default period in days, including the last one.
DEFAULT_DAYS = 30

# The additional permission for reports by people.
_NEEDED = {ConsumptionBy.STAFF: Permission.MANAGE_STAFF, ConsumptionBy.PATIENT: Permission.READ_PATIENTS}

_IN_TIME = frozenset({ConsumptionBy.DAY, ConsumptionBy.MONTH})


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

    def page(self, actor: Actor, query: ConsumptionQuery) -> ConsumptionPage:
        """Read a page of the report, with the sums of all rows.

        Raise ``InvalidQuery`` for an invalid query.
        """
        asked = self._asked(actor, read_offset(query))
        if asked.cursor is not None:
            raise InvalidQuery("cursor")
        with self.read_for_reports() as views:
            report = views.consumption.report(asked)
        if query.by is ConsumptionBy.PATIENT:
            self._note(actor, AuditAction.CONSUMPTION_LISTED)
        return redact_for(actor, report, ConsumptionPage)

    def iterate(self, actor: Actor, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """Iterate over all rows, ignoring page and limit."""
        asked = self._asked(actor, query)
        self._note(actor, AuditAction.CONSUMPTION_EXPORTED)
        return self._walk(actor, asked)

    def full_report(self, actor: Actor, query: ConsumptionQuery, *, most: int) -> ConsumptionReportView:
        """Return the report for printing.

        Raise ``Refused`` if it has more than ``most`` rows.
        """
        asked = self._asked(actor, query)
        with self.read_for_reports() as views:
            rows = list(islice(views.consumption.rows(asked), most + 1))
            if len(rows) > most:
                raise Refused(Reason(Code.LIST_TOO_LONG, params={"most": most}))
            areas = views.names("area_id", {asked.area_id}) if asked.area_id else {}
            printed_by = name_of_user(views, actor.user_id)
        assert asked.since is not None
        assert asked.until is not None
        report = ConsumptionReportView(
            by=asked.by,
            returns=asked.returns,
            period=PeriodView({"from": asked.since, "to": asked.until}),
            area=areas.get(asked.area_id, f"#{asked.area_id}") if asked.area_id else None,
            sums=ConsumptionSumsView(
                details=sum(row["details"] for row in rows),
                quantity=sum((row["quantity"] for row in rows), 0 * QUANTITY_STEP),
                total=sum((row["total"] for row in rows), ZERO),
            ),
            items=rows,
            printed_by=printed_by,
            printed_at=self.clock(),
        )
        self._note(actor, AuditAction.CONSUMPTION_EXPORTED)
        return redact_for(actor, report, ConsumptionReportView)

    def _walk(self, actor: Actor, asked: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        with self.read_for_reports() as views:
            for row in views.consumption.rows(asked):
                yield redact_for(actor, row, ConsumptionRowView)

    def _asked(self, actor: Actor, query: ConsumptionQuery) -> ConsumptionQuery:
        """Check permissions, and add the default period and order."""
        actor.require(Permission.READ_REPORTS)
        needed = _NEEDED.get(query.by)
        if needed and not actor.can(needed):
            raise Refused(Reason(Code.REPORT_FOR_SUPERVISION, "by"))
        sees_prices = actor.can(Permission.SEE_PRICES)
        validate_query(query, CONSUMPTION_SORTS if sees_prices else CONSUMPTION_SORTS - PRICED_SORTS)
        # Days and months are in chronological order. Other rows are sorted by total, and for ward staff by number of
        # details, so that the order reveals no price.
        most = Sort("total" if sees_prices else "details", descending=True)
        usual = Sort("key") if query.by in _IN_TIME else most
        until = query.until or day_of(self.clock(), self.zone)
        since = query.since or date.fromordinal(max(1, until.toordinal() - DEFAULT_DAYS + 1))
        return replace(query, since=since, until=until, sort=query.sort or usual)

    def _note(self, actor: Actor, action: AuditAction) -> None:
        with self.begin() as work:
            work.audit_log.append(access_entry(actor, self.clock(), action, 0))
