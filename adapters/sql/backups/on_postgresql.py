"""Backups of PostgreSQL, by its own tools: `pg_dump` reads one snapshot, `psql` puts it back in one transaction."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from psycopg import sql
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, Connection, NullPool, create_engine, inspect, text

from adapters.sql.backups.archive import About, BackupProblem, rows_of, write_about
from adapters.sql.connections import APPLICATION
from adapters.sql.migrate import SchemaState, migrate, revision_of, schema_state_at
from adapters.sql.tables import metadata

_DATABASE = "database.dump"
_MEBIBYTE = 2**20
_CONNECTIONS_END_SECONDS = 3
_BETWEEN_LOOKS_SECONDS = 0.1
_OURS = sorted({*metadata.tables, "alembic_version"})

_EXTENSIONS = text("SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'")
_SERVERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = :application"
)

# Where packages put the tools of several versions side by side.
_FOLDERS = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/postgresql@*/bin")

_DUMP = ("--format=custom", "--no-owner", "--no-privileges", "--no-comments", "--no-tablespaces", "--no-password")
_TRANSLATE = ("--file=-", "--no-owner", "--no-privileges", "--no-comments", "--no-tablespaces", "--exit-on-error")
_LOAD = ("--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--output=/dev/null")


def back_up(url: URL, archive: ZipFile, at: datetime) -> About:
    """Dump our tables into the zip. Whoever writes meanwhile does not wait, and is not in it."""
    with _connected(url) as plain:
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
        # What was counted just now is what is dumped.
        snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
        tables = [f'--table="{about.schema}"."{name}"' for name in _OURS]
        # It is compressed already.
        member = ZipInfo(_DATABASE, at.timetuple()[:6])
        member.compress_type = ZIP_STORED
        with (
            archive.open(member, "w", force_zip64=True) as target,
            _running([pg_dump, *_DUMP, f"--snapshot={snapshot}", *tables], url) as dumping,
        ):
            assert dumping.stdout
            shutil.copyfileobj(dumping.stdout, target, _MEBIBYTE)
    return about


def restore(url: URL, archive: ZipFile, about: About, *, replace: bool) -> None:
    """Load the dump in one transaction, in which the tables that are there go."""
    with _connected(url) as connection:
        there = _tables_to_drop(connection, about, replace=replace)
    written_by = int(about.tool.rpartition(" ")[2])
    pg_restore, _ = _tool("pg_restore", at_least=written_by, made="what wrote the backup")
    psql, _ = _tool("psql", at_least=written_by, made="what wrote the backup")
    with _running([psql, *_LOAD], url, stdin=subprocess.PIPE) as loading:
        # The transaction is ours to end: were it psql's, it would end well whenever nothing more comes.
        _say(loading, "BEGIN;", "SET LOCAL lock_timeout = '10s';")
        if there:
            _say(loading, f"DROP TABLE {', '.join(there)};")
        _say(loading, *(f"CREATE EXTENSION IF NOT EXISTS {name};" for name in about.extensions))
        with archive.open(_DATABASE) as dump:
            _translate(pg_restore, dump, loading)
        _say(loading, *_checks(about), "COMMIT;")
    with _connected(url) as connection:
        if rows_of(connection) != about.rows:
            raise BackupProblem("psql ended without having restored anything.")
    migrate(url.render_as_string(hide_password=False))
    with _connected(url) as connection:
        # Until the server knows what is in them, it looks for things in slow ways.
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text(f"ANALYZE {', '.join(about.rows)}"))


def _wait_until_nobody_uses_it(connection: Connection) -> None:
    """Raise ``BackupProblem`` where servers stay. The connections of one that has just ended need a moment to go."""
    until = time.monotonic() + _CONNECTIONS_END_SECONDS
    while connection.execute(_SERVERS, {"application": APPLICATION}).scalar_one():
        if time.monotonic() >= until:
            raise BackupProblem("The database is in use: stop the servers (and imports) first.")
        # Within one transaction PostgreSQL goes on telling what it told first.
        connection.rollback()
        time.sleep(_BETWEEN_LOOKS_SECONDS)


def _tables_to_drop(connection: Connection, about: About, *, replace: bool) -> list[str]:
    """Our tables that are there. Raise ``BackupProblem`` where they must stay."""
    _wait_until_nobody_uses_it(connection)
    if _schema(connection) != about.schema:
        raise BackupProblem(f"The backup is of tables in the schema {about.schema}, and here they would be elsewhere.")
    there = [name for name in _OURS if inspect(connection).has_table(name)]
    if not there:
        return []
    revision = revision_of(connection)
    if revision is None or schema_state_at(revision) is SchemaState.AHEAD:
        raise BackupProblem("The tables there are not of this version of Consumo: restore into an empty database.")
    if not replace and any(rows_of(connection).values()):
        raise BackupProblem("The database holds data: give --replace to overwrite them.")
    return [f'"{about.schema}"."{name}"' for name in there]


def _checks(about: About) -> Iterator[str]:
    """Statements that fail unless all rows are there."""
    for name, count in about.rows.items():
        table = sql.Identifier(about.schema, name).as_string()
        missing = f"(SELECT count(*) FROM {table}) <> {count}"  # noqa: S608
        yield f"DO $$BEGIN IF {missing} THEN RAISE 'the {name} are not all there'; END IF; END$$;"


def _translate(pg_restore: str, dump: IO[bytes], loading: "subprocess.Popen[bytes]") -> None:
    """Let `pg_restore` tell `psql` what is in the dump."""
    try:
        with _running([pg_restore, *_TRANSLATE], None, stdin=subprocess.PIPE, stdout=loading.stdin) as translating:
            assert translating.stdin
            shutil.copyfileobj(dump, translating.stdin, _MEBIBYTE)
    except BackupProblem:
        # When `psql` has ended, it is the one that knows why.
        with suppress(subprocess.TimeoutExpired):
            if loading.wait(5):
                raise BrokenPipeError from None
        raise


@contextmanager
def _running(
    command: Sequence[str], url: URL | None, *, stdin: int = subprocess.DEVNULL, stdout: Any = subprocess.PIPE
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run one of PostgreSQL's tools on that database. What it complains of is raised as a ``BackupProblem``."""
    target, environment = _target(url) if url else ([], os.environ)
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(  # noqa: S603
            [*command, *target], env=environment, stdin=stdin, stdout=stdout, stderr=complaints
        )
        try:
            # It may end before it was told everything; then it says why.
            ended_early = True
            with suppress(BrokenPipeError):
                yield process
                if process.stdin:
                    process.stdin.close()
                ended_early = False
            process.wait()
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    with suppress(BrokenPipeError):
                        pipe.close()
        if process.returncode or ended_early:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().splitlines()
            raise BackupProblem(f"{Path(command[0]).name} failed: {_first_error(said)}")


