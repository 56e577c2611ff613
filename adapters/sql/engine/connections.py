"""Database connections: pools, timeouts, WAL checkpoints, error kinds."""

import functools
import os
import re
import secrets
import select
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, Engine, ExceptionContext, NullPool, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from adapters.sql.engine import minute_of_day
from application.common.store_errors import UnavailableReason

# Application name for database administrators, followed by the schema. A restore also uses it to find running servers.
APPLICATION = "consumo"

# A host without power does not answer: connections fail after these timeouts, not after hours.
_CONNECT_SECONDS = 5
_PING_AFTER_SECONDS = 5
_USED_AT = "used_at"
_TCP_TIMEOUT_MILLISECONDS = 15_000
_CONNECT_ARGS = {
    "connect_timeout": _CONNECT_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": _TCP_TIMEOUT_MILLISECONDS,
    "application_name": APPLICATION,
}


_PREPARE_CONNECTION = (
    "SELECT set_config("
    "'application_name', concat_ws(':', current_setting('application_name'), current_schema()), false)"
    ", set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false)"
    ", set_config('TimeZone', 'UTC', false)"
)
# Poolers keep these two for each client, whichever connection it gets.
_PREPARE_POOLED_CONNECTION = (
    "SELECT set_config("
    "'application_name', concat_ws(':', current_setting('application_name'), current_schema()), false)"
    ", set_config('TimeZone', 'UTC', false)"
)
_BACKEND = text("SELECT pg_backend_pid()")
_HOLD = text("SELECT pg_advisory_xact_lock(:key)")
_IS_HELD = text("SELECT NOT pg_try_advisory_xact_lock(:key)")
_HAS_LIMITS = text("SELECT current_setting('statement_timeout') <> '0' AND current_setting('lock_timeout') <> '0'")
_SCHEMA = text("SELECT current_schema()")
_PROBE_INSERT = text("INSERT INTO write_trials (filler) VALUES (:filler)")
_FILLER_BYTES = 65_536

# The syntax of PostgreSQL's own tools: postgresql://user@one:5432,other:5432/name
_SEVERAL_HOSTS = re.compile(r"(?P<before>postgres[^:/]*://(?:[^/?]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)(?P<after>[/?].*)")


# SQLite's own default, in pages of 4 kB. Where Litestream checkpoints, commits do so only if its log grows on and on,
# because Litestream does not run: two that checkpoint make Litestream copy the whole file again.
CHECKPOINT_PAGES, FALLBACK_CHECKPOINT_PAGES = 1_000, 25_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one process; times are in seconds.

    It has up to ``pool_size`` connections for writing, as many for reading and half as many for reports. SQLite has no
    statement timeout, and a commit writes its log into the file from ``checkpoint_pages`` on. A pooler that is
    ``shared`` gives each transaction another connection, and sets the timeouts itself.
    """

    pool_size: int = 8
    statement_timeout: float = 30
    lock_timeout: float = 30
    checkpoint_pages: int = CHECKPOINT_PAGES
    shared: bool = False


def to_url(database_url: str) -> URL:
    """Return the URL with our driver; each of several hosts is tried.

    All usual notations of several hosts are supported. Raise ``ValueError`` or ``ArgumentError`` for an invalid URL.
    """
    several = _SEVERAL_HOSTS.fullmatch(database_url)
    url = make_url(several["before"] + several["after"] if several else database_url)
    if several:
        url = url.update_query_pairs([("host", host) for host in several["hosts"].split(",")])
    hosts = url.query.get("host")
    if isinstance(hosts, str) and ":" in hosts and "," in hosts:
        url = url.update_query_dict({"host": hosts.split(",")})
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def sqlite_files(database_url: str) -> frozenset[Path]:
    """Return the files of an SQLite database; none for PostgreSQL."""
    url = to_url(database_url)
    if not is_sqlite(url) or not url.database or url.database == ":memory:":
        return frozenset()
    return frozenset(Path(url.database + suffix).resolve() for suffix in ("", "-wal", "-shm", "-journal"))


def connect_for_writing(url: URL, limits: Limits) -> Engine:
    """Return an engine for units of work.

    On SQLite it has one connection, and transactions are write transactions from the beginning.
    """
    if not is_sqlite(url):
        return _connect_to_postgresql(url, limits)
    # Named parameters: error handling reads the conflicting value from them.
    engine = create_engine(url, pool_size=1, max_overflow=0, paramstyle="named", hide_parameters=True)
    _prepare_sqlite(engine, limits)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def connect_for_reading(url: URL, limits: Limits) -> Engine:
    """Return an engine for reads outside units of work, with autocommit.

    Each statement sees what was committed before.
    """
    if not is_sqlite(url):
        return _connect_to_postgresql(url, limits, isolation_level="AUTOCOMMIT", pool_reset_on_return=None)
    engine = create_engine(
        url, pool_size=limits.pool_size, pool_reset_on_return=None, paramstyle="named", hide_parameters=True
    )
    _prepare_sqlite(engine, limits)
    return engine


def connect_for_preparing(url: URL, limits: Limits) -> Engine:
    """Return an engine for bulk loads.

    Each connection is used once, and its temporary tables end with it. Its transactions are begun by
    ``transaction_on``.
    """
    if not is_sqlite(url):
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=_connect_args(url))
        event.listen(engine, "connect", functools.partial(_prepare_postgresql, limits))
        return engine
    engine = create_engine(url, poolclass=NullPool, paramstyle="named", hide_parameters=True)
    _prepare_sqlite(engine, limits)
    event.listen(engine, "connect", _prepare_for_many_rows)
    return engine


@contextmanager
def transaction_on(connection: Connection, *, writing: bool = False) -> Iterator[None]:
    """Begin a transaction; on SQLite ``writing`` takes the write lock at once."""
    with connection.begin():
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
        yield


def checkpoint(connection: Connection) -> None:
    """Run a WAL checkpoint now, so that the next writer does not have to."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
        connection.commit()


