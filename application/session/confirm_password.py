"""Confirm the password on the lock screen."""

from dataclasses import dataclass, field, replace

from application.draft import Draft
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.identity import Passwords
from application.ports.unit_of_work import Begin
from application.session.identify import SignedIn
from application.session.record_failure import record_failure
from application.session.throttle import count_password_try
from domain.errors import Code, Reason, Refused, Unauthenticated
from domain.policy import Permission
from domain.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPassword(Draft):
    """The form of the lock screen."""

    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ConfirmPassword:
    """Check whether the password is the actor's, and unlock the session.

    Attempts are counted, and failures logged, as for signing in.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords

    def __call__(self, signed_in: SignedIn, given: GivenPassword, address: str = "", client: str = "") -> None:
        """Check the password.

        Raise ``Refused`` for a wrong password. Raise ``TooManyAttempts`` before any password is hashed.
        """
        actor = signed_in.actor
        actor.require(Permission.UNLOCK_SESSION)
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
        now = self.clock()
        with self.begin() as work:
            if fits:
                session = work.sessions.lock(signed_in.session_id, now)
                if session is None:
                    raise Unauthenticated
                tried.succeeded(work)
                work.sessions.save(replace(session, locked_at=None, confirmed_at=now, pin_failures=0))
            else:
                record_failure(work, now, AuditAction.SIGN_IN_FAILED, user.id, address=address, client=client)
        if not fits:
            raise Refused(Reason(Code.PASSWORD_WRONG, "password"))
