"""Read the ward: the rooms of an area with their patients."""

from dataclasses import dataclass
from datetime import tzinfo

from application.audit.access_log import AccessLog
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.ward.overview_ports import OPENED_BY_PERSON, RECORDED_BY_PERSON
from application.ward.ward_views import WardView
from application.ward.work import Read
from domain.common.day import day_of
from domain.common.policy import Actor, Permission

# More than the beds of a large hospital.
MAX_ROOMS = 1_000


@dataclass(frozen=True, slots=True)
class ReadWard:
    """Read the rooms of an area, or of the whole hospital, with open sheets."""

    read: Read
    clock: Clock
    zone: tzinfo
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, area_id: int | None = None) -> WardView:
        today = day_of(self.clock(), self.zone)
        with self.read() as views:
            areas = views.ward.areas()
            rooms = views.ward.rooms(area_id, today, most=MAX_ROOMS + 1)
            mine = set(views.overview.worked_on(actor.user_id, most=RECORDED_BY_PERSON + OPENED_BY_PERSON))
        shown = rooms[:MAX_ROOMS]
        for room in shown:
            for sheet in room["sheets"]:
                sheet["mine"] = sheet["id"] in mine
        sheet_ids = [sheet["id"] for room in shown for sheet in room["sheets"]]
        if area_id is not None and len(sheet_ids) == 1:
            self.access_log.note_sheets_read(actor, sheet_ids)
        elif sheet_ids:
            self.access_log.note_list_read(actor, AuditAction.WARD_LISTED)
        view = WardView(day=today, areas=areas, rooms=shown, more_rooms=len(rooms) > MAX_ROOMS)
        return redact_for(actor, view, WardView)
