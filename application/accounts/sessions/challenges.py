"""Challenges, and the verification of the answers to them."""

import hashlib
import secrets
from dataclasses import replace
from datetime import datetime

from application.accounts.ports.passkeys import Claim, Credential, PasskeyRefused, Passkeys, SignInChallenges
from application.accounts.work import UnitOfWork
from application.audit.audit_log import entry
from application.common.entities import AuditAction
from application.common.mail import MailMessage
from domain.accounts.passkey import CHALLENGE_TTL, Passkey, PasskeySecret, SecretPurpose
from domain.accounts.user import User
from domain.common.errors import Code, Reason, Refused


def new_challenge(work: UnitOfWork, purpose: SecretPurpose, user_id: int | None, at: datetime) -> bytes:
    """Return a new challenge, which is valid once and for five minutes."""
    challenge = secrets.token_bytes(32)
    work.passkey_secrets.add(PasskeySecret(_digest(challenge), purpose, user_id, at + CHALLENGE_TTL))
    return challenge


def consume_challenge(
    work: UnitOfWork, challenge: bytes, purpose: SecretPurpose, user_id: int | None, at: datetime
) -> None:
    """Delete the challenge of an answer.

    Raise ``PasskeyRefused`` if it is unknown, has expired, or is for another purpose or user.
    """
    secret = work.passkey_secrets.consume(_digest(challenge), purpose)
    if secret is None or secret.expires_at <= at or secret.user_id != user_id:
        raise PasskeyRefused(Code.PASSKEY_CHALLENGE)


def use_sign_in_challenge(work: UnitOfWork, challenges: SignInChallenges, challenge: bytes, at: datetime) -> None:
    """Store that the challenge of a sign-in was used, which is possible once.

    Raise ``PasskeyRefused`` if it is not ours, has expired or was used. The passkey is locked: nothing else fits this
    signature.
    """
    expires_at = challenges.expiry_of(challenge)
    used = PasskeySecret(_digest(challenge), SecretPurpose.SIGN_IN, None, expires_at or at)
    if expires_at is None or expires_at <= at or work.passkey_secrets.get(used.digest, used.purpose):
        raise PasskeyRefused(Code.PASSKEY_CHALLENGE)
    work.passkey_secrets.add(used)


def verify_passkey(
    work: UnitOfWork, passkeys: Passkeys, credential: Credential, claim: Claim, user: User, at: datetime
) -> Passkey:
    """Verify the signature of a user's passkey, and store its use.

    Raise ``PasskeyCopied`` for a counter that only a copy of the passkey explains, otherwise ``PasskeyRefused``.
    """
    passkey = work.passkeys.lock(claim.credential_id)
    if passkey is None or passkey.user_id != user.id:
        raise PasskeyRefused(Code.PASSKEY_OF_ANOTHER)
    if claim.user_handle is not None and claim.user_handle != user.passkey_handle:
        raise PasskeyRefused
    signature = passkeys.verify(credential, claim.challenge, passkey.public_key)
    if passkey.suspected_at is not None:
        raise PasskeyRefused
    if passkey.is_copied(signature.sign_count):
        raise PasskeyCopied(passkey)
    used = replace(passkey, sign_count=signature.sign_count, backed_up=signature.backed_up, used_at=at)
    work.passkeys.save(used)
    return used


class PasskeyCopied(PasskeyRefused):
    """The counter of a passkey is not greater than at its last use."""

    def __init__(self, passkey: Passkey) -> None:
        super().__init__(Code.PASSKEY_REFUSED)
        self.passkey = passkey


def mark_copied(
    work: UnitOfWork, copied: PasskeyCopied, user: User, at: datetime, language: str, *, address: str, client: str
) -> MailMessage:
    """Stop accepting a passkey, log it, and return the email to its owner."""
    work.passkeys.save(replace(copied.passkey, suspected_at=at))
    noted = {"passkey": copied.passkey.name, "address": address, "client": client}
    action = AuditAction.PASSKEY_CLONE_SUSPECTED
    work.audit_log.append(entry(None, at, action, before=user, after=user, **noted))
    return MailMessage(user.email, "passkey_clone", language, at)


def refusal_of(refused: PasskeyRefused, field: str = "credential") -> Refused:
    """Return the refusal of a credential for the user."""
    return Refused(Reason(refused.code, field))


def raise_if_unavailable(passkeys: Passkeys) -> None:
    """Raise ``Refused`` if browsers allow no passkeys at this address."""
    if not passkeys.available:
        raise Refused(Reason(Code.PASSKEYS_OFF))


def _digest(challenge: bytes) -> str:
    return hashlib.sha256(challenge).hexdigest()
