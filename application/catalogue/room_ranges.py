"""Create several rooms at once, named by ranges."""

from dataclasses import dataclass

from application.audit.audit_log import entry
from application.catalogue.views import RoomRangesView
from application.catalogue.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.catalogue.room_ranges import read_room_ranges
from domain.common.errors import Code, Refused
from domain.common.policy import Actor, Permission
from domain.common.text import fold
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRangesDraft(Draft):
    """The rooms, such as ``201–240, 301, 305A``, and their area."""

    ranges: str | None = None
    area_id: int | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class CheckRoomRanges:
    """Say which rooms would be created, and which exist already."""

    begin: Begin

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, draft: RoomRangesDraft) -> RoomRangesView:
        with self.begin() as work:
            rooms, existing = _rooms(work, draft)
        return RoomRangesView(created=[room.name for room in rooms], existing=existing)


@dataclass(frozen=True, slots=True)
class CreateRoomRanges:
    """Create the rooms of a text in one transaction.

    Rooms of the area that have such a name already are left as they are.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, draft: RoomRangesDraft) -> RoomRangesView:
        now = self.clock()
        with self.begin() as work:
            rooms, existing = _rooms(work, draft)
            for room, room_id in zip(rooms, work.rooms.reserve(len(rooms)), strict=True):
                room.id = room_id
            work.rooms.add_all(rooms)
            work.audit_log.extend([entry(actor, now, AuditAction.ROOM_CREATED, after=room) for room in rooms])
        return RoomRangesView(created=[room.name for room in rooms], existing=existing)


def _rooms(work: UnitOfWork, draft: RoomRangesDraft) -> tuple[list[Room], list[str]]:
    """Return the new rooms, and the names that the area has already.

    The area is locked, so that two users do not create the same rooms. Raise ``Refused`` with all errors.
    """
    checks = Validator(draft.parse_errors)
    text = checks.required_text("ranges", draft.ranges)
    area_id = checks.required_id("area_id", draft.area_id)
    status = RoomStatus.AVAILABLE
    if draft.status is not None:
        status = checks.int_enum("status", draft.status, RoomStatus)
    names: list[str] = []
    try:
        names = read_room_ranges(text)
    except Refused as refused:
        checks.add(refused.reasons)
    if area_id and work.areas.lock(area_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
    if text and not names and not checks.reasons:
        checks.add_error(Code.REQUIRED, "ranges")
    checks.raise_if_invalid()
    alike = work.rooms.find_many("name", {fold(name) for name in names})
    known = {fold(room.name): room.name for room in alike if room.area_id == area_id}
    # A new room has no type of its own: it is the number of its status, as on the screen.
    rooms = [
        Room(name=name, status=status, type=RoomType(int(status)), area_id=area_id)
        for name in names
        if fold(name) not in known
    ]
    return rooms, [known[fold(name)] for name in names if fold(name) in known]
