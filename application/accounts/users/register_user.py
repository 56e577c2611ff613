"""Register a user with a password."""

from dataclasses import dataclass

from application.accounts.ports.identity import PasswordChecker, Passwords
from application.accounts.users.assign_profile import AssignProfile
from application.accounts.users.draft import UserDraft, check_email, check_role
from application.accounts.users.new_password import check_password, guessable_words
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import retried
from domain.accounts.user import User
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class RegisterUser:
    """Register a user with a first password, on the command line.

    For the first administrator the actor is None.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords
    judge: PasswordChecker
    assign_profile: AssignProfile

    @retried
    def __call__(self, actor: Actor | None, draft: UserDraft) -> User:
        if actor is not None:
            actor.require(Permission.MANAGE_USERS)
        checks = Validator(draft.parse_errors)
        with self.begin() as work:
            email = check_email(work, checks, draft.email, id=0)
            role = check_role(checks, actor, draft.role)
            user = User(email=email, role=role, password_hash=None)
            self.assign_profile.within(work, checks, user, draft.staff_id)
            about = guessable_words(work, user)
        check_password(checks, self.judge, draft.password, about)
        checks.raise_if_invalid()
        # Hashing is slow, so it happens outside the unit of work.
        user.password_hash = self.passwords.hash(draft.password or "")
        with self.begin() as work:
            work.users.add(user)
            work.audit_log.append(entry(actor, self.clock(), AuditAction.USER_REGISTERED, after=user))
        return user
