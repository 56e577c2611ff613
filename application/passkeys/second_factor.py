"""Ask for a passkey after the password."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from application.draft import Draft
from application.entities import AuditAction
from application.passkeys.challenges import (
    PasskeyCopied,
    consume_challenge,
    mark_copied,
    new_challenge,
    refusal_of,
    verify_passkey,
)
from application.ports.clock import Clock
from application.ports.identity import SignInMethod, Tokens
from application.ports.mail import Mailer
from application.ports.passkeys import Json, PasskeyRefused, Passkeys, SecondFactorTickets
from application.ports.unit_of_work import Begin, UnitOfWork
from application.session.begin_session import begin_session
from application.session.record_failure import record_failure
from application.session.throttle import count_password_try
from domain.errors import Code, Refused
from domain.passkey import CHALLENGE_TTL, SecretPurpose
from domain.user import User
from domain.validation import Validator


class SecondFactorAsked(Exception):
    """The password was right, and a passkey is asked for.

    ``ticket`` proves the password; ``options`` are for the browser.
    """

    def __init__(self, ticket: str, options: Json) -> None:
        super().__init__()
        self.ticket = ticket
        self.options = options


@dataclass(frozen=True, slots=True)
class AskSecondFactor:
    """Ask for a passkey of a user whose password was right.

    Accounts without a passkey are not asked, nor is any account while passkeys are unavailable. The result is raised
    after the unit of work, which stores the challenge.
    """

    passkeys: Passkeys
    tickets: SecondFactorTickets

    def __call__(self, work: UnitOfWork, user: User, now: datetime) -> SecondFactorAsked | None:
        known = work.passkeys.of_user(user.id) if self.passkeys.available else []
        if not known:
            return None
        challenge = new_challenge(work, SecretPurpose.SECOND_FACTOR, user.id, now)
        ticket = self.tickets.issue(user.id, _stamp(user), now + CHALLENGE_TTL)
        return SecondFactorAsked(ticket, self.passkeys.request_options(challenge, known))


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenSecondFactor(Draft):
    """The ticket, and the answer of the browser."""

    ticket: str | None = field(default=None, repr=False)
    credential: dict[str, object] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class GiveSecondFactor:
    """Sign in with the ticket of a right password and a passkey."""

    begin: Begin
    clock: Clock
    passkeys: Passkeys
    tickets: SecondFactorTickets
    tokens: Tokens
    tokens_last: timedelta
    mailer: Mailer

    def __call__(self, given: GivenSecondFactor, address: str = "", client: str = "", language: str = "es") -> str:
        """Return the access token.

        Failures count as attempts at the password. Raise ``TooManyAttempts`` above a limit.
        """
        checks = Validator(given.parse_errors)
        if not given.ticket:
            checks.add_error(Code.REQUIRED, "ticket")
        if not given.credential:
            checks.add_error(Code.REQUIRED, "credential")
        checks.raise_if_invalid()
        try:
            user_id, stamp = self.tickets.read(given.ticket or "")
            claim = self.passkeys.read_claim(given.credential or {})
        except PasskeyRefused as refused:
            raise refusal_of(refused) from None
        now = self.clock()
        refusal: Refused | None = None
        email = None
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or user.deleted or _stamp(user) != stamp:
                raise refusal_of(PasskeyRefused(Code.PASSKEY_CHALLENGE))
            tried = count_password_try(work, user.email, address, now, is_known=True)
            try:
                consume_challenge(work, claim.challenge, SecretPurpose.SECOND_FACTOR, user.id, now)
                verify_passkey(work, self.passkeys, given.credential or {}, claim, user, now)
                tried.succeeded(work)
                how = SignInMethod.PASSWORD_AND_PASSKEY
                session = begin_session(
                    work, user, now, lasts=self.tokens_last, address=address, client=client, how=how
                )
            except PasskeyRefused as refused:
                refusal = refusal_of(refused)
                action = AuditAction.SECOND_FACTOR_FAILED
                record_failure(work, now, action, user.id, address=address, client=client)
                if isinstance(refused, PasskeyCopied):
                    email = mark_copied(work, refused, user, now, language, address=address, client=client)
        if email:
            self.mailer.send(email)
        if refusal:
            raise refusal
        return self.tokens.issue(session)


def _stamp(user: User) -> str:
    """Return what changes with the password, so that old tickets end."""
    return hashlib.sha256((user.password_hash or "").encode()).hexdigest()[:32]
