"""Sign in with email and password."""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from application.audit import entry
from application.ports import Begin, Clock, Passwords, Session, Tokens, UnitOfWork
from domain.checks import Checks
from domain.policy import Actor
from domain.refusal import BadCredentials, Reason, TooManyTries
from domain.text import unique_key
from domain.user import EMAIL_LENGTH

# So many failures within the window are borne before any password is hashed again. An account is tried on from one
# address few times; from all addresses together so many times that a stranger hardly locks the owner out, and never for
# longer than the window.
WINDOW = timedelta(minutes=15)
MOST_FROM_ONE_ADDRESS_ON_ONE_ACCOUNT = 10
MOST_FROM_ONE_ADDRESS = 100
MOST_ON_ONE_ACCOUNT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What is filled in to sign in."""

    email: str | None = None
    password: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class SignIn:
    """Sign in: begin a session and hand out the token for it."""

    begin: Begin
    passwords: Passwords
    tokens: Tokens
    clock: Clock
    lasts: timedelta

    def __call__(self, credentials: Credentials, address: str = "") -> str:
        """The access token.

        Raise ``BadCredentials`` for an unknown email and a wrong password alike, and ``TooManyTries``, whether or not
        the account exists, before any password is hashed.
        """
        checks = Checks(credentials.unreadable)
        email = checks.text("email", credentials.email, longest=EMAIL_LENGTH)
        # A password may begin or end with blanks: it is taken as typed.
        if not credentials.password:
            checks.text("password", None)
        checks.done()
        limits = _limits(unique_key(email), address)
        with self.begin() as work:
            _bear(work, limits, self.clock())
            user = work.users.with_email(email)
        # Hashing takes its time: no unit of work waits for it.
        fits = self.passwords.match(credentials.password or "", user.password_hash if user else None)
        now = self.clock()
        if user is None or not fits:
            with self.begin() as work:
                work.failures.add(list(limits), now)
            raise BadCredentials
        session = Session(id=secrets.token_urlsafe(24), user_id=user.id, expires_at=now + self.lasts)
        actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
        with self.begin() as work:
            # Within its own unit of work: whoever was deleted or changed the password meanwhile does not come in.
            if work.users.lock(user.id) != user:
                raise BadCredentials
            work.failures.clear(next(iter(limits)))
            work.sessions.add(session)
            work.trail.append(entry(actor, now, "session.signed_in", "user", before=user, after=user))
        return self.tokens.issue(session)


def _limits(account: str, address: str) -> dict[str, int]:
    """How many failures are borne by whom: digests, because a mistyped email may be a password."""
    return {
        _digest(f"{account} from {address}"): MOST_FROM_ONE_ADDRESS_ON_ONE_ACCOUNT,
        _digest(f"from {address}"): MOST_FROM_ONE_ADDRESS,
        _digest(f"on {account}"): MOST_ON_ONE_ACCOUNT,
    }


def _bear(work: UnitOfWork, limits: dict[str, int], now: datetime) -> None:
    for subject, most in limits.items():
        # What failed in the future failed while a clock was wrong: nobody waits until it has come.
        failed = [at for at in work.failures.since(subject, now - WINDOW) if at <= now]
        if len(failed) >= most:
            free = failed[len(failed) - most] + WINDOW
            raise TooManyTries(max(1, -int(-(free - now).total_seconds() // 1)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
