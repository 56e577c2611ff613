"""Set and remove the own PIN."""

from dataclasses import dataclass, field

from application.accounts.ports.unlocking import PinHasher, StoredPin
from application.accounts.sessions.confirmed import lock_confirmed_session
from application.accounts.sessions.identify import SignedIn
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry_by_id
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.accounts.pin import is_pin, is_weak_pin
from domain.accounts.quick_unlock import QuickUnlock
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class PinDraft(Draft):
    """The form of a PIN."""

    pin: str | None = field(default=None, repr=False)
    pin_confirmation: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SetPin:
    """Set the own PIN, for unlocking on devices that are bound to a session.

    The session must have been confirmed recently.
    """

    begin: Begin
    clock: Clock
    pin_hasher: PinHasher
    quick_unlock: QuickUnlock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, signed_in: SignedIn, draft: PinDraft) -> None:
        actor = signed_in.actor
        # A PIN also works on devices where the owner gave the second factor.
        actor.require_second_factor()
        if not self.quick_unlock.allows(actor.role):
            raise Refused(Reason(Code.UNLOCK_NOT_FOR_ROLE))
        checks = Validator(draft.parse_errors)
        pin = draft.pin or ""
        if not pin:
            checks.add_error(Code.REQUIRED, "pin")
        elif not is_pin(pin):
            checks.add_error(Code.PIN_INVALID, "pin")
        elif pin != draft.pin_confirmation:
            checks.add_error(Code.PIN_MISMATCH, "pin_confirmation")
        checks.raise_if_invalid()
        with self.begin() as work:
            lock_confirmed_session(work, signed_in, self.clock())
            if _is_weak(work, actor, pin):
                raise Refused(Reason(Code.PIN_WEAK, "pin"))
        # Hashing is slow, so it happens outside the unit of work.
        pin_hash = self.pin_hasher.hash(actor.user_id, pin)
        now = self.clock()
        with self.begin() as work:
            # The user's lock orders this with a change of password, which deletes the PIN and ends the session.
            if work.users.lock(actor.user_id) is None or work.sessions.lock(signed_in.session_id, now) is None:
                raise Unauthenticated
            work.pins.save(StoredPin(actor.user_id, pin_hash, now))
            work.audit_log.append(entry_by_id(actor, now, AuditAction.USER_PIN_SET, actor.user_id, {}))


@dataclass(frozen=True, slots=True)
class RemovePin:
    """Delete the own PIN, if there is one."""

    begin: Begin
    clock: Clock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor) -> None:
        with self.begin() as work:
            if work.pins.get(actor.user_id) is None:
                return
            work.pins.remove(actor.user_id)
            work.audit_log.append(entry_by_id(actor, self.clock(), AuditAction.USER_PIN_REMOVED, actor.user_id, {}))


def _is_weak(work: UnitOfWork, actor: Actor, pin: str) -> bool:
    profile = work.staff.get(actor.staff_id) if actor.staff_id else None
    return is_weak_pin(
        pin,
        born=profile.date_of_birth if profile else None,
        telephone=profile.telephone_number if profile else None,
    )
