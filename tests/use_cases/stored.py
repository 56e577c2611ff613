"""Helpers that read the data and the audit log of the ward's store."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Table, select

from adapters.sql.accounts import tables as accounts
from adapters.sql.accounts.tables import failed_attempts, password_links, pins, sessions, users
from adapters.sql.audit.audit_log import MAPPING as AUDIT_LOG
from adapters.sql.audit.tables import audit
from adapters.sql.catalogue import tables as catalogue
from adapters.sql.catalogue.tables import unknown_codes
from adapters.sql.engine.columns import metadata
from adapters.sql.forms import tables as forms
from adapters.sql.people import tables as people
from adapters.sql.sheets import tables as sheets
from adapters.sql.unit_of_work import SqlUnitOfWork
from application.accounts.ports.identity import Session
from application.audit.audit_log import AuditEntry
from domain.accounts.passkey import Passkey
from tests.builders import AnyStore, Ward
from tests.stores import InMemoryStore, opened

# All rows of each table, by column.
Dump = dict[str, list[dict[str, Any]]]

# Tables by the name of their store.
_TABLES = {name: table for room in (accounts, catalogue, forms, people, sheets) for name, table in vars(room).items()}

_ALWAYS = datetime.min.replace(tzinfo=UTC)


class Kept:
    """The data that is stored when it is asked for, by id."""

    def __init__(self, store: AnyStore) -> None:
        self._store = store

    def __getattr__(self, kind: str) -> dict[int, Any]:
        """Return the entities of a kind."""
        if kind.startswith("_"):
            raise AttributeError(kind)
        ids = [row.id for row in self.rows(_TABLES[kind])]
        with self._store.begin_read_only() as work:
            return {one.id: one for one in getattr(work, kind).find_many("id", ids)}

    @property
    def audit_log(self) -> list[AuditEntry]:
        return [AUDIT_LOG.to_entity(row) for row in self.rows(audit)]

    @property
    def failed_attempts(self) -> dict[int, tuple[str, datetime]]:
        return {row.id: (row.subject, row.at) for row in self.rows(failed_attempts)}

    @property
    def passkeys(self) -> dict[int, Passkey]:
        rows = self.rows(users)
        with self._store.begin_read_only() as work:
            found = [one for user in rows for one in work.passkeys.of_user(user.id)]
        return {one.id: one for one in sorted(found, key=lambda one: one.id)}

    @property
    def password_links(self) -> list[str]:
        """The digests of the links."""
        return [row.digest for row in self.rows(password_links)]

    @property
    def pins(self) -> dict[int, Any]:
        return {row.user_id: row for row in self.rows(pins)}

    @property
    def sessions(self) -> dict[str, Session]:
        """The sessions that were not ended."""
        ids = [row.id for row in self.rows(sessions) if not row.ended]
        with self._store.begin_read_only() as work:
            return {each: one for each in ids if (one := work.sessions.lock(each, _ALWAYS))}

    @property
    def unknown_codes(self) -> list[Any]:
        return self.rows(unknown_codes)

    def rows(self, table: Table) -> list[Any]:
        """Return the rows of a table by its key."""
        with self._store.begin_read_only() as work:
            assert isinstance(work, SqlUnitOfWork)
            return [*work.connection.execute(select(table).order_by(*table.primary_key.columns))]


def kept(ward: Ward) -> Kept:
    """Return the stored data, which is read when it is used."""
    return Kept(ward.store)


def audit_log(ward: Ward) -> list[AuditEntry]:
    """Return all entries of the audit log, oldest first."""
    return kept(ward).audit_log


def snapshot(ward: Ward) -> bytes:
    """Return a copy of all stored data: the same bytes if nothing was written."""
    assert isinstance(ward.store, InMemoryStore)
    return ward.store.database.snapshot()


def put_back(ward: Ward, data: bytes) -> None:
    """Replace the data of the ward's store."""
    assert isinstance(ward.store, InMemoryStore)
    ward.store.database.restore(data)


def rows_of(data: bytes) -> Dump:
    """Return the rows in a copy of the data."""
    with closing(opened(data)) as connection:
        return {
            name: _rows(connection.execute(f'SELECT * FROM "{name}"'))  # noqa: S608 - a name of our own
            for name in metadata.tables
        }


def _rows(cursor: Any) -> list[dict[str, Any]]:
    columns = [column[0] for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor]


@contextmanager
def nothing_written(ward: Ward) -> Iterator[None]:
    """Assert that the block writes nothing, not even to the audit log.

    Only failed attempts and the entries of failed sign-ins may be added.
    """
    before = snapshot(ward)
    yield
    after = snapshot(ward)
    if after != before:
        assert _lasting(after) == _lasting(before)


def _lasting(data: bytes) -> Dump:
    rows = rows_of(data)
    del rows[failed_attempts.name]
    entries = rows[audit.name]
    rows[audit.name] = [entry for entry in entries if entry["action"] != "session.sign_in_failed"]
    return rows
