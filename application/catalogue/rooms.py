"""Create, update and delete rooms."""

from dataclasses import dataclass
from datetime import date

from application.catalogue.room_access import RoomAccess
from application.catalogue.views import ROOM_SORTS, RoomQuery, RoomView
from application.catalogue.work import UnitOfWork
from application.common.draft import Draft
from application.common.entities import ROOM
from application.records.crud import Create, Crud, Delete, Update, ensure_unique
from application.records.list_reader import ListReader
from domain.catalogue.area import CODE_LENGTH
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomDraft(Draft):
    """The form of a room."""

    name: str | None = None
    status: int | None = None
    type: int | None = None
    area_id: int | None = None
    code: str | None = None


def conceal_patients(actor: Actor, room: RoomView) -> None:
    """Remove the patients from a room if the actor may not read patients."""
    if not actor.can(Permission.READ_PATIENTS):
        room["sheets"] = []


def _validate(work: UnitOfWork, draft: RoomDraft, id: int, today: date) -> Room:  # noqa: ARG001
    checks = Validator(draft.parse_errors)
    room = Room(
        id=id,
        name=checks.required_line("name", draft.name),
        status=checks.int_enum("status", draft.status, RoomStatus),
        type=checks.int_enum("type", draft.type, RoomType),
        area_id=checks.required_id("area_id", draft.area_id),
        code=checks.optional_line("code", draft.code, longest=CODE_LENGTH),
    )
    ensure_unique(work, checks, ROOM, room)
    if room.area_id and work.areas.get(room.area_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
    checks.raise_if_invalid()
    return room


ROOMS = Crud(kind=ROOM, permission=Permission.MANAGE_CATALOGUE, validate=_validate, optional=("code",))


class CreateRoom(Create[Room, RoomDraft]):
    """Create a room."""

    rules = ROOMS


class UpdateRoom(Update[Room, RoomDraft]):
    """Update a room."""

    rules = ROOMS


class DeleteRoom(Delete):
    """Delete a room that nothing refers to."""

    rules = ROOMS


class ListRooms(ListReader[RoomView, RoomQuery]):
    """The rooms, with the patients who lie in them."""

    kind = ROOM
    permission = Permission.READ_CATALOGUE
    item_type = RoomView
    sorts = ROOM_SORTS
    access = RoomAccess

    def conceal(self, actor: Actor, item: RoomView) -> None:
        """Remove the patients, for actors who may not read them."""
        conceal_patients(actor, item)
