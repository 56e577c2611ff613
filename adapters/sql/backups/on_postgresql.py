"""PostgreSQL backups: one snapshot by `pg_dump`, restored atomically.

A restore takes only rows and last ids from a dump, into tables that our migrations made. Other statements of the dump
are not trusted.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, Connection, NullPool, create_engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from adapters.sql.analytics import drop_views, grant_views, readers_of
from adapters.sql.backups.archive import NOT_WHAT_IT_SAYS, About, rows_of, write_about
from adapters.sql.backups.problem import BackupProblem
from adapters.sql.engine.columns import metadata
from adapters.sql.engine.connections import APPLICATION
from adapters.sql.migrate import SchemaState, migrate_within, revision_of, schema_state_at

_DATABASE = "database.dump"
_MEBIBYTE = 2**20
_CONNECTIONS_END_SECONDS = 3
_POLL_SECONDS = 0.1
_TABLES = sorted({*metadata.tables, "alembic_version"})

_EXTENSIONS = text("SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'")
_SERVERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    # Before 1.2, all hospitals of a database had the same name.
    "AND application_name IN (:application, :application || ':' || current_schema())"
)

# Folders where packages install the tools of several versions side by side.
_FOLDERS = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/postgresql@*/bin")

_DUMP = ("--format=custom", "--no-owner", "--no-privileges", "--no-comments", "--no-tablespaces", "--no-password")
_TO_SQL = ("--data-only", "--no-owner", "--no-privileges", "--file=-")

# Output format of `pg_restore`: COPY is followed by rows, up to a line with the end mark.
_COPY = re.compile(rb'COPY \S+?\."?(\w+)"? \((.*)\) FROM stdin;\n')
_END_OF_ROWS = b"\\.\n"
_LAST_ID = re.compile(rb"SELECT pg_catalog\.setval\('\S+?\.\"?(\w+)_id_seq\"?', (\d+), (true|false)\);\n")
_LINES_AT_A_TIME = 1_000

# Contents of our own dumps, in the words of `pg_restore --list`.
_CONTENTS = ("TABLE ", "SEQUENCE ", "DEFAULT ", "CONSTRAINT ", "FK CONSTRAINT ", "INDEX ", "EXTENSION ")

_REFERENCES = text(
    "SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint "
    "JOIN pg_class ON pg_class.oid = conrelid WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
)


def back_up(url: URL, archive: ZipFile, at: datetime) -> About:
    """Dump our tables into the archive.

    Concurrent writers are not blocked, and their changes are not in the backup.
    """
    with _connect(url) as plain:
        connection = plain.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        pg_dump, version = _tool("pg_dump", at_least=_major(connection), made="the server")
        revision = revision_of(connection)
        if revision is None:
            raise BackupProblem("There are no tables of Consumo to back up: run “consumo migrate” first.")
        about = About(
            made_at=at.isoformat(timespec="seconds"),
            database="postgresql",
            revision=revision,
            rows=rows_of(connection),
            tool=f"pg_dump {version}",
            schema=_schema(connection),
            extensions=tuple(connection.execute(_EXTENSIONS).scalars()),
        )
        write_about(archive, about)
        # The dump uses the same snapshot as the numbers of rows.
        snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
        tables = [f'--table="{about.schema}"."{name}"' for name in _TABLES]
        # The dump is already compressed.
        member = ZipInfo(_DATABASE, at.timetuple()[:6])
        member.compress_type = ZIP_STORED
        with (
            archive.open(member, "w", force_zip64=True) as target,
            _running([pg_dump, *_DUMP, f"--snapshot={snapshot}", *tables], url) as dumping,
        ):
            assert dumping.stdout
            shutil.copyfileobj(dumping.stdout, target, _MEBIBYTE)
    return about


def restore(
    url: URL,
    archive: ZipFile,
    about: About,
    *,
    replace: bool,
    as_schema: str | None,
    on_skipped: Callable[[str], None],
) -> None:
    """Restore the rows in one transaction that drops and recreates the tables."""
    with _connect(url) as connection:
        schema = _schema_to_fill(connection, about, as_schema)
        existing = _tables_to_drop(connection, schema, replace=replace)
    pg_restore, _ = _tool("pg_restore", at_least=int(about.tool.rpartition(" ")[2]), made="what wrote the backup")
    # Without a name, so that nothing is left if this process is killed.
    with tempfile.TemporaryFile() as dump:
        with archive.open(_DATABASE) as source:
            shutil.copyfileobj(source, dump, _MEBIBYTE)
        dump.flush()
        file = f"/proc/{os.getpid()}/fd/{dump.fileno()}"
        _report_skipped([pg_restore, "--list", file], on_skipped)
        try:
            with _connect(url) as connection, connection.begin():
                connection.execute(text("SET LOCAL lock_timeout = '10s'"))
                readers = readers_of(connection)
                if existing:
                    drop_views(connection)
                    connection.execute(text(f"DROP TABLE {', '.join(existing)}"))
                for name in about.extensions:
                    connection.execute(text(f"CREATE EXTENSION IF NOT EXISTS {name}"))
                migrate_within(connection, about.revision)
                with _without_foreign_keys(connection):
                    _load([pg_restore, *_TO_SQL, file], connection, schema, about, on_skipped)
                _must_be_whole(connection, about)
                migrate_within(connection)
                grant_views(connection, readers)
        except SQLAlchemyError as error:
            raise BackupProblem(_first_line(getattr(error, "orig", error))) from error
        except psycopg.Error as error:
            raise BackupProblem(_first_line(error)) from error
    with _connect(url) as connection:
        # Without statistics the planner chooses slow plans.
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text(f"ANALYZE {', '.join(about.rows)}"))


def _first_line(error: object) -> str:
    return f"The backup cannot be restored: {str(error).strip().splitlines()[0]}."


def _report_skipped(listing: Sequence[str], on_skipped: Callable[[str], None]) -> None:
    with _running(listing, None) as listed:
        assert listed.stdout
        for line in listed.stdout:
            # Example: 3372; 1259 16390 TABLE public areas consumo
            _, semicolon, described = line.decode(errors="replace").partition("; ")
            content = described.strip().split(" ", 2)[-1]
            if line[:1].isdigit() and semicolon and not content.startswith(_CONTENTS):
                on_skipped(repr(content))


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Drop our foreign keys, and add them again after all rows are loaded.

    The tables are loaded in an arbitrary order.
    """
    ours = [row for row in connection.execute(_REFERENCES).all() if row[0] in _TABLES]
    names = [
        (sql.Identifier(table).as_string(), sql.Identifier(name).as_string(), as_made) for table, name, as_made in ours
    ]
    for table, name, _ in names:
        connection.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT {name}"))
    yield
    for table, name, as_made in names:
        connection.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT {name} {as_made}"))


