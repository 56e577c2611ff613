"""Connection pools and limits: how database and read replica are reached; WAL checkpoints; what failures mean."""

import functools
import os
import re
import select
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, Engine, ExceptionContext, NullPool, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from application.ports.unit_of_work import UnavailableReason

# By which database administrators, and whoever restores a backup, know that it is us.
APPLICATION = "consumo"

# A host that lost its power says nothing more: whoever waits for it is told within this time, not after hours.
_CONNECT_SECONDS = 5
_ASKED_AFTER_SECONDS = 5
_USED_AT = "used_at"
_SILENCE_MILLISECONDS = 15_000
_CONNECT_ARGS = {
    "connect_timeout": _CONNECT_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": _SILENCE_MILLISECONDS,
    "application_name": APPLICATION,
}


_PROBE_INSERT = text("INSERT INTO write_trials (filler) VALUES (:filler)")
_FILLER_BYTES = 65_536

# As PostgreSQL's own tools take it: postgresql://user@one:5432,other:5432/name
_SEVERAL_HOSTS = re.compile(r"(?P<before>postgres[^:/]*://(?:[^/?]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)(?P<after>[/?].*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a process asks of its database; times are in seconds.

    It keeps up to ``pool_size`` connections for writing, as many for reading and half as many for reports. SQLite knows
    no statement timeout.
    """

    pool_size: int = 8
    statement_timeout: float = 30
    lock_timeout: float = 30


def to_url(database_url: str) -> URL:
    """The database's URL, with the driver that we bring. Of several hosts, written in any of the ways in use, each is
    tried. Raise ``ValueError`` or ``ArgumentError`` for what is no such URL.
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
    """Whether that is the embedded database."""
    return url.get_backend_name() == "sqlite"


def sqlite_files(database_url: str) -> frozenset[Path]:
    """The files in which SQLite keeps this database; none for PostgreSQL."""
    url = to_url(database_url)
    if not is_sqlite(url) or not url.database or url.database == ":memory:":
        return frozenset()
    return frozenset(Path(url.database + suffix).resolve() for suffix in ("", "-wal", "-shm", "-journal"))


def connect_for_writing(url: URL, limits: Limits) -> Engine:
    """An engine for units of work. On SQLite it has one connection, and a transaction writes from its first moment."""
    if not is_sqlite(url):
        return _connect_to_postgresql(url, limits)
    # Named parameters: a refusal tells the value that was taken.
    engine = create_engine(url, pool_size=1, max_overflow=0, paramstyle="named", hide_parameters=True)
    _prepare_sqlite(engine, limits)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def connect_for_reading(url: URL, limits: Limits) -> Engine:
    """An engine for what is read outside units of work: each statement sees what is kept at that moment."""
    if not is_sqlite(url):
        return _connect_to_postgresql(url, limits, isolation_level="AUTOCOMMIT", pool_reset_on_return=None)
    engine = create_engine(
        url, pool_size=limits.pool_size, pool_reset_on_return=None, paramstyle="named", hide_parameters=True
    )
    _prepare_sqlite(engine, limits)
    return engine


def connect_for_preparing(url: URL, limits: Limits) -> Engine:
    """An engine for what is made ready beside the database and then kept: each connection is used once, and what lies
    on it is gone with it. Its transactions are those of ``transaction_on``.
    """
    if not is_sqlite(url):
        return create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=_how_to_connect(url, limits))
    engine = create_engine(url, poolclass=NullPool, paramstyle="named", hide_parameters=True)
    _prepare_sqlite(engine, limits)
    event.listen(engine, "connect", _prepare_for_many_rows)
    return engine


@contextmanager
def transaction_on(connection: Connection, *, writing: bool = False) -> Iterator[None]:
    """A transaction; one for ``writing`` is SQLite's only one that writes, from its first moment."""
    with connection.begin():
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
        yield


def checkpoint(connection: Connection) -> None:
    """Bring what was written home. Whoever records next would have to, and nobody waits for it now."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
        connection.commit()


def probe_write(connection: Connection) -> None:
    """Write more than people do at once, and take it back. Raise what the database raises.

    Both need room on the disk for it: PostgreSQL makes its table longer, and SQLite, which would keep it in memory to
    the end, is left none for it. The connection is one for reading.
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