def probe_write(connection: Connection) -> None:
    """Write a large row and roll back. Raise the database's error.

    The row is larger than what people write at once. Both databases need free disk space for it: PostgreSQL extends its
    table, and SQLite, which would keep the row in memory until the commit, gets no cache for it. The connection is one
    for reading.
    """
    on_sqlite = connection.dialect.name == "sqlite"
    if on_sqlite:
        connection.exec_driver_sql("PRAGMA cache_size = 1")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if on_sqlite else "BEGIN")
    try:
        connection.execute(_PROBE_INSERT, {"filler": os.urandom(_FILLER_BYTES)})
    finally:
        with suppress(SQLAlchemyError):
            connection.exec_driver_sql("ROLLBACK")


def classify_error(error: BaseException) -> UnavailableReason | None:
    """Return the reason of a temporary error; None for a defect."""
    if isinstance(error, NoConnectionFree):
        return UnavailableReason.BUSY
    if not isinstance(error, DBAPIError):
        return None
    if isinstance(error.orig, sqlite3.Error):
        return _trouble_of_sqlite(error.orig)
    if isinstance(error.orig, psycopg.Error):
        return _trouble_of_postgresql(error.orig, lost=error.connection_invalidated)
    return None


def is_conflict(error: DBAPIError) -> bool:
    """Return whether it is a deadlock or a serialization failure."""
    return isinstance(error.orig, _COLLISIONS)


def _connect_to_postgresql(url: URL, limits: Limits, **more: Any) -> Engine:
    engine = create_engine(
        url,
        pool_size=limits.pool_size,
        max_overflow=0,
        pool_timeout=limits.lock_timeout,
        hide_parameters=True,
        # Prepared statements belong to one connection.
        connect_args=_connect_args(url) | ({"prepare_threshold": None} if limits.shared else {}),
        **more,
    )
    event.listen(engine, "connect", functools.partial(_prepare_postgresql, limits))
    event.listen(engine, "handle_error", _disconnect_from_standby)
    event.listen(engine, "checkout", functools.partial(_check_alive, engine))
    event.listen(engine, "checkin", _note_checkin)
    return engine


def _connect_args(url: URL) -> dict[str, Any]:
    # Parameters of the URL take precedence.
    return {name: value for name, value in _CONNECT_ARGS.items() if name not in url.query}


def _prepare_postgresql(limits: Limits, connection: Any, _: object) -> None:
    """Name the connection, and set its limits.

    They are not sent as options when connecting, which poolers refuse.
    """
    with connection.cursor() as cursor:
        if limits.shared:
            cursor.execute(_PREPARE_POOLED_CONNECTION)
        else:
            timeouts = (limits.statement_timeout, limits.lock_timeout)
            cursor.execute(_PREPARE_CONNECTION, [f"{_milliseconds(one)}" for one in timeouts])
    # Otherwise a rollback would take the settings back.
    connection.commit()


def shares_connections(database_url: str) -> bool:
    """Return whether a pooler gives each transaction another connection.

    Locks, temporary tables and settings of a connection are lost there. While another transaction has the connection
    of the first one, a pooler in transaction mode has to give the first one another.
    """
    url = to_url(database_url)
    if is_sqlite(url):
        return False
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=_connect_args(url))
    with engine.connect() as first, engine.connect() as other:
        before = first.execute(_BACKEND).scalar_one()
        first.commit()
        other.execute(_BACKEND)
        after = first.execute(_BACKEND).scalar_one()
    return bool(before != after)


class PoolerProblem(StrEnum):
    """Why a pooler cannot stand before a database."""

    OTHER_DATABASE = "it leads to another database or schema than CONSUMO_DATABASE_URL"
    NO_LIMITS = "its connections have no timeouts: add the connect_query that docs/operations.md says"


