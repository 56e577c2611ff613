"""Read users, sessions and service accounts, in memory."""

from datetime import datetime

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, id_of
from adapters.memory.readers.people import display_name, read_staff
from application.ports.identity import ActiveKey, ActiveSession, Session
from application.ports.unlocking import UnlockState
from application.views.audit import AuditUserView
from application.views.users import ApiKeyView, ExpiringKeyView, ServiceAccountView, UserQuery, UserView
from domain.api_key import ApiKey
from domain.policy import Actor, Limit, Role
from domain.text import fold_person, person_words, unique_key


def read_users(data: MemoryData) -> MemoryView[UserView, UserQuery]:
    return MemoryView(
        everything=lambda: [
            UserView(
                id=user.id,
                email=user.email,
                role=str(int(user.role)),
                staff_id=user.staff_id,
                profile=read_staff(data).one(user.staff_id) if user.staff_id else None,
                has_password=user.password_hash is not None,
                oidc_linked=user.is_linked,
            )
            for user in data.users.values()
            if not user.deleted
        ],
        matches=lambda item, query: query.roles is None or int(item["role"]) in query.roles,
        searched=lambda item: (
            unique_key(item["email"]),
            fold_person(display_name(item["profile"])) if item["profile"] else "",
        ),
        words_of=person_words,
        order=lambda item: (unique_key(item["email"]), item["id"]),
        sorts={
            "id": id_of,
            "email": lambda item: unique_key(item["email"]),
            "role": lambda item: int(item["role"]),
        },
        exact=lambda item: (item["email"],),
    )


def read_active_session(data: MemoryData, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
    """Return the actor of a session; None once the session has ended."""
    session = data.sessions.get(session_id)
    if session is None or session.user_id != user_id or session.expires_at <= at:
        return None
    user = data.users[user_id]
    if user.deleted:
        return None
    limits = (Limit.LOCKED,) if session.locked_at else ()
    actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id, session_limits=limits)
    return ActiveSession(actor, session.used_at, session.how)


def read_sessions(data: MemoryData, user_id: int, at: datetime) -> list[Session]:
    """List the user's sessions that have not ended, oldest first."""
    theirs = [one for one in data.sessions.values() if one.user_id == user_id and one.expires_at > at]
    return sorted(theirs, key=lambda one: (one.began_at is not None, one.began_at or at, one.id))


def read_sessions_on_device(data: MemoryData, device: str, at: datetime) -> list[Session]:
    """List the sessions on a device that have not ended, by user."""
    there = [one for one in data.sessions.values() if one.device == device and one.expires_at > at]
    return sorted(there, key=lambda one: (one.user_id, one.began_at is not None, one.began_at or at, one.id))


def read_unlock_state(data: MemoryData, user_id: int) -> UnlockState:
    """Return what a user can unlock with."""
    user = data.users.get(user_id)
    if user is None:
        return UnlockState()
    has_badge = any(badge.user_id == user_id for badge in data.badges.values())
    has_passkey = any(passkey.user_id == user_id for passkey in data.passkeys.values())
    return UnlockState(user.password_hash is not None, user_id in data.pins, has_badge, has_passkey)


def read_active_key(data: MemoryData, digest: str, at: datetime) -> ActiveKey | None:
    """Return the actor of an active API key; None if expired or unknown."""
    key = next((one for one in data.api_keys.values() if one.digest == digest and one.is_active(at)), None)
    if key is None or data.users[key.user_id].deleted:
        return None
    scopes = frozenset(key.scopes)
    actor = Actor(user_id=key.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=scopes, api_key_id=key.id)
    return ActiveKey(actor, key.networks, data.key_uses.get(key.id))


def read_service_accounts(data: MemoryData) -> list[ServiceAccountView]:
    """List active service accounts by name, with their keys, latest first."""
    programs = [one for one in data.users.values() if one.role is Role.SERVICE_ACCOUNT and not one.deleted]
    return [
        ServiceAccountView(
            id=account.id,
            name=account.email,
            keys=[_key_view(data, key) for key in reversed(data.api_keys.values()) if key.user_id == account.id],
        )
        for account in sorted(programs, key=lambda one: unique_key(one.email))
    ]


def read_expiring_keys(data: MemoryData, before: datetime, *, most: int) -> list[ExpiringKeyView]:
    """List unrevoked keys that expire before that time, soonest first."""
    expiring = [
        (key.expires_at, key.id)
        for key in data.api_keys.values()
        if key.revoked_at is None and key.expires_at and key.expires_at < before
    ]
    return [
        ExpiringKeyView(
            id=key_id,
            name=data.api_keys[key_id].name,
            service_account=data.users[data.api_keys[key_id].user_id].email,
            expires_at=expires_at,
        )
        for expires_at, key_id in sorted(expiring)[:most]
    ]


def _key_view(data: MemoryData, key: ApiKey) -> ApiKeyView:
    refused_at, refused_address = data.key_refusals.get(key.id, (None, None))
    return ApiKeyView(
        id=key.id,
        name=key.name,
        prefix=key.prefix,
        scopes=list(key.scopes),
        networks=list(key.networks),
        created_at=key.created_at,
        created_by=AuditUserView(id=key.created_by, email=data.users[key.created_by].email),
        expires_at=key.expires_at,
        used_at=data.key_uses.get(key.id),
        refused_at=refused_at,
        refused_address=refused_address,
        revoked_at=key.revoked_at,
    )
