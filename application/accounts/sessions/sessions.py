"""List and end sessions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from application.accounts.ports.identity import Session
from application.accounts.sessions.browse_users import BrowseUsers
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.user_agent import browser_of, system_of
from application.accounts.views import SessionsView, SessionView
from application.accounts.work import Begin, Read, UnitOfWork
from application.audit.audit_log import AuditEntry, Changes, entry, entry_by_id
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.accounts.user import User
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission

_THUMBPRINT = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ListSessions:
    """List the sessions of the own account or of a managed one."""

    users: BrowseUsers
    read: Read
    clock: Clock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, signed_in: SignedIn, user_id: int) -> SessionsView:
        """Return the sessions, the latest used first.

        Raise ``NotFound`` for an account that the actor does not manage.
        """
        self.users.one(signed_in.actor, user_id)
        now = self.clock()
        with self.read() as views:
            sessions = views.sessions(user_id, now)
        last_used = sorted(sessions, key=lambda it: (it.used_at is not None, it.used_at or now), reverse=True)
        return SessionsView(items=[_view(it, signed_in) for it in last_used])


@dataclass(frozen=True, slots=True)
class EndSessions:
    """End sessions of the own account or of a managed one.

    Their tokens become invalid immediately.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def one(self, signed_in: SignedIn, user_id: int, session_id: str, address: str = "", client: str = "") -> None:
        """End one session. Raise ``NotFound`` if the account has no such session."""
        now = self.clock()
        with self.begin() as work:
            user = lock_account(work, signed_in.actor, user_id)
            ended = [it for it in work.views.sessions(user.id, now) if it.id == session_id]
            if not ended:
                raise NotFound
            end(work, signed_in.actor, user, ended, now, address=address, client=client)

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def others(self, signed_in: SignedIn, user_id: int, address: str = "", client: str = "") -> None:
        """End all sessions except the current one."""
        now = self.clock()
        with self.begin() as work:
            user = lock_account(work, signed_in.actor, user_id)
            others = [it for it in work.views.sessions(user.id, now) if it.id != signed_in.session_id]
            end(work, signed_in.actor, user, others, now, address=address, client=client)


@dataclass(frozen=True, slots=True)
class EndDeviceSessions:
    """End the sessions on a lost device.

    They are those of all accounts that the actor manages. The actor's own sessions there end too, except the
    current one.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_USERS)
    def __call__(self, signed_in: SignedIn, device: str, address: str = "", client: str = "") -> None:
        """End the sessions. Raise ``NotFound`` for what is no thumbprint."""
        actor = signed_in.actor
        if not _THUMBPRINT.fullmatch(device):
            raise NotFound
        now = self.clock()
        with self.begin() as work:
            there = [it for it in work.views.sessions_on_device(device, now) if it.id != signed_in.session_id]
            ended = 0
            # By user id, the order in which users are locked everywhere.
            for user_id, sessions in groupby(there, key=attrgetter("user_id")):
                user = work.users.lock(user_id)
                if user is not None and (user.id == actor.user_id or actor.can_manage(user.role)):
                    theirs = list(sessions)
                    end(work, actor, user, theirs, now, address=address, client=client)
                    ended += len(theirs)
            if ended:
                changes: Changes = {"device": (None, device), "sessions": (None, ended)}
                # A device has no id.
                work.audit_log.append(entry_by_id(actor, now, AuditAction.DEVICE_SESSIONS_ENDED, 0, changes))


def end(
    work: UnitOfWork, by: Actor, user: User, sessions: Iterable[Session], at: datetime, *, address: str, client: str
) -> None:
    """End sessions, and log from where, and where each had begun."""
    entries: list[AuditEntry] = []
    for session in sessions:
        work.sessions.revoke(session.id)
        where = {"session_address": session.address, "session_client": session.client}
        noted = {"address": address, "client": client, **{name: text for name, text in where.items() if text}}
        entries.append(entry(by, at, AuditAction.SESSION_ENDED, before=user, after=user, **noted))
    work.audit_log.extend(entries)


def lock_account(work: UnitOfWork, actor: Actor, user_id: int) -> User:
    """Return the own account or a managed one, locked."""
    actor.must_reach_account(user_id)
    user = work.users.lock(user_id)
    if user is None or user.deleted:
        raise NotFound
    if user.id != actor.user_id:
        user.ensure_managed_by(actor)
    return user


def _view(session: Session, signed_in: SignedIn) -> SessionView:
    return SessionView(
        id=session.id,
        address=session.address,
        client=session.client,
        browser=browser_of(session.client),
        system=system_of(session.client),
        began_at=session.began_at,
        used_at=session.used_at,
        current=session.id == signed_in.session_id,
        how=session.how,
        locked=session.locked_at is not None,
        device=session.device,
    )
