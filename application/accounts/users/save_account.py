"""Save a changed account, and end what must not outlive the change."""

from collections.abc import Sequence
from datetime import datetime

from application.accounts.work import UnitOfWork
from application.audit.audit_log import Changes, entry, entry_by_id
from application.common.entities import AuditAction
from domain.accounts.passkey import Passkey
from domain.accounts.user import User
from domain.common.policy import MANAGED_ROLES, Actor


def save_account(
    work: UnitOfWork, by: Actor | None, before: User, after: User, at: datetime, *, by_provider: bool = False
) -> None:
    """Save an account whose email, password or role may have changed.

    Another email, password or role ends every open link, whatever it is for. Another password or role ends the
    sessions, and another password the PIN. When the role rises, what others may have made for themselves ends, too.
    ``by_provider`` says that the hospital's identity provider gave the role.
    """
    if after.role > before.role:
        _end_what_others_may_know(work, by, before, after, at, by_provider=by_provider)
    work.users.save(after)
    has_other_password = after.password_hash != before.password_hash
    if has_other_password or (after.email, after.role) != (before.email, before.role):
        work.password_links.revoke_all(after.id)
        work.passkey_secrets.revoke_all(after.id)
    if has_other_password or after.role is not before.role:
        work.sessions.revoke_all(after.id)
    if has_other_password:
        work.pins.remove(after.id)


def close_account(work: UnitOfWork, user_id: int) -> None:
    """Delete everything with which an account signs in or unlocks."""
    work.sessions.revoke_all(user_id)
    work.password_links.revoke_all(user_id)
    work.passkey_secrets.revoke_all(user_id)
    work.passkeys.remove_all(user_id)
    work.pins.remove(user_id)
    work.badges.remove_all([badge.id for badge in work.badges.find_many("user_id", [user_id])])


def remove_passkeys(
    work: UnitOfWork, by: Actor | None, user: User, passkeys: Sequence[Passkey], at: datetime, **where: str
) -> None:
    """Remove passkeys of a user, and log each."""
    if not passkeys:
        return
    work.passkeys.remove([passkey.id for passkey in passkeys])
    action = AuditAction.PASSKEY_REMOVED
    work.audit_log.extend(
        [entry(by, at, action, before=user, after=user, passkey=passkey.name, **where) for passkey in passkeys]
    )


def _end_what_others_may_know(
    work: UnitOfWork, by: Actor | None, before: User, after: User, at: datetime, *, by_provider: bool
) -> None:
    """End what a lower role may have made for itself on a rising account.

    These are passkeys that were registered on a link of another person, badges, the PIN and the link to the identity
    provider. If roles that managed the account may not manage it any more, that is the case for everything: its owner
    begins like an invited administrator, with a password of their own choosing. So it is if the provider gave the role,
    because its word is about the person who signs in there.
    """
    begins_afresh = by_provider or any(
        before.role in managed and after.role not in managed for managed in MANAGED_ROLES.values()
    )
    passkeys = [one for one in work.passkeys.of_user(after.id) if begins_afresh or one.made_by is not None]
    remove_passkeys(work, by, after, passkeys, at)
    badges = work.badges.find_many("user_id", [after.id])
    work.badges.remove_all([badge.id for badge in badges])
    for badge in badges:
        changes: Changes = {"badge": (badge.name or str(badge.id), None)}
        work.audit_log.append(entry_by_id(by, at, AuditAction.USER_BADGE_REMOVED, after.id, changes))
    if work.pins.get(after.id) is not None:
        work.pins.remove(after.id)
        work.audit_log.append(entry_by_id(by, at, AuditAction.USER_PIN_REMOVED, after.id, {}))
    if after.is_linked and not by_provider:
        after.unlink()
        work.audit_log.append(entry_by_id(by, at, AuditAction.USER_OIDC_UNLINKED, after.id, {}))
    if begins_afresh:
        after.password_hash = None