def _say(process: "subprocess.Popen[bytes]", *statements: str) -> None:
    assert process.stdin
    for statement in statements:
        process.stdin.write(f"{statement}\n".encode())
    process.stdin.flush()


def _first_error(said: Sequence[str]) -> str:
    return next((line for line in said if "error" in line.lower()), said[0] if said else "it does not say why")


def _target(url: URL) -> tuple[list[str], Mapping[str, str]]:
    """The database as PostgreSQL's tools take it: the password not where every user of the machine can read it."""
    _, given = create_engine(url).dialect.create_connect_args(url)
    password = given.pop("password", None)
    given.pop("context", None)
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    return [f"--dbname={make_conninfo(**given)}"], environment


@contextmanager
def _connected(url: URL) -> Iterator[Connection]:
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def _schema(connection: Connection) -> str:
    return str(connection.execute(text("SELECT current_schema()")).scalar_one())


def _major(connection: Connection) -> int:
    return int(connection.execute(text("SHOW server_version_num")).scalar_one()) // 10_000


def _tool(name: str, *, at_least: int, made: str) -> tuple[str, int]:
    """The path and the version of one of PostgreSQL's tools: of those that will do, the oldest.

    A newer one may write what an older server does not understand.
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
    said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    number = re.search(r"\d+", said)
    return int(number.group()) if number else 0
