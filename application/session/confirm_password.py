"""Confirm the password on the lock screen."""

from dataclasses import dataclass, field

from application.draft import Draft
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.identity import Passwords
from application.ports.unit_of_work import Begin
from application.session.record_failure import record_failure
from application.session.throttle import count_password_try
from domain.errors import Code, Reason, Refused, Unauthenticated
from domain.policy import Actor, Permission
from domain.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPassword(Draft):
    """The form of the lock screen."""

    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ConfirmPassword:
    """Check whether the password is the actor's.

    Attempts are counted, and failures logged, as for signing in.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords

    def __call__(self, actor: Actor, given: GivenPassword, address: str = "", client: str = "") -> None:
        """Check the password.

        Raise ``Refused`` for a wrong password. Raise ``TooManyAttempts`` before any password is hashed.
        """
        actor.require(Permission.EDIT_OWN_ACCOUNT)
        checks = Validator(given.parse_errors)
        if not given.password:
            checks.required_line("password", None)
        checks.raise_if_invalid()
        with self.begin() as work:
            user = work.users.get(actor.user_id)
            if user is None or user.deleted:
                raise Unauthenticated
            tried = count_password_try(work, user.email, address, self.clock(), is_known=True)
        fits = self.passwords.match(given.password or "", user.password_hash)
        with self.begin() as work:
            if fits:
                tried.succeeded(work)
            else:
                action = AuditAction.SIGN_IN_FAILED
                record_failure(work, self.clock(), action, user.id, address=address, client=client)
        if not fits:
            raise Refused(Reason(Code.PASSWORD_WRONG, "password"))