def _load(
    translate: Sequence[str],
    connection: Connection,
    schema: str,
    about: About,
    on_skipped: Callable[[str], None],
) -> None:
    """Copy the rows that `pg_restore` writes. Other statements do not run."""
    columns = {name: {one["name"] for one in inspect(connection).get_columns(name)} for name in rows_of(connection)}
    connection.execute(text(f"TRUNCATE {', '.join(columns)}"))
    with _running(translate, None) as translating:
        assert translating.stdout
        for line in translating.stdout:
            if of_rows := _COPY.fullmatch(line):
                name, given = of_rows[1].decode(), of_rows[2].decode(errors="replace").replace('"', "").split(", ")
                rows = _until_end(translating.stdout)
                if name == "alembic_version":
                    if [row.strip().decode(errors="replace") for row in rows] != [about.revision]:
                        raise BackupProblem(NOT_WHAT_IT_SAYS)
                elif name not in columns:
                    on_skipped(f"table {name!r}")
                    deque(rows, maxlen=0)
                elif set(given) != columns[name]:
                    raise BackupProblem(f"The backup's table {name} is not as Consumo makes it.")
                else:
                    _copy(connection, name, given, rows)
            elif (last := _LAST_ID.fullmatch(line)) and (name := last[1].decode()) in columns:
                sequence = sql.Identifier(schema, f"{name}_id_seq").as_string()
                values = {"sequence": sequence, "id": int(last[2]), "used": last[3] == b"true"}
                connection.execute(text("SELECT setval(CAST(:sequence AS regclass), :id, :used)"), values)


def _until_end(lines: Iterable[bytes]) -> Iterator[bytes]:
    return takewhile(lambda line: line != _END_OF_ROWS, lines)


def _copy(connection: Connection, name: str, columns: Sequence[str], rows: Iterator[bytes]) -> None:
    into = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(name), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    cursor: psycopg.Cursor[Any] = connection.connection.cursor()  # type: ignore[assignment]
    with cursor, cursor.copy(into) as copying:
        while some := b"".join(islice(rows, _LINES_AT_A_TIME)):
            copying.write(some)


