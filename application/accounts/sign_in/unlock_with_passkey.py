"""Unlock a session, and confirm it, with a passkey."""

from dataclasses import dataclass, replace

from application.accounts.ports.identity import Session, SignInMethod
from application.accounts.ports.passkeys import Credential, Json, PasskeyRefused, Passkeys
from application.accounts.sessions.challenges import (
    PasskeyCopied,
    consume_challenge,
    mark_copied,
    new_challenge,
    raise_if_unavailable,
    refusal_of,
    verify_passkey,
)
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.throttle import count_wrong_passkey, forget_password_tries
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.mail import Mailer
from application.common.use_case import permitted
from domain.accounts.passkey import SecretPurpose
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Permission


@dataclass(frozen=True, slots=True)
class BeginPasskeyUnlock:
    """Return the options for unlocking with one of the own passkeys."""

    begin: Begin
    clock: Clock
    passkeys: Passkeys

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(self, signed_in: SignedIn) -> Json:
        """Return the options. Raise ``Refused`` without a passkey."""
        actor = signed_in.actor
        raise_if_unavailable(self.passkeys)
        with self.begin() as work:
            known = work.passkeys.of_user(actor.user_id)
            if not known:
                raise Refused(Reason(Code.PASSKEYS_NONE))
            challenge = new_challenge(work, SecretPurpose.UNLOCK, actor.user_id, self.clock())
        return self.passkeys.request_options(challenge, known)


@dataclass(frozen=True, slots=True)
class VerifyOwnPasskey:
    """Verify a passkey of the signed-in user, for unlocking."""

    begin: Begin
    clock: Clock
    passkeys: Passkeys
    mailer: Mailer

    def __call__(
        self, signed_in: SignedIn, credential: Credential, address: str = "", client: str = "", language: str = "es"
    ) -> None:
        """Raise ``Refused`` for a passkey that is not the actor's.

        Only invalid answers count for the address. Raise ``TooManyAttempts`` for another one above the limit.
        """
        try:
            claim = self.passkeys.read_claim(credential)
        except PasskeyRefused as refused:
            raise refusal_of(refused, "passkey") from None
        now = self.clock()
        refusal: Refused | None = None
        email = None
        with self.begin() as work:
            user = work.users.lock(signed_in.actor.user_id)
            if user is None or user.deleted:
                raise Unauthenticated
            try:
                consume_challenge(work, claim.challenge, SecretPurpose.UNLOCK, user.id, now)
                verify_passkey(work, self.passkeys, credential, claim, user, now)
                forget_password_tries(work, user.email, address)
            except PasskeyRefused as refused:
                refusal = refusal_of(refused, "passkey")
                if not isinstance(refused, PasskeyCopied):
                    count_wrong_passkey(work, address, now)
                action = AuditAction.SECOND_FACTOR_FAILED
                record_failure(work, now, action, user.id, address=address, client=client)
                if isinstance(refused, PasskeyCopied):
                    email = mark_copied(work, refused, user, now, language, address=address, client=client)
        if email:
            self.mailer.send(email)
        if refusal:
            raise refusal


def with_second_factor(session: Session) -> Session:
    """Return a session as it is after a passkey was used in it."""
    return session if session.how.has_second_factor else replace(session, how=SignInMethod.PASSWORD_AND_PASSKEY)
