"""Users, sessions, password links and failed attempts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, String, and_, bindparam, func, or_, select

from adapters.sql.accounts.tables import failed_attempts, password_links, setup_links, users
from adapters.sql.catalogue.tables import areas, kits, set_aside
from adapters.sql.engine.advisory_locks import lock_key
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import Computed, RowShape, or_none
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.people.tables import staff
from adapters.sql.restock.tables import restock_lists, restock_ticks
from adapters.sql.sheets.tables import details, unlisted_items
from application.accounts.views import OwnWardView, UserQuery, UserView
from application.catalogue.views import AreaView
from application.people.views import StaffView
from domain.accounts.user import PasswordLink, SetupLink, User
from domain.common.policy import HUMAN_ROLES, Role
from domain.common.text import person_words, unique_key

MAPPING = TableMapping[User](
    users,
    User,
    details.c.user_id,
    unlisted_items.c.user_id,
    set_aside.c.user_id,
    restock_lists.c.closed_by,
    restock_ticks.c.user_id,
    kits.c.user_id,
    keys={"email": users.c.email_key, "staff_id": users.c.staff_id},
    written={"email_key": lambda user: None if user.deleted else unique_key(user.email)},
    read={"role": Computed(Role, users.c.role)},
)
_IS_ADMINISTRATOR = and_(
    users.c.role == Role.ADMIN,
    users.c.deleted.is_(False),
    users.c.password_hash.is_not(None),
    users.c.oidc_refused_at.is_(None),
)
_HAS_PEOPLE = select(select(users.c.id).where(users.c.role.in_(sorted(HUMAN_ROLES))).exists())
_ADMINISTRATORS = select(users).where(_IS_ADMINISTRATOR).order_by(users.c.id)
_LINKED = select(users).where(users.c.oidc_issuer == bindparam("issuer"), users.c.oidc_subject == bindparam("subject"))
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

    def has_people(self) -> bool:
        """Return whether a person has ever had an account."""
        return bool(self._connection.execute(_HAS_PEOPLE).scalar_one())

    def administrators(self) -> list[User]:
        """Return administrators who may sign in, oldest first."""
        return [MAPPING.to_entity(row) for row in self._connection.execute(_ADMINISTRATORS)]

    def find_linked(self, issuer: str, subject: str) -> User | None:
        """Return the user of that account at the identity provider."""
        row = self._connection.execute(_LINKED, {"issuer": issuer, "subject": subject}).one_or_none()
        return None if row is None else MAPPING.to_entity(row)

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """Return a user and all administrators, locked.

        The lock is held until the end of the unit of work.
        """
        locked = [MAPPING.to_entity(row) for row in self._connection.execute(_LOCKED_WITH_ADMINISTRATORS, {"id": id})]
        administrators = [user for user in locked if user.is_administrator]
        return next((user for user in locked if user.id == id), None), administrators


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


class SqlSetupLinks:
    """The link for creating the first administrator, in a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def replace(self, link: SetupLink) -> None:
        """Store the link in place of the earlier one."""
        self.revoke()
        self._connection.execute(setup_links.insert(), {"digest": link.digest, "expires_at": link.expires_at})

    def get(self, digest: str) -> SetupLink | None:
        """Return the link with this digest."""
        return _to_setup_link(self._connection.execute(_SETUP_LINK, {"this_digest": digest}).one_or_none())

    def consume(self, digest: str) -> SetupLink | None:
        """Delete the link with this digest and return it."""
        return _to_setup_link(self._connection.execute(_TAKE_SETUP_LINK, {"this_digest": digest}).one_or_none())

    def revoke(self) -> None:
        """Delete the link."""
        self._connection.execute(setup_links.delete())


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


def _to_setup_link(row: Row[Any] | None) -> SetupLink | None:
    return None if row is None else SetupLink(row.digest, row.expires_at)


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
_LOCK_HOLDER = (
    select(users.c.id)
    .join_from(users, password_links)
    .where(password_links.c.digest == bindparam("this_digest"))
    .with_for_update(key_share=True, of=users)
)
_TAKE = password_links.delete().where(password_links.c.digest == bindparam("this_digest")).returning(password_links)
_DROP_ALL = password_links.delete().where(password_links.c.user_id == bindparam("this_id"))
_SETUP_LINK = select(setup_links).where(setup_links.c.digest == bindparam("this_digest"))
_TAKE_SETUP_LINK = setup_links.delete().where(setup_links.c.digest == bindparam("this_digest")).returning(setup_links)
_FAILED = (
    select(failed_attempts.c.at)
    .where(
        failed_attempts.c.subject == bindparam("this_subject"),
        failed_attempts.c.at > bindparam("after", type_=failed_attempts.c.at.type),
    )
    .order_by(failed_attempts.c.at)
)
_LOCK = select(func.pg_advisory_xact_lock(lock_key("failed attempts", bindparam("this_subject", type_=String))))
_ADD = failed_attempts.insert().returning(failed_attempts.c.id, sort_by_parameter_order=True)
_REMOVE = failed_attempts.delete().where(failed_attempts.c.id.in_(bindparam("ids", expanding=True)))
_CLEAR = failed_attempts.delete().where(failed_attempts.c.subject == bindparam("this_subject"))
_FORGET = failed_attempts.delete().where(failed_attempts.c.at < bindparam("before", type_=failed_attempts.c.at.type))


_AREA = RowShape[AreaView](AreaView, areas, omitted={"code"})
_WARD = RowShape[OwnWardView](OwnWardView, names={"area": or_none(_AREA)})
_OWN_WARD = (
    select(*_WARD.columns, users.c.whole_hospital).outerjoin_from(users, areas).where(users.c.id == bindparam("id"))
)


def read_own_ward(connection: Connection, user_id: int) -> OwnWardView | None:
    """Return where the user works, or None until it is chosen."""
    row = connection.execute(_OWN_WARD, {"id": user_id}).one_or_none()
    if row is None or (row.id is None and not row.whole_hospital):
        return None
    return _WARD.read(row)


_USER = RowShape[UserView](
    UserView,
    users,
    names={
        "role": Computed(str, users.c.role),
        "profile": or_none(RowShape[StaffView](StaffView, staff, names={"user_id": users.c.id})),
        "has_password": users.c.password_hash.is_not(None).label("has_password"),
        "oidc_linked": users.c.oidc_subject.is_not(None).label("oidc_linked"),
    },
)

USERS = ListSpec[UserView, UserQuery](
    source=select(*_USER.columns).outerjoin_from(users, staff).where(users.c.deleted.is_(False)),
    id=users.c.id,
    order=(users.c.email_key, users.c.id),
    sorts={"id": users.c.id, "email": users.c.email_key, "role": users.c.role},
    searched=(users.c.email_key, staff.c.search_folded),
    words_of=person_words,
    exact=(users.c.email_key,),
    to_item=_USER.read,
    filters={"roles": users.c.role.in_(bindparam("roles", expanding=True))},
    filters_of=lambda query: {"roles": None if query.roles is None else sorted(query.roles)},
)
