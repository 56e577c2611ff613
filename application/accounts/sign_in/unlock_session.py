"""Unlock a session: by password, by PIN, by badge or by passkey."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from application.accounts.ports.identity import Passwords, Session
from application.accounts.ports.unlocking import BadgeDigests, DeviceKeys, Nonces, PinHasher
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sessions.device_proof import SignedDraft, Signing, check_signed, verify_device
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.known_badges import check_badge, find_badge, record_badge_use
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.throttle import count_badge_try, count_password_try, count_pin_try
from application.accounts.sign_in.unlock_with_passkey import VerifyOwnPasskey, with_second_factor
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry_by_id, failed_attempt_entry, to_audit_value
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.scanning import ReadScan
from application.common.use_case import permitted
from domain.accounts.pin import MAX_PIN_FAILURES
from domain.accounts.quick_unlock import QuickUnlock
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockDraft(SignedDraft):
    """The form of the lock screen, which has exactly one way of unlocking.

    A PIN and a badge come with a nonce that the device signed.
    """

    password: str | None = field(default=None, repr=False)
    pin: str | None = field(default=None, repr=False)
    badge: str | None = field(default=None, repr=False)
    passkey: dict[str, object] | None = field(default=None, repr=False)


class Request(NamedTuple):
    """An attempt to unlock, and where it comes from."""

    signed_in: SignedIn
    draft: UnlockDraft
    address: str
    client: str
    language: str


class Proof(NamedTuple):
    """A right password, PIN, badge or passkey.

    ``complete`` stores what follows, within the unit of work that unlocks, and returns the session.
    """

    how: str
    complete: Callable[[UnitOfWork, Session], Session]


@dataclass(frozen=True, slots=True)
class UnlockSession:
    """Unlock the session after its user has proved who they are.

    A password or a passkey also confirms the session, so that a PIN, a badge or a passkey may be added.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords
    pin_hasher: PinHasher
    badge_digests: BadgeDigests
    nonces: Nonces
    device_keys: DeviceKeys
    read_scan: ReadScan
    quick_unlock: QuickUnlock
    verify_own_passkey: VerifyOwnPasskey
    begin_session: BeginSession

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(
        self, signed_in: SignedIn, draft: UnlockDraft, address: str = "", client: str = "", language: str = "es"
    ) -> None:
        """Unlock the session.

        Raise ``Refused`` for a wrong one. Raise ``TooManyAttempts`` before anything is hashed.
        """
        actor = signed_in.actor
        checks = Validator(draft.parse_errors)
        ways = {
            "password": self._by_password,
            "pin": self._by_pin,
            "badge": self._by_badge,
            "passkey": self._by_passkey,
        }
        chosen = [name for name in ways if getattr(draft, name)]
        if len(chosen) != 1:
            checks.add_error(Code.REQUIRED, "password")
        elif chosen[0] in ("pin", "badge"):
            check_signed(checks, draft)
        checks.raise_if_invalid()
        proof = ways[chosen[0]](Request(signed_in, draft, address, client, language))
        now = self.clock()
        with self.begin() as work:
            if not self.begin_session.admits(work.users.get(actor.user_id)):
                raise Unauthenticated
            session = _lock(work, signed_in, now)
            locked_since = session.locked_at
            work.sessions.save(replace(proof.complete(work, session), locked_at=None))
            if locked_since:
                changes = {"how": (None, proof.how), "locked_since": (None, to_audit_value(locked_since))}
                where = {"address": (None, address), "client": (None, client)}
                work.audit_log.append(
                    entry_by_id(actor, now, AuditAction.SESSION_UNLOCKED, actor.user_id, {**changes, **where})
                )

    def _by_password(self, request: Request) -> Proof:
        with self.begin() as work:
            user = work.users.get(request.signed_in.actor.user_id)
            if user is None or user.deleted:
                raise Unauthenticated
            tried = count_password_try(work, user.email, request.address, self.clock(), is_known=True)
        fits = self.passwords.match(request.draft.password or "", user.password_hash)
        if not fits or not self.begin_session.accepts(user):
            self._record_failure(request, AuditAction.SIGN_IN_FAILED)
            raise Refused(Reason(Code.PASSWORD_WRONG, "password"))

        def complete(work: UnitOfWork, session: Session) -> Session:
            tried.succeeded(work)
            return replace(session, confirmed_at=self.clock(), pin_failures=0)

        return Proof("password", complete)

    def _by_passkey(self, request: Request) -> Proof:
        passkey = request.draft.passkey or {}
        with self.begin() as work:
            if not self.begin_session.accepts(work.users.get(request.signed_in.actor.user_id)):
                raise Refused(Reason(Code.PASSKEY_REFUSED, "passkey"))
        self.verify_own_passkey(request.signed_in, passkey, request.address, request.client, request.language)

        def complete(_: UnitOfWork, session: Session) -> Session:
            return replace(with_second_factor(session), confirmed_at=self.clock(), pin_failures=0)

        return Proof("passkey", complete)

    def _by_pin(self, request: Request) -> Proof:
        user_id, now = request.signed_in.actor.user_id, self.clock()
        self._require_role(request)
        with self.begin() as work:
            session = _lock(work, request.signed_in, now)
            device = verify_device(self.nonces, self.device_keys, Signing.UNLOCK, session, request.draft, now)
            stored = work.pins.get(user_id)
            if stored is None:
                raise Refused(Reason(Code.PIN_NONE, "pin"))
            _raise_if_exhausted(session, "pin")
            tried = count_pin_try(work, user_id, device, now)
            # Counted and stored before the hash, so that concurrent attempts cannot exceed the limit.
            failures = session.pin_failures + 1
            work.sessions.save(replace(session, pin_failures=failures))
        # Hashing is slow, so it happens outside the unit of work.
        pin_hash = self.pin_hasher.verify(user_id, request.draft.pin or "", stored.pin_hash)
        if pin_hash is None:
            self._record_failure(request, AuditAction.SESSION_UNLOCK_FAILED, is_last=failures == MAX_PIN_FAILURES)
            left = MAX_PIN_FAILURES - failures
            raise Refused(Reason(Code.PIN_WRONG, "pin", {"left": left}) if left else Reason(Code.PIN_EXHAUSTED, "pin"))

        def complete(work: UnitOfWork, session: Session) -> Session:
            current = work.pins.get(user_id)
            if current is None or current.set_at != stored.set_at:
                raise Refused(Reason(Code.PIN_NONE, "pin"))
            if pin_hash != stored.pin_hash:
                work.pins.save(replace(current, pin_hash=pin_hash))
            tried.succeeded(work)
            return replace(session, pin_failures=0)

        return Proof("pin", complete)

    def _by_badge(self, request: Request) -> Proof:
        user_id, now = request.signed_in.actor.user_id, self.clock()
        self._require_role(request)
        if not self.quick_unlock.badge_alone:
            raise Refused(Reason(Code.BADGE_NEEDS_PIN, "badge"))
        checks = Validator()
        text = check_badge(checks, self.read_scan, request.draft.badge)
        checks.raise_if_invalid()
        with self.begin() as work:
            session = _lock(work, request.signed_in, now)
            device = verify_device(self.nonces, self.device_keys, Signing.UNLOCK, session, request.draft, now)
            _raise_if_exhausted(session, "badge")
            tried = count_badge_try(work, user_id, device, now)
            found = find_badge(work, self.badge_digests, text)
        if found is None or found.user_id != user_id:
            self._record_failure(request, AuditAction.SESSION_UNLOCK_FAILED)
            raise Refused(Reason(Code.BADGE_UNKNOWN, "badge"))

        def complete(work: UnitOfWork, session: Session) -> Session:
            current = find_badge(work, self.badge_digests, text)
            if current is None or current.user_id != user_id:
                raise Refused(Reason(Code.BADGE_UNKNOWN, "badge"))
            tried.withdraw(work)
            record_badge_use(work, self.badge_digests, current, text, self.clock())
            return session

        return Proof("badge", complete)

    def _require_role(self, request: Request) -> None:
        if not self.quick_unlock.allows(request.signed_in.actor.role):
            raise Refused(Reason(Code.UNLOCK_NOT_FOR_ROLE))

    def _record_failure(self, request: Request, action: AuditAction, *, is_last: bool = False) -> None:
        user_id, now = request.signed_in.actor.user_id, self.clock()
        with self.begin() as work:
            record_failure(work, now, action, user_id, address=request.address, client=request.client)
            if is_last:
                where = {"address": request.address, "client": request.client}
                work.audit_log.append(failed_attempt_entry(now, AuditAction.SESSION_PIN_EXHAUSTED, user_id, **where))


def _lock(work: UnitOfWork, signed_in: SignedIn, now: datetime) -> Session:
    session = work.sessions.lock(signed_in.session_id, now)
    if session is None:
        raise Unauthenticated
    return session


def _raise_if_exhausted(session: Session, field: str) -> None:
    if session.pin_failures >= MAX_PIN_FAILURES:
        raise Refused(Reason(Code.PIN_EXHAUSTED, field))
