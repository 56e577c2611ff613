"""Create, update and delete rooms."""

from dataclasses import dataclass

from application.audit_log import entry
from application.crud import delete_unused, ensure_unique, keep_unsent_fields
from application.draft import Draft
from application.entities import ROOM, AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from application.views.catalogue import RoomView
from domain.area import CODE_LENGTH
from domain.errors import Code, NotFound
from domain.policy import Actor, Permission
from domain.room import Room, RoomStatus, RoomType
from domain.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomDraft(Draft):
    """The form of a room.

    A ``code`` that is not in ``sent`` stays as it is.
    """

    name: str | None = None
    status: int | None = None
    type: int | None = None
    area_id: int | None = None
    code: str | None = None


def conceal_patients(actor: Actor, room: RoomView) -> None:
    """Remove the patients from a room if the actor may not read patients."""
    if not actor.can(Permission.READ_PATIENTS):
        room["sheets"] = []


@dataclass(frozen=True, slots=True)
class CreateRoom:
    """Create a room."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, draft: RoomDraft) -> Room:
        actor.require(Permission.MANAGE_CATALOGUE)
        now = self.clock()
        with self.begin() as work:
            room = _validate(work, draft, id=0)
            work.rooms.add(room)
            work.audit_log.append(entry(actor, now, AuditAction.ROOM_CREATED, after=room))
        return room


@dataclass(frozen=True, slots=True)
class UpdateRoom:
    """Update a room."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, room_id: int, draft: RoomDraft) -> Room:
        actor.require(Permission.MANAGE_CATALOGUE)
        now = self.clock()
        with self.begin() as work:
            before = work.rooms.lock(room_id)
            if before is None:
                raise NotFound
            room = _validate(work, keep_unsent_fields(draft, before, "code"), id=room_id)
            if room != before:
                work.rooms.save(room)
                work.audit_log.append(entry(actor, now, AuditAction.ROOM_UPDATED, before=before, after=room))
        return room


@dataclass(frozen=True, slots=True)
class DeleteRoom:
    """Delete a room that nothing refers to."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, room_id: int) -> None:
        actor.require(Permission.MANAGE_CATALOGUE)
        delete_unused(self.begin, actor, room_id, at=self.clock(), kind=ROOM, action=AuditAction.ROOM_DELETED)


def _validate(work: UnitOfWork, draft: RoomDraft, *, id: int) -> Room:
    """Validate the draft. Raise ``Refused`` with all errors."""
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
