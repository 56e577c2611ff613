"""SQL store: SQLite for one ward, PostgreSQL for a hospital."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import cast

from sqlalchemy import Connection, QueuePool
from sqlalchemy.exc import SQLAlchemyError

from adapters.sql.billing.charging import unfinished_messages
from adapters.sql.engine.connections import (
    Limits,
    classify_error,
    connect_for_preparing,
    connect_for_reading,
    connect_for_writing,
    is_sqlite,
    probe_write,
    to_url,
    transaction_on,
)
from adapters.sql.errors import translate_conflicts, translate_errors
from adapters.sql.imports.bulk_load import SqlBulkLoad
from adapters.sql.inbound.inbound_messages import SqlMessagesView
from adapters.sql.migrate import SchemaState, revision_of, schema_state_at
from adapters.sql.unit_of_work import SqlUnitOfWork, SqlViews
from application.common.store_errors import StoreUnavailable, UnavailableReason
from domain.interop.outbound_message import OutboundState


class SqlStore:
    """Begins units of work and opens read models.

    ``zone`` is the hospital's time zone, or a function that returns it. ``on_commit`` is called for each committed
    action. ``reports_url`` is a read replica, which serves reports,
    and ``pooler_url`` a pooler that may give each transaction another connection.
    """

    def __init__(
        self,
        database_url: str,
        zone: tzinfo | Callable[[], tzinfo],
        limits: Limits | None = None,
        *,
        reports_url: str | None = None,
        pooler_url: str | None = None,
        on_commit: Callable[[str], None] = lambda _: None,
    ) -> None:
        url, limits = to_url(database_url), limits or Limits()
        self._on_commit = on_commit
        self._zone = zone if callable(zone) else lambda: zone
        # Temporary tables belong to one connection.
        self._preparing = connect_for_preparing(url, limits)
        if pooler_url:
            url, limits = to_url(pooler_url), replace(limits, shared=True)
        self._writing = connect_for_writing(url, limits)
        self._reading = connect_for_reading(url, limits)
        # A pool of its own: slow reports must not take the connections of other requests.
        few = replace(limits, pool_size=max(2, limits.pool_size // 2))
        self._reporting = (
            connect_for_reading(to_url(reports_url), replace(few, shared=False))
            if reports_url
            else connect_for_reading(url, few)
        )
        self._looking = connect_for_reading(url, replace(limits, pool_size=1, statement_timeout=2, lock_timeout=2))
        # Single-writer lock: SQLite has one writer, and waiting here does not occupy a connection.
        self._one_writer = threading.Lock() if is_sqlite(url) else None
        self._lock_timeout = limits.lock_timeout

    @contextmanager
    def begin(self) -> Iterator[SqlUnitOfWork]:
        """Begin a unit of work: commit on a clean exit, roll back otherwise."""
        with self._writer_lock(), translate_errors(), translate_conflicts(), self._writing.begin() as connection:
            work = SqlUnitOfWork(connection, self._zone())
            yield work
            work.flush()
        self._emit_events(work)

    @contextmanager
    def begin_bulk_load(self) -> Iterator[SqlBulkLoad]:
        """Begin a bulk load on a connection of its own."""
        with translate_errors(), translate_conflicts(), self._preparing.connect() as connection:
            yield SqlBulkLoad(connection, lambda: self._begin_on(connection), self._writer_lock)

    @contextmanager
    def _begin_on(self, connection: Connection) -> Iterator[SqlUnitOfWork]:
        with self._writer_lock(), transaction_on(connection, writing=True):
            work = SqlUnitOfWork(connection, self._zone())
            yield work
            work.flush()
        self._emit_events(work)

    def _emit_events(self, work: SqlUnitOfWork) -> None:
        for event in work.done:
            self._on_commit(event)

    @contextmanager
    def begin_read_only(self) -> Iterator[SqlUnitOfWork]:
        """Open a unit of work for reading only; it takes no locks of writers."""
        with translate_errors(), self._reading.connect() as connection:
            yield SqlUnitOfWork(connection, self._zone())

    @contextmanager
    def read(self) -> Iterator[SqlViews]:
        """Open the read models outside of a unit of work."""
        with translate_errors(), self._reading.connect() as connection:
            yield SqlViews(connection, self._zone())

    @contextmanager
    def read_for_reports(self) -> Iterator[SqlViews]:
        """Open the read models for reports and exports, on a read replica if any."""
        with translate_errors(), self._reporting.connect() as connection:
            yield SqlViews(connection, self._zone())

    def schema_state(self) -> SchemaState:
        """Return the state of the schema, on a separate connection."""
        with self._looking.connect() as connection:
            return schema_state_at(revision_of(connection))

    def try_writing(self) -> UnavailableReason | None:
        """Return why writing fails, or None; the probe is rolled back.

        It uses a separate connection.
        """
        try:
            with self._looking.connect() as connection:
                probe_write(connection)
        except SQLAlchemyError as error:
            return classify_error(error) or UnavailableReason.UNREACHABLE
        return None

    def unfinished_messages(self) -> dict[OutboundState, tuple[int, datetime]] | None:
        """Return number and time of the oldest of waiting and dead messages.

        None if the database cannot be queried.
        """
        try:
            with self._looking.connect() as connection:
                return unfinished_messages(connection)
        except SQLAlchemyError:
            return None

    def held_messages(self) -> int | None:
        """Return the number of held messages; None if it cannot be queried."""
        try:
            with self._looking.connect() as connection:
                return SqlMessagesView(connection).held()
        except SQLAlchemyError:
            return None

    @property
    def pools(self) -> dict[str, QueuePool]:
        """The connection pools by purpose."""
        engines = {"writing": self._writing, "reading": self._reading, "reports": self._reporting}
        return {name: cast("QueuePool", engine.pool) for name, engine in engines.items()}

    def close(self) -> None:
        """Close all connections."""
        for engine in (self._writing, self._preparing, self._reading, self._reporting, self._looking):
            engine.dispose()

    @contextmanager
    def _writer_lock(self) -> Iterator[None]:
        """Hold the single-writer lock (SQLite)."""
        if self._one_writer is None:
            yield
        elif not self._one_writer.acquire(timeout=self._lock_timeout):
            raise StoreUnavailable(UnavailableReason.BUSY)
        else:
            try:
                yield
            finally:
                self._one_writer.release()
