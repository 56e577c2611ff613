"""Brings a database's tables to the newest shape, while others go on working with it."""

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
from sqlalchemy import Connection, Engine, NullPool, create_engine, event, text
from sqlalchemy.exc import OperationalError

from adapters.sql.connections import Limits, connect_for_reading, is_sqlite, to_url

# Whoever migrates waits for a table no longer than this, because all who come later wait behind; then it lets them
# through and tries again. The tries go on for some minutes.
LOCK_SECONDS = 2
PAUSE_SECONDS = 1
TRIES = 100

_ONE_MIGRATES = 7036874417766


class SchemaState(StrEnum):
    """How a database's tables compare with those that this version of Consumo works with."""

    CURRENT = "current"
    BEHIND = "behind"
    # Migrated by a newer version. Migrations take nothing away that the version before needs, so this one still works.
    AHEAD = "ahead"


class TablesInUse(Exception):
    """Somebody holds a table that is to be changed, and does not let go of it."""


def migrate(
    database_url: str, *, revision: str = "head", tries: int = TRIES, pause: Callable[[float], None] = time.sleep
) -> None:
    """Bring the database's tables to the newest shape, or to that of ``revision``; what is there stays.

    Raise ``TablesInUse`` when that was not possible for minutes.
    """
    engine = _engine(database_url)
    if is_sqlite(engine.url):
        # In one transaction: who is killed in the middle has changed nothing.
        with engine.begin() as connection:
            _upgrade(connection, revision)
            _keep_references(connection)
        _lock_out_writers(engine.url.database)
    else:
        with _migration_lock(engine, pause):
            _upgrade_between_the_others(engine, revision, tries, pause)


def migrate_within(connection: Connection, revision: str = "head") -> None:
    """Bring the tables to that revision within the caller's transaction. Others may not use them meanwhile."""
    _upgrade(connection, revision, in_one_transaction=True)


def _lock_out_writers(file: str | None) -> None:
    """Take the rights of everybody but owner and group from the database's file, which earlier versions gave."""
    if file and file != ":memory:":
        mode = stat.S_IMODE(Path(file).stat().st_mode)
        if mode & stat.S_IRWXO:
            Path(file).chmod(mode & ~stat.S_IRWXO)


def schema_state_of(database_url: str) -> SchemaState:
    """How the database's tables compare with ours."""
    engine = connect_for_reading(to_url(database_url), Limits(pool_size=1))
    try:
        with engine.connect() as connection:
            return schema_state_at(revision_of(connection))
    finally:
        engine.dispose()


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables there; None where there are none."""
    return MigrationContext.configure(connection).get_current_revision()


def schema_state_at(revision: str | None) -> SchemaState:
    """How tables of that revision compare with ours; None stands for no tables at all."""
    known = _revisions()
    if revision is None or revision in known[1:]:
        return SchemaState.BEHIND
    return SchemaState.CURRENT if revision == known[0] else SchemaState.AHEAD


@cache
def _revisions() -> tuple[str, ...]:
    """Every revision that we know, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions())


def _engine(database_url: str) -> Engine:
    url = to_url(database_url)
    if not is_sqlite(url):
        options = f"-c lock_timeout={LOCK_SECONDS}s {url.query.get('options', '')}"
        return create_engine(url, poolclass=NullPool, connect_args={"options": options.strip()})
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


def _keep_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        raise RuntimeError(f"after migrating, {len(broken)} rows would refer to nothing")


def _upgrade_between_the_others(engine: Engine, revision: str, tries: int, pause: Callable[[float], None]) -> None:
    """Each migration is a transaction of its own: what was done stays done when a later one has to try again."""
    for _ in range(tries):
        try:
            with engine.connect() as connection:
                _upgrade(connection, revision)
                connection.commit()
            return
        except OperationalError as error:
            if not isinstance(error.orig, psycopg.errors.LockNotAvailable | psycopg.errors.DeadlockDetected):
                raise
            pause(PAUSE_SECONDS)
    raise TablesInUse


@contextmanager
def _migration_lock(engine: Engine, pause: Callable[[float], None]) -> Iterator[None]:
    """Several servers may start at once: one of them migrates, the others wait and find it done.

    They ask again and again instead of waiting in the database, where their waiting would hold up the building of
    indexes, which waits for every statement that runs.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        asking = text("SELECT pg_try_advisory_lock(:number)")
        while not connection.execute(asking, {"number": _ONE_MIGRATES}).scalar_one():
            pause(0.2)
        yield
