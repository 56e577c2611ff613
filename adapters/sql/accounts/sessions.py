"""Sessions."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, and_, bindparam, exists, select, update

from adapters.sql.accounts.tables import sessions, users
from adapters.sql.engine.driver_execute import execute_one
from adapters.sql.engine.row_mapping import RowMapping
from adapters.sql.engine.row_shape import Computed
from application.accounts.ports.identity import ActiveSession, Session, SignInMethod
from domain.common.policy import Actor, Limit, Role

_MAPPING = RowMapping[Session](
    sessions,
    Session,
    read={
        "address": Computed(lambda address: address or "", sessions.c.address),
        "client": Computed(lambda client: client or "", sessions.c.client),
        "how": Computed(SignInMethod, sessions.c.how),
    },
    omitted={"ended"},
)

_RUNS = and_(sessions.c.expires_at > bindparam("at", type_=sessions.c.expires_at.type), sessions.c.ended.is_(False))
_RUNNING = (
    select(users.c.id, users.c.role, users.c.staff_id, sessions.c.used_at, sessions.c.locked_at, sessions.c.how)
    .join_from(sessions, users)
    .where(
        sessions.c.id == bindparam("session_id"),
        sessions.c.user_id == bindparam("user_id"),
        _RUNS,
        users.c.deleted.is_(False),
    )
)
_LOCK_SESSION = select(sessions).where(sessions.c.id == bindparam("session_id"), _RUNS).with_for_update(key_share=True)
_CHANGING = ("used_at", "expires_at", "how", "confirmed_at", "locked_at", "device", "device_key", "pin_failures")
_THIS = update(sessions).where(sessions.c.id == bindparam("this_id"))
_SESSIONS = (
    select(sessions)
    .where(sessions.c.user_id == bindparam("user_id"), _RUNS)
    .order_by(sessions.c.began_at.asc().nulls_first(), sessions.c.id)
)
_ON_DEVICE = (
    select(sessions)
    .where(sessions.c.device == bindparam("of_device"), _RUNS)
    .order_by(sessions.c.user_id, sessions.c.began_at.asc().nulls_first(), sessions.c.id)
)
_OF_PROVIDER_SESSION = (
    select(sessions).where(sessions.c.oidc_sid == bindparam("oidc_sid"), _RUNS).order_by(sessions.c.id)
)
_OTHER = sessions.alias("other")
_SHARES_DEVICE = select(
    exists().where(
        sessions.c.id == bindparam("session_id"),
        _OTHER.c.device == sessions.c.device,
        _OTHER.c.user_id == bindparam("user_id"),
    )
)
_END = update(sessions).where(sessions.c.id == bindparam("this_id")).values(ended=True)
_END_ALL = update(sessions).where(sessions.c.user_id == bindparam("this_id")).values(ended=True)


class SqlSessions:
    """Sessions within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, session: Session) -> None:
        """Insert a session."""
        self._connection.execute(sessions.insert(), {**asdict(session), "ended": False})

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """Return an active session, locked; None after its end.

        The lock is held until the end of the unit of work.
        """
        row = execute_one(self._connection, _LOCK_SESSION, {"session_id": session_id, "at": at})
        return None if row is None else _MAPPING.to_entity(row)

    def save(self, session: Session) -> None:
        """Update every column that changes during a session."""
        changed = {name: getattr(session, name) for name in _CHANGING}
        self._connection.execute(_THIS, {"this_id": session.id, **changed})

    def revoke(self, session_id: str) -> None:
        """End a session."""
        self._connection.execute(_END, {"this_id": session_id})

    def revoke_all(self, user_id: int) -> None:
        """End all sessions of a user."""
        self._connection.execute(_END_ALL, {"this_id": user_id})

    def shares_device(self, session_id: str, user_id: int) -> bool:
        """Return whether the device of a session ever had one of a user."""
        found = self._connection.execute(_SHARES_DEVICE, {"session_id": session_id, "user_id": user_id})
        return bool(found.scalar_one())

    def of_provider_session(self, oidc_sid: str, at: datetime) -> list[Session]:
        """List the sessions that began in that session of the provider."""
        found = self._connection.execute(_OF_PROVIDER_SESSION, {"oidc_sid": oidc_sid, "at": at})
        return [_MAPPING.to_entity(row) for row in found]


def read_active_session(connection: Connection, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
    """Return the actor of an active session; None after its end."""
    row = execute_one(connection, _RUNNING, {"session_id": session_id, "user_id": user_id, "at": at})
    if row is None:
        return None
    found_id, role, staff_id, used_at, locked_at, how = row
    limits = (Limit.LOCKED,) if locked_at else ()
    actor = Actor(user_id=found_id, role=Role(role), staff_id=staff_id, session_limits=limits)
    return ActiveSession(actor, used_at, SignInMethod(how))


def read_sessions(connection: Connection, user_id: int, at: datetime) -> list[Session]:
    """Return a user's active sessions, oldest first."""
    return [_MAPPING.to_entity(row) for row in connection.execute(_SESSIONS, {"user_id": user_id, "at": at})]


def read_sessions_on_device(connection: Connection, device: str, at: datetime) -> list[Session]:
    """Return the active sessions on a device, by user."""
    return [_MAPPING.to_entity(row) for row in connection.execute(_ON_DEVICE, {"of_device": device, "at": at})]
