"""Read the caller's shift, to hand it over."""

from dataclasses import dataclass
from datetime import datetime

from application.audit.access_log import AccessLog
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.paging import InvalidQuery
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.notices import MAX_NOTICES
from application.ward.shift_views import ShiftView, WorkedShiftView
from application.ward.work import Read
from domain.common.policy import Actor, Permission
from domain.common.text import natural_key
from domain.sheets.sheet import CLOCK_DRIFT, RECORDING_WINDOW
from domain.ward.shift import Shifts, WorkedShift

MAX_UNLISTED_ITEMS = 100
# Long enough for the present shift and the one before, whenever they begin.
LOOK_BACK = RECORDING_WINDOW


@dataclass(frozen=True, slots=True)
class ReadShift:
    """Read what the caller recorded since a moment, and what is still open.

    From the beginning of the shift before, it is that shift alone. Without a moment, it begins with the present shift,
    or shortly after that one's start with the shift before, and lasts until now.
    """

    read: Read
    clock: Clock
    shifts: Shifts
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, since: datetime | None = None) -> ShiftView:
        now = self.clock()
        if since is not None and (since.tzinfo is None or not now - LOOK_BACK <= since <= now + CLOCK_DRIFT):
            raise InvalidQuery("since")
        present = self.shifts.at(now)
        earlier = self.shifts.before(present)
        # Only a choice of the shift before leaves out what was recorded after it.
        until = earlier.until if since == earlier.since else None
        since = since or self.shifts.to_hand_over(now).since
        end = until or now + CLOCK_DRIFT
        with self.read() as views:
            sheets = views.shift.recorded(actor.user_id, since, end)
            unlisted = views.shift.unlisted_items(actor.user_id, most=MAX_UNLISTED_ITEMS)
            notices = views.shift.notices_between(actor.user_id, since, end, most=MAX_NOTICES)
        if sheets or unlisted or notices:
            self.access_log.note_list_read(actor, AuditAction.SHIFT_LISTED)
        view = ShiftView(
            since=since,
            until=until,
            shifts=[_shift_view(present), _shift_view(earlier)],
            sheets=sorted(sheets, key=lambda sheet: (natural_key(sheet["room"] or ""), sheet["id"])),
            unlisted_items=unlisted,
            notices=notices,
        )
        return redact_for(actor, view, ShiftView)


def _shift_view(worked: WorkedShift) -> WorkedShiftView:
    return WorkedShiftView(name=worked.shift.name, since=worked.since, until=worked.until)
