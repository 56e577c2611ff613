"""Bind sessions to devices, and verify the signatures of devices."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from application.accounts.ports.identity import Session
from application.accounts.ports.unlocking import DeviceKeys, Nonces
from application.accounts.sessions.confirmed import lock_confirmed_session
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.sessions import end
from application.accounts.views import NonceView
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Permission
from domain.common.validation import Validator


class Signing(StrEnum):
    """What a device signs a nonce for; part of the signed text."""

    DEVICE = "device"
    UNLOCK = "unlock"
    BADGE = "badge"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedDraft(Draft):
    """The base of forms that a device signs."""

    nonce: str | None = None
    signature: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceDraft(SignedDraft):
    """The public key of a device, as a JSON Web Key."""

    public_key: dict[str, object] | None = None


@dataclass(frozen=True, slots=True)
class MakeNonce:
    """Make a text for the device to sign, valid for a minute."""

    nonces: Nonces
    clock: Clock

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(self, signed_in: SignedIn) -> NonceView:
        return NonceView(nonce=self.nonces.make(signed_in.session_id, self.clock()))


@dataclass(frozen=True, slots=True)
class BindDevice:
    """Store the key of the device on which the session is used.

    From then on a PIN or a badge unlocks the session there. Older sessions of the user on the same device end. Another
    key needs a session that was confirmed recently, so that a copied token is not enough.
    """

    begin: Begin
    clock: Clock
    nonces: Nonces
    device_keys: DeviceKeys

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, signed_in: SignedIn, draft: DeviceDraft, address: str = "", client: str = "") -> None:
        actor = signed_in.actor
        checks = Validator(draft.parse_errors)
        key = self.device_keys.read(draft.public_key or {})
        if key is None:
            checks.add_error(Code.DEVICE_KEY_INVALID if draft.public_key else Code.REQUIRED, "public_key")
        check_signed(checks, draft)
        checks.raise_if_invalid()
        assert key is not None, "it was refused"
        now = self.clock()
        with self.begin() as work:
            user = work.users.lock(actor.user_id)
            session = work.sessions.lock(signed_in.session_id, now)
            if user is None or session is None:
                raise Unauthenticated
            verify_signed(self.nonces, self.device_keys, Signing.DEVICE, session, key.point, draft, now)
            if session.device == key.thumbprint:
                return
            lock_confirmed_session(work, signed_in, now)
            older = [it for it in work.views.sessions(user.id, now) if it.device == key.thumbprint]
            end(work, actor, user, older, now, address=address, client=client)
            work.sessions.save(replace(session, device=key.thumbprint, device_key=key.point))
            noted = {"device": key.thumbprint, "address": address, "client": client}
            work.audit_log.append(entry(actor, now, AuditAction.SESSION_DEVICE_BOUND, before=user, after=user, **noted))


def check_signed(checks: Validator, draft: SignedDraft) -> None:
    """Report a missing nonce or signature."""
    for field, text in (("nonce", draft.nonce), ("signature", draft.signature)):
        if not text:
            checks.add_error(Code.REQUIRED, field)


def verify_device(
    nonces: Nonces, device_keys: DeviceKeys, what: Signing, session: Session, draft: SignedDraft, now: datetime
) -> str:
    """Verify the signature of the session's device.

    Return its thumbprint, or raise ``Refused``.
    """
    if session.device is None or session.device_key is None:
        raise Refused(Reason(Code.PIN_NOT_HERE))
    verify_signed(nonces, device_keys, what, session, session.device_key, draft, now)
    return session.device


def verify_signed(
    nonces: Nonces,
    device_keys: DeviceKeys,
    what: Signing,
    session: Session,
    point: str,
    draft: SignedDraft,
    now: datetime,
) -> None:
    """Verify the nonce and its signature by a key. Raise ``Refused``."""
    nonce, signature = draft.nonce or "", draft.signature or ""
    if not nonces.is_valid(nonce, session.id, now):
        raise Refused(Reason(Code.NONCE_EXPIRED, "nonce"))
    if not device_keys.is_signed(f"consumo-{what}\n{nonce}\n{session.user_id}", signature, point):
        raise Refused(Reason(Code.DEVICE_SIGNATURE, "signature"))