def pooler_problem(database_url: str, pooler_url: str) -> PoolerProblem | None:
    """Return why the pooler is unusable; None if it is usable.

    A lock that is taken in the database is held in every connection to it, and in no replica.
    """
    urls = [to_url(one) for one in (database_url, pooler_url)]
    engines = [
        create_engine(
            url, poolclass=NullPool, hide_parameters=True, connect_args=_connect_args(url) | {"prepare_threshold": None}
        )
        for url in urls
    ]
    with engines[0].connect() as direct, engines[1].connect() as pooled:
        key = {"key": secrets.randbits(62)}
        direct.execute(_HOLD, key)
        if not pooled.execute(_IS_HELD, key).scalar_one():
            return PoolerProblem.OTHER_DATABASE
        if direct.execute(_SCHEMA).scalar() != pooled.execute(_SCHEMA).scalar():
            return PoolerProblem.OTHER_DATABASE
        return None if pooled.execute(_HAS_LIMITS).scalar_one() else PoolerProblem.NO_LIMITS


def _check_alive(engine: Engine, connection: Any, record: Any, _: object) -> None:
    """Invalidate the pool if the server closed the connection while unused.

    The server's closing can be read from the socket at almost no cost. A network failure is not visible there, so a
    connection that was unused for a while is pinged.
    """
    used_at = record.info.get(_USED_AT)
    if used_at is None:
        return
    try:
        heard = select.poll()
        heard.register(connection, select.POLLIN)
        if heard.poll(0):
            raise InvalidatePoolError("the server has ended the connection")
        if time.monotonic() - used_at > _PING_AFTER_SECONDS:
            engine.dialect.do_ping(connection)
    except (psycopg.Error, OSError, ValueError) as error:
        raise InvalidatePoolError("the connection is lost") from error


def _note_checkin(_: object, record: Any) -> None:
    record.info[_USED_AT] = time.monotonic()


def _disconnect_from_standby(context: ExceptionContext) -> None:
    """Treat a read-only server as a lost connection.

    After a failover an old connection may lead to a server that is now a standby.
    """
    if isinstance(context.original_exception, psycopg.errors.ReadOnlySqlTransaction):
        context.is_disconnect = True


def _prepare_sqlite(engine: Engine, limits: Limits) -> None:
    def prepare(dbapi_connection: Any, _: Any) -> None:
        # The driver must not begin transactions: they would be deferred, and two of them could not both become writers.
        dbapi_connection.isolation_level = None
        minute_of_day.register(dbapi_connection)
        cursor = dbapi_connection.cursor()
        # Another process may be writing, such as an import that runs beside the server.
        cursor.execute(f"PRAGMA busy_timeout = {_milliseconds(limits.lock_timeout)}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA wal_autocheckpoint = {limits.checkpoint_pages}")
        cursor.close()

    event.listen(engine, "connect", prepare)


def _prepare_for_many_rows(dbapi_connection: Any, _: Any) -> None:
    cursor = dbapi_connection.cursor()
    # Each index is modified in many places. With the usual 2 MB, pages are evicted and reloaded while others wait.
    cursor.execute("PRAGMA cache_size = -16000")
    # Not within the commit, which blocks others: see ``checkpoint``.
    cursor.execute("PRAGMA wal_autocheckpoint = 0")
    cursor.close()


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


_BUSY_ON_SQLITE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_INTERRUPT}
_UNREACHABLE_ON_SQLITE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}


def _trouble_of_sqlite(error: sqlite3.Error) -> UnavailableReason | None:
    # Not all errors have a code. Its lowest byte is the kind.
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind == sqlite3.SQLITE_FULL:
        return UnavailableReason.FULL
    if kind in _BUSY_ON_SQLITE:
        return UnavailableReason.BUSY
    return UnavailableReason.UNREACHABLE if kind in _UNREACHABLE_ON_SQLITE else None


_COLLISIONS = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
_BUSY_ON_POSTGRESQL = (
    *_COLLISIONS,
    psycopg.errors.QueryCanceled,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.OutOfMemory,
    psycopg.errors.TooManyConnections,
)


def _trouble_of_postgresql(error: psycopg.Error, *, lost: bool) -> UnavailableReason | None:
    if isinstance(error, psycopg.errors.DiskFull):
        return UnavailableReason.FULL
    if isinstance(error, _BUSY_ON_POSTGRESQL):
        return UnavailableReason.BUSY
    # Without a code it is no answer of the server: it was not reached, or its answer was lost.
    without_answer = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    # 08: connection exceptions; 57P: shutting down, starting up, the database was dropped; 58: the system around it.
    return (
        UnavailableReason.UNREACHABLE
        if lost or without_answer or (error.sqlstate or "")[:2] in ("08", "57", "58")
        else None
    )
