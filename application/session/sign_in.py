"""Sign in with email and password."""

from dataclasses import dataclass, field
from datetime import timedelta

from application.draft import Draft
from application.entities import AuditAction
from application.passkeys.second_factor import AskSecondFactor
from application.ports.clock import Clock
from application.ports.identity import Passwords, Tokens
from application.ports.unit_of_work import Begin
from application.session.begin_session import begin_session
from application.session.oidc_rules import OidcRules
from application.session.record_failure import record_failure
from application.session.throttle import count_password_try, is_known_address
from domain.errors import InvalidCredentials
from domain.text import unique_key
from domain.user import EMAIL_LENGTH, normalize_email
from domain.validation import Validator


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
    tokens: Tokens
    clock: Clock
    tokens_last: timedelta
    oidc_rules: OidcRules
    ask_second_factor: AskSecondFactor

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
        if user is None or not fits or not self.oidc_rules.accepts_password_of(user):
            with self.begin() as work:
                tried_on = user.id if user else 0
                record_failure(work, now, AuditAction.SIGN_IN_FAILED, tried_on, address=address, client=client)
            raise InvalidCredentials
        with self.begin() as work:
            # Check again in this unit of work: a user who was deleted or changed the password meanwhile must not be
            # signed in.
            current = work.users.lock(user.id)
            if current is None or not current.is_same_account(user):
                raise InvalidCredentials
            asked = self.ask_second_factor(work, current, now)
            if asked is None:
                tried.succeeded(work)
                session = begin_session(work, user, now, lasts=self.tokens_last, address=address, client=client)
            else:
                # Earlier failures still count: they are forgotten with the passkey.
                work.failed_attempts.remove(tried.ids)
        if asked is not None:
            raise asked
        return self.tokens.issue(session)
