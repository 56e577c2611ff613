"""Sign in with email and password."""

from dataclasses import dataclass, field
from datetime import datetime

from application.accounts.ports.identity import Passwords, Session, SignInMethod
from application.accounts.sessions.ask_second_factor import SecondFactorAsked
from application.accounts.sessions.begin_session import BeginSession, NotAdmitted
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.throttle import count_password_try, is_known_address
from application.accounts.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import retried
from domain.accounts.user import EMAIL_LENGTH, User, normalize_email
from domain.common.errors import InvalidCredentials
from domain.common.text import unique_key
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials(Draft):
    """The form for signing in."""

    email: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SignIn:
    """Begin a session, and return its token."""

    begin: Begin
    passwords: Passwords
    clock: Clock
    begin_session: BeginSession

    @retried
    def __call__(self, credentials: Credentials, address: str = "", client: str = "") -> str:
        """Return the access token.

        ``address`` and ``client`` (the user agent) are stored in the audit log. Raise ``InvalidCredentials`` for an
        unknown email or a wrong password, and if the account has to use the hospital's own. Raise ``SecondFactorAsked``
        if the account has a passkey. Raise ``TooManyAttempts`` before any password is hashed, whether or not the
        account exists.
        """
        checks = Validator(credentials.parse_errors)
        email = checks.required_line("email", normalize_email(credentials.email), longest=EMAIL_LENGTH)
        # A password may begin or end with blanks, so it is used as typed.
        if not credentials.password:
            checks.required_line("password", None)
        checks.raise_if_invalid()
        with self.begin() as work:
            user = work.users.find("email", unique_key(email))
            is_known = is_known_address(work, user.id if user else 0, address, self.clock())
            tried = count_password_try(work, email, address, self.clock(), is_known=is_known)
        # Hashing is slow, so it happens outside the unit of work.
        fits = self.passwords.match(credentials.password or "", user.password_hash if user else None)
        now = self.clock()
        begun = None
        with self.begin() as work:
            # Read again in this unit of work: a user who was deleted or changed the password meanwhile must not be
            # signed in.
            current = work.users.lock(user.id) if user and fits else None
            if user is not None and current is not None and current.is_same_account(user):
                begun = self._begin(work, current, now, address, client)
            if begun is None:
                tried_on = user.id if user else 0
                record_failure(work, now, AuditAction.SIGN_IN_FAILED, tried_on, address=address, client=client)
            elif isinstance(begun, SecondFactorAsked):
                # Earlier failures still count: they are forgotten with the passkey.
                tried.withdraw(work)
            else:
                tried.succeeded(work)
        if begun is None:
            raise InvalidCredentials
        return self.begin_session.token_of(begun)

    def _begin(
        self, work: UnitOfWork, user: User, now: datetime, address: str, client: str
    ) -> Session | SecondFactorAsked | None:
        try:
            return self.begin_session(work, user, now, how=SignInMethod.PASSWORD, address=address, client=client)
        except NotAdmitted:
            return None
