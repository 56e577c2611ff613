"""Upkeep of the rooms."""

from dataclasses import dataclass

from application.audit import entry
from application.ports import Begin, Clock
from domain.checks import Checks
from domain.policy import Actor, Permission
from domain.refusal import Code, Reason
from domain.room import Room, RoomStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomDraft:
    """What is filled in for a room."""

    name: str | None = None
    status: int | None = None
    type: int | None = None
    area_id: int | None = None
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateRoom:
    """Add a room to an area."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: RoomDraft) -> Room:
        actor.must(Permission.MANAGE_CATALOGUE)
        checks = Checks(draft.unreadable)
        room = Room(
            name=checks.text("name", draft.name),
            status=checks.choice("status", draft.status, RoomStatus),
            type=checks.choice("type", draft.type, RoomStatus),
            area_id=checks.reference("area_id", draft.area_id),
        )
        with self.begin() as work:
            if room.area_id and work.areas.get(room.area_id) is None:
                checks.refuse(Code.REFERENCE_UNKNOWN, "area_id")
            checks.done()
            work.rooms.add(room)
            work.trail.append(entry(actor, self.clock(), "room.created", "room", after=room))
        return room
