"""Register a user."""

from dataclasses import dataclass, field

from application.audit import entry
from application.ports import Begin, Clock, Passwords
from domain.checks import Checks
from domain.password import check_password
from domain.policy import Actor, Role
from domain.refusal import Code, Reason
from domain.user import User, is_email

EMAIL_LENGTH = 320


@dataclass(frozen=True, slots=True, kw_only=True)
class UserDraft:
    """What is filled in for a user."""

    email: str | None = None
    role: int | None = None
    password: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class RegisterUser:
    """Register a user with a first password.

    The very first administrator is registered by whoever runs the machine, with nobody (None) as the actor.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords

    def __call__(self, actor: Actor | None, draft: UserDraft) -> User:
        checks = Checks(draft.unreadable)
        email = checks.text("email", draft.email, longest=EMAIL_LENGTH)
        role = checks.choice("role", draft.role, Role)
        if email and not is_email(email):
            checks.refuse(Code.EMAIL_INVALID, "email")
        check_password(checks, "password", draft.password, email=email)
        if actor is not None:
            actor.must_manage(role)
        with self.begin() as work:
            if work.users.with_email(email):
                checks.refuse(Code.TAKEN, "email", value=email)
        checks.done()
        user = User(email=email, role=role, password_hash=self.passwords.hash(draft.password or ""))
        with self.begin() as work:
            work.users.add(user)
            work.trail.append(entry(actor, self.clock(), "user.registered", "user", after=user))
        return user
