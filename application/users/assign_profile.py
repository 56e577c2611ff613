"""Assign a staff profile to a user."""

from dataclasses import dataclass, replace

from application.audit_log import entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from domain.policy import Actor, Permission
from domain.refusal import Code, NotFound, Reason, Refused
from domain.user import User


@dataclass(frozen=True, slots=True)
class AssignProfile:
    """Link a user's account to a staff profile, or (with None) to none. A profile belongs to one user at most."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, user_id: int, staff_id: int | None) -> User:
        actor.must(Permission.MANAGE_USERS)
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or user.deleted:
                raise NotFound
            before = replace(user)
            user.assign_profile(staff_id, by=actor)
            if staff_id is not None:
                if work.staff.get(staff_id) is None:
                    raise Refused(Reason(Code.REFERENCE_UNKNOWN, "staff_id"))
                holder = work.users.find("staff_id", staff_id)
                if holder is not None and holder.id != user.id:
                    raise Refused(Reason(Code.PROFILE_TAKEN, "staff_id"))
            work.users.save(user)
            work.audit_log.append(
                entry(actor, self.clock(), AuditAction.USER_PROFILE_ASSIGNED, before=before, after=user)
            )
        return user
