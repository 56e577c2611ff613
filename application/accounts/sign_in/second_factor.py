"""Take a passkey after the password."""

from dataclasses import dataclass, field

from application.accounts.ports.identity import SignInMethod
from application.accounts.ports.passkeys import PasskeyRefused, Passkeys, SecondFactorTickets
from application.accounts.sessions.ask_second_factor import password_stamp
from application.accounts.sessions.begin_session import BeginSession, NotAdmitted
from application.accounts.sessions.challenges import (
    PasskeyCopied,
    consume_challenge,
    mark_copied,
    refusal_of,
    verify_passkey,
)
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.throttle import count_wrong_passkey, forget_password_tries
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.mail import Mailer
from application.common.use_case import retried
from domain.accounts.passkey import SecretPurpose
from domain.common.errors import Code
from domain.common.validation import Validator


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
    begin_session: BeginSession
    mailer: Mailer

    @retried
    def __call__(self, given: GivenSecondFactor, address: str = "", client: str = "", language: str = "es") -> str:
        """Return the access token.

        Only invalid answers count for the address. Raise ``TooManyAttempts`` for another one above the limit.
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
        begun, email = None, None
        refusal = refusal_of(PasskeyRefused(Code.PASSKEY_CHALLENGE))
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or password_stamp(user) != stamp:
                raise refusal
            try:
                consume_challenge(work, claim.challenge, SecretPurpose.SECOND_FACTOR, user.id, now)
                verify_passkey(work, self.passkeys, given.credential or {}, claim, user, now)
                how = SignInMethod.PASSWORD_AND_PASSKEY
                begun = self.begin_session(work, user, now, how=how, address=address, client=client)
                forget_password_tries(work, user.email, address)
            except (PasskeyRefused, NotAdmitted) as refused:
                if isinstance(refused, PasskeyRefused):
                    refusal = refusal_of(refused)
                if not isinstance(refused, PasskeyCopied):
                    count_wrong_passkey(work, address, now)
                action = AuditAction.SECOND_FACTOR_FAILED
                record_failure(work, now, action, user.id, address=address, client=client)
                if isinstance(refused, PasskeyCopied):
                    email = mark_copied(work, refused, user, now, language, address=address, client=client)
        if email:
            self.mailer.send(email)
        if begun is None:
            raise refusal
        return self.begin_session.token_of(begun)
