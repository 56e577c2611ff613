"""Badges of users: list, add, remove and find them."""

from dataclasses import dataclass, field
from datetime import datetime

from application.accounts.ports.unlocking import BadgeDigests, DeviceKeys, Nonces
from application.accounts.sessions.browse_users import BrowseUsers
from application.accounts.sessions.confirmed import lock_confirmed_session
from application.accounts.sessions.device_proof import SignedDraft, Signing, check_signed, verify_device
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.known_badges import check_badge, find_badge, record_badge_use
from application.accounts.sessions.sessions import lock_account
from application.accounts.sessions.throttle import count_badge_try
from application.accounts.views import BadgeHolderView, BadgesView, BadgeView
from application.accounts.work import Begin, BeginReadOnly, UnitOfWork
from application.audit.audit_log import Changes, entry_by_id
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.scanning import ReadScan
from application.common.use_case import permitted
from domain.accounts.badge import MAX_BADGE_NAME_LENGTH, MAX_BADGES, Badge
from domain.accounts.quick_unlock import QuickUnlock
from domain.common.errors import Code, NotFound, Reason, Refused, Unauthenticated
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeDraft(Draft):
    """The form of a badge: its text as scanned, and a name for it."""

    badge: str | None = field(default=None, repr=False)
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedBadge(SignedDraft):
    """A badge that was scanned on the lock screen."""

    badge: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ListBadges:
    """List the badges of the own account or of a managed one."""

    users: BrowseUsers
    begin_read_only: BeginReadOnly

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor, user_id: int) -> BadgesView:
        """Raise ``NotFound`` for an account that the actor does not manage."""
        self.users.one(actor, user_id)
        with self.begin_read_only() as work:
            return BadgesView(items=[_view(badge) for badge in work.badges.find_many("user_id", [user_id])])


@dataclass(frozen=True, slots=True)
class AddBadge:
    """Add a badge to the own account or to a managed one.

    For the own account the session must have been confirmed recently.
    """

    begin: Begin
    clock: Clock
    badge_digests: BadgeDigests
    read_scan: ReadScan
    quick_unlock: QuickUnlock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, signed_in: SignedIn, user_id: int, draft: BadgeDraft) -> BadgeView:
        actor, now = signed_in.actor, self.clock()
        if user_id == actor.user_id:
            # A badge also works on devices where the owner gave the second factor.
            actor.require_second_factor()
        checks = Validator(draft.parse_errors)
        text = check_badge(checks, self.read_scan, draft.badge)
        name = checks.optional_line("name", draft.name, longest=MAX_BADGE_NAME_LENGTH)
        with self.begin() as work:
            user = lock_account(work, actor, user_id)
            if not self.quick_unlock.allows(user.role):
                raise Refused(Reason(Code.UNLOCK_NOT_FOR_ROLE))
            checks.raise_if_invalid()
            if user_id == actor.user_id:
                lock_confirmed_session(work, signed_in, now)
            if len(work.badges.find_many("user_id", [user_id])) >= MAX_BADGES:
                checks.add_error(Code.BADGES_TOO_MANY, most=MAX_BADGES)
                checks.raise_if_invalid()
            tried = count_badge_try(work, actor.user_id, None, now)
            found = find_badge(work, self.badge_digests, text)
            if found is None or found.user_id == user_id:
                tried.withdraw(work)
            if found is None:
                return self._add(work, actor, user_id, text, name, now)
        # Raised after the commit: badges of other users count, so that their numbers cannot be tried one by one.
        raise Refused(Reason(Code.BADGE_TAKEN, "badge"))

    def _add(
        self, work: UnitOfWork, actor: Actor, user_id: int, text: str, name: str | None, now: datetime
    ) -> BadgeView:
        badge = Badge(
            user_id=user_id,
            digest=self.badge_digests.digests(text)[0],
            name=name,
            made_by=actor.user_id,
            made_at=now,
        )
        work.badges.add(badge)
        changes: Changes = {"badge": (None, _called(badge))}
        work.audit_log.append(entry_by_id(actor, now, AuditAction.USER_BADGE_ADDED, user_id, changes))
        return _view(badge)


@dataclass(frozen=True, slots=True)
class RemoveBadge:
    """Remove a badge from the own account or from a managed one."""

    begin: Begin
    clock: Clock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor, user_id: int, badge_id: int) -> None:
        with self.begin() as work:
            lock_account(work, actor, user_id)
            badge = work.badges.lock(badge_id)
            if badge is None or badge.user_id != user_id:
                raise NotFound
            work.badges.remove(badge)
            changes: Changes = {"badge": (_called(badge), None)}
            work.audit_log.append(entry_by_id(actor, self.clock(), AuditAction.USER_BADGE_REMOVED, user_id, changes))


@dataclass(frozen=True, slots=True)
class FindBadge:
    """Find the user of a badge who has a session on this device.

    An unknown badge, a user without a session here and one whose role may not use it give the same answer.
    """

    begin: Begin
    clock: Clock
    badge_digests: BadgeDigests
    nonces: Nonces
    device_keys: DeviceKeys
    read_scan: ReadScan
    quick_unlock: QuickUnlock

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(self, signed_in: SignedIn, draft: ScannedBadge) -> BadgeHolderView:
        """Raise ``NotFound`` without such a user, and ``TooManyAttempts``."""
        checks = Validator(draft.parse_errors)
        text = check_badge(checks, self.read_scan, draft.badge)
        check_signed(checks, draft)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            session = work.sessions.lock(signed_in.session_id, now)
            if session is None:
                raise Unauthenticated
            device = verify_device(self.nonces, self.device_keys, Signing.BADGE, session, draft, now)
            tried = count_badge_try(work, signed_in.actor.user_id, device, now)
            badge = find_badge(work, self.badge_digests, text)
            holder = work.users.get(badge.user_id) if badge else None
            is_here = holder is not None and any(
                it.user_id == holder.id for it in work.views.sessions_on_device(device, now)
            )
            found = is_here and holder is not None and not holder.deleted and self.quick_unlock.allows(holder.role)
            if badge and found:
                tried.withdraw(work)
                record_badge_use(work, self.badge_digests, badge, text, now)
        # Raised after the commit: a badge that is not found counts.
        if badge is None or not found:
            raise NotFound
        return BadgeHolderView(user_id=badge.user_id)


def _called(badge: Badge) -> str:
    return badge.name or str(badge.id)


def _view(badge: Badge) -> BadgeView:
    return BadgeView(id=badge.id, name=badge.name, made_at=badge.made_at, used_at=badge.used_at)