def _must_be_whole(connection: Connection, about: About) -> None:
    if rows_of(connection) != about.rows:
        raise BackupProblem(NOT_WHAT_IT_SAYS)


def _wait_for_disconnect(connection: Connection) -> None:
    """Raise ``BackupProblem`` if servers stay connected.

    The connections of a server that has just stopped need a moment to end.
    """
    until = time.monotonic() + _CONNECTIONS_END_SECONDS
    while connection.execute(_SERVERS, {"application": APPLICATION}).scalar_one():
        if time.monotonic() >= until:
            raise BackupProblem("The database is in use: stop the servers (and imports) first.")
        # Within one transaction PostgreSQL repeats its first answer.
        connection.rollback()
        time.sleep(_POLL_SECONDS)


def _schema_to_fill(connection: Connection, about: About, as_schema: str | None) -> str:
    """Return the schema of this database user.

    Raise ``BackupProblem`` unless it is the one that is meant: the backup may be of another hospital.
    """
    schema = _schema(connection)
    if as_schema is not None and as_schema != schema:
        raise BackupProblem(f"CONSUMO_DATABASE_URL leads to the schema {schema}, not to {as_schema}.")
    if as_schema is None and about.schema != schema:
        raise BackupProblem(
            f"The backup is of tables in the schema {about.schema}, and CONSUMO_DATABASE_URL leads to the schema "
            f"{schema}: give --as-schema {schema} to restore them there."
        )
    return schema


def _tables_to_drop(connection: Connection, schema: str, *, replace: bool) -> list[str]:
    """Return our existing tables. Raise ``BackupProblem`` if they must stay."""
    _wait_for_disconnect(connection)
    existing = [name for name in _TABLES if inspect(connection).has_table(name)]
    if not existing:
        return []
    revision = revision_of(connection)
    if revision is None or schema_state_at(revision) is SchemaState.AHEAD:
        raise BackupProblem("The tables there are not of this version of Consumo: restore into an empty database.")
    # The migration fills the table of the installation.
    if not replace and any(count for name, count in rows_of(connection).items() if name != "installation"):
        raise BackupProblem("The database holds data: give --replace to overwrite them.")
    return [f'"{schema}"."{name}"' for name in existing]


@contextmanager
def _running(command: Sequence[str], url: URL | None) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a PostgreSQL tool. Its errors are raised as ``BackupProblem``."""
    target, environment = _target(url) if url else ([], os.environ)
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(  # noqa: S603
            [*command, *target], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints
        )
        try:
            yield process
            process.wait()
        finally:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
        if process.returncode:
            complaints.seek(0)
            errors = complaints.read().decode(errors="replace").strip().splitlines()
            raise BackupProblem(f"{Path(command[0]).name} failed: {_first_error(errors)}")


def _first_error(lines: Sequence[str]) -> str:
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "it does not say why")


def _target(url: URL) -> tuple[list[str], Mapping[str, str]]:
    """Return connection arguments for PostgreSQL's tools.

    The password is in the environment: every user of the machine can read arguments.
    """
    _, arguments = create_engine(url).dialect.create_connect_args(url)
    password = arguments.pop("password", None)
    arguments.pop("context", None)
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    return [f"--dbname={make_conninfo(**arguments)}"], environment


@contextmanager
def _connect(url: URL) -> Iterator[Connection]:
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def _schema(connection: Connection) -> str:
    return str(connection.execute(text("SELECT current_schema()")).scalar_one())


def _major(connection: Connection) -> int:
    return int(connection.execute(text("SHOW server_version_num")).scalar_one()) // 10_000


def _tool(name: str, *, at_least: int, made: str) -> tuple[str, int]:
    """Return path and version of the oldest suitable PostgreSQL tool.

    A newer one may write a format that an older server does not understand.
    """
    found = {path for folder in _FOLDERS for path in Path("/").glob(f"{folder}/{name}")}
    found |= {Path(path) for path in [shutil.which(name)] if path}
    versions = sorted((_version(path), str(path)) for path in found)
    if not versions:
        raise BackupProblem(f"{name} is not on this machine: install PostgreSQL's client {at_least}.")
    for version, path in versions:
        if version >= at_least:
            return path, version
    raise BackupProblem(
        f"{name} on this machine is of version {versions[-1][0]}, and {made} of version {at_least}: "
        f"install PostgreSQL's client {at_least}."
    )


def _version(tool: Path) -> int:
    output = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    number = re.search(r"\d+", output)
    return int(number.group()) if number else 0
