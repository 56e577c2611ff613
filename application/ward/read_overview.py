"""Read the overview, the content of the home page."""

from dataclasses import dataclass
from datetime import tzinfo

from application.audit.access_log import AccessLog
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.ward.overview_views import OverviewView
from application.ward.work import Read
from domain.common.day import day_of
from domain.common.policy import Actor, Permission

# As many as a person takes in at a glance.
MAX_SHEETS = 8
MAX_DISCHARGES = 20


@dataclass(frozen=True, slots=True)
class ReadOverview:
    """Read today's figures and the user's sheets.

    Users without a worklist also get the discharges, because they close sheets.
    """

    read: Read
    clock: Clock
    zone: tzinfo
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor) -> OverviewView:
        today = day_of(self.clock(), self.zone)
        with self.read() as views:
            overview = views.overview
            mine = overview.worked_on(actor.user_id, most=MAX_SHEETS)
            sheets = overview.sheets(mine, today)
            view = OverviewView(
                day=today,
                open_sheets=overview.open_sheets(),
                today=overview.today(today),
                mine=[sheets[sheet_id] for sheet_id in mine if sheet_id in sheets],
            )
            if not actor.can(Permission.MANAGE_LATE_ENTRIES) and (
                discharges := views.worklist.discharges(most=MAX_DISCHARGES)
            ):
                view["discharges"] = discharges
        if view["mine"] or view.get("discharges"):
            self.access_log.note_list_read(actor, AuditAction.OVERVIEW_LISTED)
        return redact_for(actor, view, OverviewView)
