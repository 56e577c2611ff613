"""Users, sessions, password links and failed attempts."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, or_, select, update

from adapters.sql.driver_execute import execute, execute_one
from adapters.sql.lists import ListSpec
from adapters.sql.table_mapping import TableMapping, TableStore
from adapters.sql.tables import details, failed_attempts, kits, password_links, sessions, staff, unlisted_items, users
from application.ports.identity import ActiveSession, Session
from application.views.people import StaffView
from application.views.users import UserQuery, UserView
from domain.policy import Actor, Role
from domain.text import person_words, unique_key
from domain.user import PasswordLink, User


def to_row(user: User) -> dict[str, Any]:
    """Return the row of a user."""
    return {
        "email": user.email,
        "email_key": None if user.deleted else unique_key(user.email),
        "role": user.role,
        "password_hash": user.password_hash,
        "staff_id": user.staff_id,
        "deleted": user.deleted,
    }


def to_entity(row: Row[Any]) -> User:
    """Return the user in a row."""
    return User(
        id=row.id,
        email=row.email,
        role=Role(row.role),
        password_hash=row.password_hash,
        staff_id=row.staff_id,
        deleted=row.deleted,
    )


MAPPING = TableMapping(
    users,
    to_row,
    to_entity,
    details.c.user_id,
    unlisted_items.c.user_id,
    kits.c.user_id,
    keys={"email": users.c.email_key, "staff_id": users.c.staff_id},
)
_IS_ADMINISTRATOR = and_(users.c.role == Role.ADMIN, users.c.deleted.is_(False), users.c.password_hash.is_not(None))
_ADMINISTRATORS = select(users).where(_IS_ADMINISTRATOR).order_by(users.c.id)
# One statement locks all of them in one order, to prevent deadlocks.
_LOCKED_WITH_ADMINISTRATORS = (
    select(users)
    .where(or_(users.c.id == bindparam("id"), _IS_ADMINISTRATOR))
    .order_by(users.c.id)
    .with_for_update(key_share=True)
)


class SqlUsers(TableStore[User]):
    """Users within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def administrators(self) -> list[User]:
        """Return administrators who may sign in, oldest first."""
        return [to_entity(row) for row in execute(self._connection, _ADMINISTRATORS, {})]

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """Return a user and all administrators, locked.

        The lock is held until the end of the unit of work.
        """
        locked = [to_entity(row) for row in execute(self._connection, _LOCKED_WITH_ADMINISTRATORS, {"id": id})]
        administrators = [user for user in locked if user.is_administrator]
        return next((user for user in locked if user.id == id), None), administrators


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
        return None if row is None else _to_session(row)

    def save(self, session: Session) -> None:
        """Update the time of the last use and the expiry."""
        row = {"this_id": session.id, "used_at": session.used_at, "expires_at": session.expires_at}
        self._connection.execute(_USED, row)

    def revoke(self, session_id: str) -> None:
        """End a session."""
        self._connection.execute(_END, {"this_id": session_id})

    def revoke_all(self, user_id: int) -> None:
        """End all sessions of a user."""
        self._connection.execute(_END_ALL, {"this_id": user_id})