def trouble_of(error: BaseException) -> UnavailableReason | None:
    """What an error of the database means when the same may work a moment later; None for a defect."""
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
    """Whether the database ended a transaction because it and another one stood in each other's way."""
    return isinstance(error.orig, _COLLISIONS)


def _connect_to_postgresql(url: URL, limits: Limits, **more: Any) -> Engine:
    engine = create_engine(
        url,
        pool_size=limits.pool_size,
        max_overflow=0,
        pool_timeout=limits.lock_timeout,
        hide_parameters=True,
        connect_args=_how_to_connect(url, limits),
        **more,
    )
    event.listen(engine, "handle_error", _disconnect_from_standby)
    event.listen(engine, "checkout", functools.partial(_check_alive, engine))
    event.listen(engine, "checkin", _note_the_time)
    return engine


def _how_to_connect(url: URL, limits: Limits) -> dict[str, Any]:
    # What the URL says itself goes before; of options the later ones count.
    options = f"-c statement_timeout={_milliseconds(limits.statement_timeout)} "
    options += f"-c lock_timeout={_milliseconds(limits.lock_timeout)} -c timezone=UTC {url.query.get('options', '')}"
    given = {name: value for name, value in _CONNECT_ARGS.items() if name not in url.query}
    return given | {"options": options.strip()}


def _check_alive(engine: Engine, connection: Any, record: Any, _: object) -> None:
    """Give a connection up, and the others of its pool, that the server has ended since it was used last.

    Whoever was ended by the server can read that, which costs next to nothing to see. Where both were cut off from each
    other nobody is told: whoever was not used for a while is asked.
    """
    used_at = record.info.get(_USED_AT)
    if used_at is None:
        return
    try:
        heard = select.poll()
        heard.register(connection, select.POLLIN)
        if heard.poll(0):
            raise InvalidatePoolError("the server has ended the connection")
        if time.monotonic() - used_at > _ASKED_AFTER_SECONDS:
            engine.dialect.do_ping(connection)
    except (psycopg.Error, OSError, ValueError) as error:
        raise InvalidatePoolError("the connection is lost") from error


def _note_the_time(_: object, record: Any) -> None:
    record.info[_USED_AT] = time.monotonic()


def _disconnect_from_standby(context: ExceptionContext) -> None:
    """After a failover an old connection may lead to what is now a standby: it is given up, like a lost one."""
    if isinstance(context.original_exception, psycopg.errors.ReadOnlySqlTransaction):
        context.is_disconnect = True


def _prepare_sqlite(engine: Engine, limits: Limits) -> None:
    def prepare(dbapi_connection: Any, _: Any) -> None:
        # The driver must not begin transactions on its own: it would begin them deferred, and two could not both go on.
        dbapi_connection.isolation_level = None
        cursor = dbapi_connection.cursor()
        # Another process may be writing, such as an import beside the server.
        cursor.execute(f"PRAGMA busy_timeout = {_milliseconds(limits.lock_timeout)}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    event.listen(engine, "connect", prepare)


def _prepare_for_many_rows(dbapi_connection: Any, _: Any) -> None:
    cursor = dbapi_connection.cursor()
    # Every index is written to all over: with the usual 2 MB pages go and come back while others wait.
    cursor.execute("PRAGMA cache_size = -16000")
    # Not within the commit, for which others wait: ``checkpoint``.
    cursor.execute("PRAGMA wal_autocheckpoint = 0")
    cursor.close()


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


_BUSY_ON_SQLITE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_INTERRUPT}
_UNREACHABLE_ON_SQLITE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}


def _trouble_of_sqlite(error: sqlite3.Error) -> UnavailableReason | None:
    # Not all errors have a code; its lowest byte is the kind.
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
    # Without a code it is no answer of the server's: none was reached, or none came back.
    without_answer = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    # 08: connection exceptions; 57P: shutting down, starting up, the database was dropped; 58: the system around it.
    return (
        UnavailableReason.UNREACHABLE
        if lost or without_answer or (error.sqlstate or "")[:2] in ("08", "57", "58")
        else None
    )
