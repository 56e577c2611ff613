"""Users and their sessions as rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from adapters.sql.kept import Kept, TableStore
from adapters.sql.tables import sessions, staff, users
from application.ports import Session
from application.views import StaffView, UserView
from domain.policy import Actor, Role
from domain.text import unique_key
from domain.user import User


def to_row(user: User) -> dict[str, Any]:
    """A user as a row."""
    return {
        "email": user.email,
        "email_key": unique_key(user.email),
        "role": user.role,
        "password_hash": user.password_hash,
        "staff_id": user.staff_id,
    }


def to_entity(row: Row[Any]) -> User:
    """A row as a user."""
    return User(id=row.id, email=row.email, role=Role(row.role), password_hash=row.password_hash, staff_id=row.staff_id)


KEPT = Kept(users, to_row, to_entity)
_LOCKED = KEPT.one.with_for_update(key_share=True)
_WITH_EMAIL = KEPT.by(users.c.email_key)
_WITH_PROFILE = KEPT.by(users.c.staff_id)
_ADMINISTRATORS = select(users).where(users.c.role == Role.ADMIN).order_by(users.c.id)


class SqlUsers(TableStore[User]):
    """The users, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, KEPT)

    def lock(self, id: int) -> User | None:
        """The user, whom nobody else changes until this unit of work ends."""
        return self.find(_LOCKED, {"id": id})

    def with_email(self, email: str) -> User | None:
        """The user who signs in with that email, whatever the case."""
        return self.find(_WITH_EMAIL, {"value": unique_key(email)})

    def with_profile(self, staff_id: int) -> User | None:
        """The user whose profile that staff member is."""
        return self.find(_WITH_PROFILE, {"value": staff_id})

    def administrators(self) -> list[User]:
        """All users of role 10, the oldest first."""
        return [to_entity(row) for row in self._connection.execute(_ADMINISTRATORS)]


class SqlSessions:
    """The sessions, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, session: Session) -> None:
        """Begin a session."""
        row = {"id": session.id, "user_id": session.user_id, "expires_at": session.expires_at, "ended": False}
        self._connection.execute(sessions.insert(), row)

    def end(self, session_id: str) -> None:
        """End a session."""
        self._connection.execute(_END, {"this_id": session_id})


_END = update(sessions).where(sessions.c.id == bindparam("this_id")).values(ended=True)

_ACTOR = (
    select(users.c.id, users.c.role, users.c.staff_id)
    .join_from(sessions, users)
    .where(
        sessions.c.id == bindparam("session_id"),
        sessions.c.user_id == bindparam("user_id"),
        sessions.c.expires_at > bindparam("at", type_=sessions.c.expires_at.type),
        sessions.c.ended.is_(False),
    )
)

_USER = (
    select(users.c.id, users.c.email, users.c.role, users.c.staff_id, *(c for c in staff.c if c.name != "id"))
    .outerjoin_from(users, staff)
    .where(users.c.id == bindparam("this_id"))
)


def read_actor(connection: Connection, session_id: str, user_id: int, at: datetime) -> Actor | None:
    """Who acts in that session; None once it has ended."""
    row = connection.execute(_ACTOR, {"session_id": session_id, "user_id": user_id, "at": at}).one_or_none()
    return None if row is None else Actor(user_id=row.id, role=Role(row.role), staff_id=row.staff_id)


def read_user(connection: Connection, id: int) -> UserView | None:
    """A user with the staff profile."""
    row = connection.execute(_USER, {"this_id": id}).one_or_none()
    if row is None:
        return None
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
