"""Sign in with a passkey alone."""

from dataclasses import dataclass, field
from datetime import timedelta

from application.draft import Draft
from application.entities import AuditAction
from application.passkeys.challenges import (
    PasskeyCopied,
    consume_challenge,
    mark_copied,
    new_challenge,
    raise_if_unavailable,
    verify_passkey,
)
from application.ports.clock import Clock
from application.ports.identity import SignInMethod, Tokens
from application.ports.mail import Mailer
from application.ports.passkeys import Json, PasskeyRefused, Passkeys
from application.ports.unit_of_work import Begin
from application.session.begin_session import begin_session
from application.session.record_failure import record_failure
from application.session.throttle import clear_passkey_options, count_passkey_options, count_password_try
from domain.errors import Code, UnknownPasskey
from domain.passkey import SecretPurpose
from domain.validation import Validator


@dataclass(frozen=True, slots=True)
class BeginPasskeySignIn:
    """Return the options for signing in.

    They name no passkey, which would tell which accounts have one.
    """

    begin: Begin
    clock: Clock
    passkeys: Passkeys

    def __call__(self, address: str = "") -> Json:
        """Return the options. Raise ``TooManyAttempts`` above the limit."""
        raise_if_unavailable(self.passkeys)
        now = self.clock()
        with self.begin() as work:
            count_passkey_options(work, address, now)
            challenge = new_challenge(work, SecretPurpose.SIGN_IN, None, now)
        return self.passkeys.request_options(challenge)


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPasskey(Draft):
    """The answer of the browser, as ``PublicKeyCredential.toJSON()``."""

    credential: dict[str, object] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SignInWithPasskey:
    """Begin a session with a passkey, which verified its user.

    Every failure is the same ``UnknownPasskey``.
    """

    begin: Begin
    clock: Clock
    passkeys: Passkeys
    tokens: Tokens
    tokens_last: timedelta
    mailer: Mailer

    def __call__(self, given: GivenPasskey, address: str = "", client: str = "", language: str = "es") -> str:
        """Return the access token. Raise ``TooManyAttempts`` above a limit."""
        checks = Validator(given.parse_errors)
        if not given.credential:
            checks.add_error(Code.REQUIRED, "credential")
        checks.raise_if_invalid()
        credential = given.credential or {}
        now = self.clock()
        failed, email = False, None
        try:
            claim = self.passkeys.read_claim(credential)
        except PasskeyRefused:
            raise UnknownPasskey from None
        with self.begin() as work:
            known = work.passkeys.lock(claim.credential_id)
            user = work.users.lock(known.user_id) if known else None
            tried_on = user.email if user else f"passkey {claim.credential_id.hex()}"
            tried = count_password_try(work, tried_on, address, now, is_known=user is not None)
            try:
                consume_challenge(work, claim.challenge, SecretPurpose.SIGN_IN, None, now)
                # A discoverable passkey names its account. Without a password the account is not active.
                if user is None or user.deleted or user.password_hash is None or claim.user_handle is None:
                    raise PasskeyRefused
                verify_passkey(work, self.passkeys, credential, claim, user, now)
                tried.succeeded(work)
                clear_passkey_options(work, address)
                session = begin_session(
                    work, user, now, lasts=self.tokens_last, address=address, client=client, how=SignInMethod.PASSKEY
                )
            except PasskeyRefused as refused:
                failed = True
                user_id = user.id if user else 0
                record_failure(work, now, AuditAction.SIGN_IN_FAILED, user_id, address=address, client=client)
                if isinstance(refused, PasskeyCopied) and user is not None:
                    email = mark_copied(work, refused, user, now, language, address=address, client=client)
        if email:
            self.mailer.send(email)
        if failed:
            raise UnknownPasskey
        return self.tokens.issue(session)
