"""Assign a staff profile to a user."""

from dataclasses import dataclass, replace

from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.accounts.user import User
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class AssignProfile:
    """Link a staff profile to a user's account, or remove it (None).

    A profile belongs to at most one user. Every use case that sets a user's profile calls ``within``.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_USERS)
    def __call__(self, actor: Actor, user_id: int, staff_id: int | None) -> User:
        """Assign the profile to an existing account."""
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
        """Assign the profile within a unit of work, which saves the user.

        A ``staff_id`` of 0 means none. ``by`` is None while an account is being registered.
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
