"""Sign in with a passkey alone."""

from dataclasses import dataclass, field

from application.accounts.ports.identity import SignInMethod
from application.accounts.ports.passkeys import Json, PasskeyRefused, Passkeys, SignInChallenges
from application.accounts.sessions.begin_session import BeginSession, NotAdmitted
from application.accounts.sessions.challenges import (
    PasskeyCopied,
    mark_copied,
    raise_if_unavailable,
    use_sign_in_challenge,
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
from domain.accounts.passkey import CHALLENGE_TTL
from domain.common.errors import Code, UnknownPasskey
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class BeginPasskeySignIn:
    """Return the options for signing in.

    They name no passkey, which would tell which accounts have one.
    """

    clock: Clock
    passkeys: Passkeys
    challenges: SignInChallenges

    def __call__(self) -> Json:
        raise_if_unavailable(self.passkeys)
        return self.passkeys.request_options(self.challenges.make(self.clock() + CHALLENGE_TTL))


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
    challenges: SignInChallenges
    begin_session: BeginSession
    mailer: Mailer

    @retried
    def __call__(self, given: GivenPasskey, address: str = "", client: str = "", language: str = "es") -> str:
        """Return the access token.

        Only invalid answers count for the address. Raise ``TooManyAttempts`` for another one above the limit.
        """
        checks = Validator(given.parse_errors)
        if not given.credential:
            checks.add_error(Code.REQUIRED, "credential")
        checks.raise_if_invalid()
        credential = given.credential or {}
        now = self.clock()
        begun, email = None, None
        try:
            claim = self.passkeys.read_claim(credential)
        except PasskeyRefused:
            raise UnknownPasskey from None
        with self.begin() as work:
            known = work.passkeys.lock(claim.credential_id)
            user = work.users.lock(known.user_id) if known else None
            try:
                # A discoverable passkey names its account.
                if user is None or claim.user_handle is None:
                    raise PasskeyRefused
                use_sign_in_challenge(work, self.challenges, claim.challenge, now)
                verify_passkey(work, self.passkeys, credential, claim, user, now)
                begun = self.begin_session(work, user, now, how=SignInMethod.PASSKEY, address=address, client=client)
                forget_password_tries(work, user.email, address)
            except (PasskeyRefused, NotAdmitted) as refused:
                user_id = user.id if user else 0
                if not isinstance(refused, PasskeyCopied):
                    count_wrong_passkey(work, address, now)
                record_failure(work, now, AuditAction.SIGN_IN_FAILED, user_id, address=address, client=client)
                if isinstance(refused, PasskeyCopied) and user is not None:
                    email = mark_copied(work, refused, user, now, language, address=address, client=client)
        if email:
            self.mailer.send(email)
        if begun is None:
            raise UnknownPasskey
        return self.begin_session.token_of(begun)
