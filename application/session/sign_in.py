"""Sign in with email and password."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from application.audit import entry
from application.ports import Begin, Clock, Passwords, Session, Tokens
from domain.checks import Checks
from domain.policy import Actor
from domain.refusal import BadCredentials, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What is filled in to sign in."""

    email: str | None = None
    password: str | None = None
    unreadable: tuple[Reason, ...] = ()

    def __repr__(self) -> str:
        return "Credentials(…)"


@dataclass(frozen=True, slots=True)
class SignIn:
    """Sign in: begin a session and hand out the token for it."""

    begin: Begin
    passwords: Passwords
    tokens: Tokens
    clock: Clock
    lasts: timedelta

    def __call__(self, credentials: Credentials) -> str:
        """The access token. Raise ``BadCredentials`` for an unknown email and a wrong password alike."""
        checks = Checks(credentials.unreadable)
        email = checks.text("email", credentials.email, longest=320)
        # A password may begin or end with blanks: it is taken as typed.
        if not credentials.password:
            checks.text("password", None)
        checks.done()
        with self.begin() as work:
            user = work.users.with_email(email)
        # Hashing takes its time: no unit of work waits for it.
        if not self.passwords.match(credentials.password or "", user.password_hash if user else None) or user is None:
            raise BadCredentials
        now = self.clock()
        session = Session(id=secrets.token_urlsafe(24), user_id=user.id, expires_at=now + self.lasts)
        actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
        with self.begin() as work:
            work.sessions.add(session)
            work.trail.append(entry(actor, now, "session.signed_in", "user", after=user))
        return self.tokens.issue(session)
