"""Schema migrations, which run while others use the database."""

import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, NullPool, create_engine, event, func, select, text
from sqlalchemy.exc import OperationalError

from adapters.sql.analytics import create_views, drop_views
from adapters.sql.engine.advisory_locks import lock_key
from adapters.sql.engine.connections import Limits, connect_for_reading, is_sqlite, to_url

# Lock timeout of a migration: later statements queue behind its lock request. After it, the migration lets them pass
# and retries. The retries last some minutes.
LOCK_SECONDS = 2
PAUSE_SECONDS = 1
TRIES = 100

_HEAD = "head"
_TRY_LOCK = select(func.pg_try_advisory_xact_lock(lock_key("migration")))
# Others' limits must not end the transaction that holds the lock: a migration may take long.
_NO_LIMIT = text("SET LOCAL idle_in_transaction_session_timeout = 0")
# Several hospitals may share a database, each in a schema of its own.
_EXTENSION = text(
    "SELECT nspname, nspname = ANY (current_schemas(false)) FROM pg_extension "
    "JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'"
)


class SchemaState(StrEnum):
    """State of the database's schema, relative to this version of Consumo."""

    CURRENT = "current"
    BEHIND = "behind"
    # Migrated by a newer version. Migrations keep everything that the previous version needs, so this one still works.
    AHEAD = "ahead"


class ExtensionElsewhere(Exception):
    """The database user does not find the extension pg_trgm."""


class TablesInUse(Exception):
    """A table to be changed stays locked by others."""


def migrate(
    database_url: str, *, revision: str = _HEAD, tries: int = TRIES, pause: Callable[[float], None] = time.sleep
) -> None:
    """Migrate the schema to ``revision``, keeping all data.

    Raise ``TablesInUse`` if that was not possible for minutes, and ``ExtensionElsewhere`` if the schema lacks what
    names are searched with.
    """
    engine = _engine(database_url)
    if is_sqlite(engine.url):
        # In one transaction: if the process is killed, nothing has changed.
        with engine.begin() as connection:
            # SQLite cannot rebuild a table that a view reads.
            drop_views(connection)
            _upgrade(connection, revision)
            _check_references(connection)
            if revision == _HEAD:
                create_views(connection)
        _restrict_permissions(engine.url.database)
    else:
        _must_find_extension(engine)
        with _migration_lock(engine, pause):
            _upgrade_with_retries(engine, revision, tries, pause)


def migrate_within(connection: Connection, revision: str = _HEAD) -> None:
    """Migrate within the caller's transaction.

    Others must not use the tables meanwhile.
    """
    _upgrade(connection, revision, in_one_transaction=True)
    if revision == _HEAD:
        create_views(connection)


def _restrict_permissions(file: str | None) -> None:
    """Remove access to the database file for others than owner and group.

    Earlier versions allowed it.
    """
    if file and file != ":memory:":
        mode = stat.S_IMODE(Path(file).stat().st_mode)
        if mode & stat.S_IRWXO:
            Path(file).chmod(mode & ~stat.S_IRWXO)


def schema_state_of(database_url: str) -> SchemaState:
    """Return the state of a database's schema."""
    return schema_state_at(schema_revision(database_url))


def schema_revision(database_url: str) -> str | None:
    """Return the revision of a database's schema; None without tables."""
    engine = connect_for_reading(to_url(database_url), Limits(pool_size=1))
    try:
        with engine.connect() as connection:
            return revision_of(connection)
    finally:
        engine.dispose()


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the schema; None without tables."""
    return MigrationContext.configure(connection).get_current_revision()


def schema_state_at(revision: str | None) -> SchemaState:
    """Return the state of a revision; None means that there are no tables."""
    known = _revisions()
    if revision is None or revision in known[1:]:
        return SchemaState.BEHIND
    return SchemaState.CURRENT if revision == known[0] else SchemaState.AHEAD


@cache
def _revisions() -> tuple[str, ...]:
    """Return all known revisions, newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions())


def _engine(database_url: str) -> Engine:
    url = to_url(database_url)
    if not is_sqlite(url):
        engine = create_engine(url, poolclass=NullPool)

        @event.listens_for(engine, "connect")
        def limit_waiting(dbapi_connection: psycopg.Connection, _: object) -> None:
            # Not as an option when connecting, which poolers refuse.
            dbapi_connection.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
            dbapi_connection.commit()

        return engine
    engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def leave_transactions_to_us(dbapi_connection: object, _: object) -> None:
        dbapi_connection.isolation_level = None  # type: ignore[attr-defined]

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", "adapters.sql:migrations")
    return config


def _upgrade(connection: Connection, revision: str, *, in_one_transaction: bool = False) -> None:
    config = _alembic()
    config.attributes["connection"] = connection
    config.attributes["in_one_transaction"] = in_one_transaction
    command.upgrade(config, revision)


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        raise RuntimeError(f"after migrating, {len(broken)} rows would refer to nothing")


def _upgrade_with_retries(engine: Engine, revision: str, tries: int, pause: Callable[[float], None]) -> None:
    """Upgrade with retries on lock timeouts and deadlocks.

    Each migration is a transaction of its own, so a retry repeats only the failed one.
    """
    for _ in range(tries):
        try:
            with engine.connect() as connection:
                _upgrade(connection, revision)
                if revision == _HEAD:
                    create_views(connection)
                connection.commit()
            return
        except OperationalError as error:
            if not isinstance(error.orig, psycopg.errors.LockNotAvailable | psycopg.errors.DeadlockDetected):
                raise
            pause(PAUSE_SECONDS)
    raise TablesInUse


def _must_find_extension(engine: Engine) -> None:
    with engine.connect() as connection:
        found = connection.execute(_EXTENSION).one_or_none()
    if found and not found[1]:
        raise ExtensionElsewhere(found[0])


@contextmanager
def _migration_lock(engine: Engine, pause: Callable[[float], None]) -> Iterator[None]:
    """Hold the lock of migrations: of several servers only one migrates.

    The others wait and find it done. They poll, because waiting in the database would block concurrent index builds,
    which wait for every running statement. The lock belongs to an open transaction, so that a pooler between us and
    the database cannot hand it on.
    """
    with engine.connect() as connection:
        while not connection.execute(_TRY_LOCK).scalar_one():
            # An index build would wait for an open transaction with a snapshot.
            connection.rollback()
            pause(0.2)
        # A statement without a snapshot also ends that of the one before, for which index builds would wait.
        connection.execute(_NO_LIMIT)
        yield