class SqlPasswordLinks:
    """Password links within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, link: PasswordLink) -> None:
        """Insert a link if the user exists."""
        row = {
            "this_digest": link.digest,
            "this_id": link.user_id,
            "this_end": link.expires_at,
            "this_maker": link.made_by,
        }
        self._connection.execute(_ADD_LINK, row)

    def get(self, digest: str) -> PasswordLink | None:
        """Return the link with this digest."""
        return _to_link(self._connection.execute(_LINK, {"this_digest": digest}).one_or_none())

    def consume(self, digest: str) -> PasswordLink | None:
        """Delete a link and return it."""
        # Lock order: a change of password locks the user first and then the links. The same order here prevents a
        # deadlock.
        self._connection.execute(_LOCK_HOLDER, {"this_digest": digest})
        return _to_link(self._connection.execute(_TAKE, {"this_digest": digest}).one_or_none())

    def revoke_all(self, user_id: int) -> None:
        """Delete all links of a user."""
        self._connection.execute(_DROP_ALL, {"this_id": user_id})


class SqlFailedAttempts:
    """Attempts at secrets, within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock(self, subjects: Sequence[str]) -> None:
        """Lock the subjects' counters until the end of the unit of work.

        SQLite has one writer anyway.
        """
        if self._connection.dialect.name == "postgresql":
            # Sorted, to prevent deadlocks.
            for subject in sorted(subjects):
                self._connection.execute(_LOCK, {"this_subject": subject})

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Record an attempt for each subject, and return the ids."""
        rows = [{"subject": subject, "at": at} for subject in subjects]
        return list(self._connection.execute(_ADD, rows).scalars())

    def remove(self, ids: Sequence[int]) -> None:
        """Delete attempts that did not fail."""
        self._connection.execute(_REMOVE, {"ids": list(ids)})

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """Return the times of failed attempts after a moment, oldest first."""
        return list(self._connection.execute(_FAILED, {"this_subject": subject, "after": at}).scalars())

    def clear(self, subject: str) -> None:
        """Delete the failed attempts of a subject."""
        self._connection.execute(_CLEAR, {"this_subject": subject})

    def purge(self, before: datetime) -> None:
        """Delete failed attempts before a moment."""
        self._connection.execute(_FORGET, {"before": before})


def _to_link(row: Row[Any] | None) -> PasswordLink | None:
    return None if row is None else PasswordLink(row.digest, row.user_id, row.expires_at, row.made_by)


_ADD_LINK = password_links.insert().from_select(
    ["digest", "user_id", "expires_at", "made_by"],
    select(
        bindparam("this_digest", type_=password_links.c.digest.type),
        users.c.id,
        bindparam("this_end", type_=password_links.c.expires_at.type),
        bindparam("this_maker", type_=password_links.c.made_by.type),
    ).where(users.c.id == bindparam("this_id")),
)
_LINK = select(password_links).where(password_links.c.digest == bindparam("this_digest"))
_END = update(sessions).where(sessions.c.id == bindparam("this_id")).values(ended=True)
_END_ALL = update(sessions).where(sessions.c.user_id == bindparam("this_id")).values(ended=True)
_LOCK_HOLDER = (
    select(users.c.id)
    .join_from(users, password_links)
    .where(password_links.c.digest == bindparam("this_digest"))
    .with_for_update(key_share=True, of=users)
)
_TAKE = password_links.delete().where(password_links.c.digest == bindparam("this_digest")).returning(password_links)
_DROP_ALL = password_links.delete().where(password_links.c.user_id == bindparam("this_id"))
_FAILED = (
    select(failed_attempts.c.at)
    .where(
        failed_attempts.c.subject == bindparam("this_subject"),
        failed_attempts.c.at > bindparam("after", type_=failed_attempts.c.at.type),
    )
    .order_by(failed_attempts.c.at)
)
_LOCK = select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("this_subject"), 0)))
_ADD = failed_attempts.insert().returning(failed_attempts.c.id, sort_by_parameter_order=True)
_REMOVE = failed_attempts.delete().where(failed_attempts.c.id.in_(bindparam("ids", expanding=True)))
_CLEAR = failed_attempts.delete().where(failed_attempts.c.subject == bindparam("this_subject"))
_FORGET = failed_attempts.delete().where(failed_attempts.c.at < bindparam("before", type_=failed_attempts.c.at.type))

_RUNS = and_(sessions.c.expires_at > bindparam("at", type_=sessions.c.expires_at.type), sessions.c.ended.is_(False))
_RUNNING = (
    select(users.c.id, users.c.role, users.c.staff_id, sessions.c.used_at)
    .join_from(sessions, users)
    .where(
        sessions.c.id == bindparam("session_id"),
        sessions.c.user_id == bindparam("user_id"),
        _RUNS,
        users.c.deleted.is_(False),
    )
)
_LOCK_SESSION = select(sessions).where(sessions.c.id == bindparam("session_id"), _RUNS).with_for_update(key_share=True)
_USED = update(sessions).where(sessions.c.id == bindparam("this_id"))
_SESSIONS = (
    select(sessions)
    .where(sessions.c.user_id == bindparam("user_id"), _RUNS)
    .order_by(sessions.c.began_at.asc().nulls_first(), sessions.c.id)
)


def read_active_session(connection: Connection, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
    """Return the actor of an active session; None after its end."""
    row = execute_one(connection, _RUNNING, {"session_id": session_id, "user_id": user_id, "at": at})
    if row is None:
        return None
    found_id, role, staff_id, used_at = row
    return ActiveSession(Actor(user_id=found_id, role=Role(role), staff_id=staff_id), used_at)


def read_sessions(connection: Connection, user_id: int, at: datetime) -> list[Session]:
    """Return a user's active sessions, oldest first."""
    return [_to_session(row) for row in execute(connection, _SESSIONS, {"user_id": user_id, "at": at})]


def _to_session(row: Any) -> Session:
    return Session(
        id=row.id,
        user_id=row.user_id,
        expires_at=row.expires_at,
        began_at=row.began_at,
        used_at=row.used_at,
        ends_at=row.ends_at,
        address=row.address or "",
        client=row.client or "",
    )


def _to_view(row: Row[Any]) -> UserView:
    profile = None
    if row.staff_id is not None:
        profile = StaffView(
            id=row.staff_id,
            name=row.name,
            first_surname=row.first_surname,
            second_surname=row.second_surname,
            telephone_number=row.telephone_number,
            job_title=row.job_title,
            date_of_birth=row.date_of_birth,
            user_id=row.id,
        )
    return UserView(id=row.id, email=row.email, role=str(row.role), staff_id=row.staff_id, profile=profile)


USERS = ListSpec[UserView, UserQuery](
    source=select(users.c.id, users.c.email, users.c.role, users.c.staff_id, *(c for c in staff.c if c.name != "id"))
    .outerjoin_from(users, staff)
    .where(users.c.deleted.is_(False)),
    id=users.c.id,
    order=(users.c.email_key, users.c.id),
    sorts={"id": users.c.id, "email": users.c.email_key, "role": users.c.role},
    searched=(users.c.email_key, staff.c.search_folded),
    words_of=person_words,
    exact=(users.c.email_key,),
    to_item=_to_view,
    filters={"roles": users.c.role.in_(bindparam("roles", expanding=True))},
    filters_of=lambda query: {"roles": None if query.roles is None else sorted(query.roles)},
)
