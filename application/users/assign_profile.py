"""Assign a staff profile to a user."""

from dataclasses import dataclass, replace

from application.audit_log import entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from domain.errors import Code, NotFound
from domain.policy import Actor, Permission
from domain.user import User
from domain.validation import Validator


@dataclass(frozen=True, slots=True)
class AssignProfile:
    """Link a user's account to a staff profile, or (with None) to none. A profile belongs to one user at most.

    Every use case that fills in a user's profile does it by ``within``.
    """

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, user_id: int, staff_id: int | None) -> User:
        """Assign the profile to an account that is there."""
        actor.must(Permission.MANAGE_USERS)
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or user.deleted:
                raise NotFound
            before = replace(user)
            checks = Validator()
            self.within(work, checks, user, staff_id, by=actor)
            checks.raise_if_invalid()
            work.users.save(user)
            work.audit_log.append(
                entry(actor, self.clock(), AuditAction.USER_PROFILE_ASSIGNED, before=before, after=user)
            )
        return user

    def within(
        self, work: UnitOfWork, checks: Validator, user: User, staff_id: int | None, *, by: Actor | None = None
    ) -> None:
        """Assign the profile within that unit of work, which saves the user. 0 means none.

        ``by`` is None while an account is registered.
        """
        if staff_id and work.staff.get(staff_id) is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "staff_id")
        elif staff_id:
            holder = work.users.find("staff_id", staff_id)
            if holder is not None and holder.id != user.id:
                checks.add_error(Code.PROFILE_TAKEN, "staff_id")
        if by is None:
            user.staff_id = staff_id or None
        else:
            user.assign_profile(staff_id or None, by=by)
