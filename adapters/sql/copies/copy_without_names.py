"""Copy a database without names, in batches and of one moment."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, NullPool, Table, create_engine, inspect, select
from sqlalchemy.exc import DBAPIError, OperationalError

from adapters.files.whole_files import give_name, raise_if_unwritable, sync_folder, temporary_folder
from adapters.sql.copies.columns import COLUMNS, Copied, RowInCopy
from adapters.sql.engine.bulk_insert import insert_all
from adapters.sql.engine.columns import metadata
from adapters.sql.engine.connections import Limits, connect_for_preparing, is_sqlite, to_url, transaction_on
from adapters.sql.migrate import migrate, migrate_within
from adapters.sql.people.tables import IS_MERGED, patients

_BATCH = 2_000
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_NEXT_IDS = "SELECT setval(pg_get_serial_sequence('{0}', 'id'), max(id)) FROM {0} HAVING max(id) IS NOT NULL"


class CopyProblem(Exception):
    """A copy that cannot be made; the message says why and what to do."""


def copy_without_names(database_url: str, target_url: str, today: date) -> dict[str, int]:
    """Copy into an empty database, and return the number of rows by table.

    The source is read in one snapshot while others write. The copy is complete or is not there.
    """
    source, target = to_url(database_url), to_url(target_url)
    secret = secrets.token_bytes(32)
    with _snapshot(source) as there, _new_database(target) as here:
        return {
            table.name: _copy_rows(there, here, table, copied, secret, today)
            for table in metadata.sorted_tables
            if (copied := COLUMNS[table.name]) is not None
        }


def _copy_rows(there: Connection, here: Connection, table: Table, copied: Copied, secret: bytes, today: date) -> int:
    names, count = [column.name for column in table.c if column.name not in copied.emptied], 0
    selected = select(*(table.c[name] for name in names)).execution_options(yield_per=_BATCH)
    if table is patients:
        # Those that others were merged into come first: the others refer to them.
        selected = selected.order_by(IS_MERGED, patients.c.id)
    with there.execute(selected) as result:
        for rows in result.partitions(_BATCH):
            new = [_to_copy(dict(zip(names, row, strict=True)), table, copied, secret, today) for row in rows]
            insert_all(here, table, new)
            count += len(new)
    if "id" in table.c and here.dialect.name == "postgresql":
        here.exec_driver_sql(_NEXT_IDS.format(table.name))
    return count


def _to_copy(was: Mapping[str, Any], table: Table, copied: Copied, secret: bytes, today: date) -> Mapping[str, Any]:
    """Return the row of the copy. A column without a rule is an error."""
    row = RowInCopy(secret, today, was)
    for name, replace in copied.replaced.items():
        row.values[name] = replace(row)
    values = row.values | {name: was[name] for name in copied.kept} | dict.fromkeys(copied.emptied)
    return {column.name: values[column.name] for column in table.c}


@contextmanager
def _snapshot(url: URL) -> Iterator[Connection]:
    """Open a connection that reads one moment, without blocking writers."""
    # Without a time limit: a big table takes minutes.
    engine = connect_for_preparing(url, Limits(statement_timeout=0))
    with engine.connect() as connection, transaction_on(connection):
        if not is_sqlite(url):
            connection.exec_driver_sql(_SNAPSHOT)
        yield connection


@contextmanager
def _new_database(url: URL) -> Iterator[Connection]:
    """Yield an empty, migrated database that is kept if the block succeeds."""
    if is_sqlite(url):
        with _new_file(url) as connection:
            yield connection
        return
    where = url.render_as_string()
    try:
        connection = create_engine(url, poolclass=NullPool, hide_parameters=True).connect()
    except OperationalError as error:
        raise CopyProblem(f"{where} cannot be used: {str(error.orig).partition(chr(10))[0]}.") from None
    with connection, connection.begin():
        if inspect(connection).get_table_names():
            raise CopyProblem(f"{where} has tables already: name an empty database or schema.")
        try:
            migrate_within(connection)
        except DBAPIError as error:
            if isinstance(error.orig, psycopg.errors.InsufficientPrivilege | psycopg.errors.InvalidSchemaName):
                reason = error.orig.diag.message_primary
                raise CopyProblem(f"{where}: its user may not create the tables: {reason}.") from None
            raise
        yield connection


@contextmanager
def _new_file(url: URL) -> Iterator[Connection]:
    if not url.database or url.database == ":memory:":
        raise CopyProblem("Name a file for the copy.")
    target = Path(url.database)
    try:
        raise_if_unwritable(target, replace=False)
        with temporary_folder(target.parent) as folder:
            new = folder / "copy"
            new.touch(0o600)
            migrate(f"sqlite:///{new}")
            engine = create_engine(f"sqlite:///{new}", poolclass=NullPool, hide_parameters=True)
            with engine.connect() as connection:
                # The whole file is synced to disk before it gets its name.
                for setting in ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = ON"):
                    connection.exec_driver_sql(f"PRAGMA {setting}")
                connection.commit()
                with connection.begin():
                    yield connection
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            give_name(new, target, replace=False)
            sync_folder(target.parent)
    except FileExistsError:
        raise CopyProblem(f"{target} exists: name a file that does not exist yet.") from None
    except OSError as error:
        raise CopyProblem(f"{target} cannot be written: {error.strerror}.") from error
