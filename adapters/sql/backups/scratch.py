"""Scratch databases: a backup is restored into one to check it."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import URL, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.schema import CreateSchema

from adapters.files.whole_files import temporary_folder
from adapters.sql.backups.on_sqlite import path_of
from adapters.sql.backups.problem import BackupProblem
from adapters.sql.engine.connections import is_sqlite, to_url

_PREFIX = "consumo_check_"
# Of this user, unused, and older than a moment: a process that was killed left it.
_LEFTOVERS = text(
    f"SELECT datname FROM pg_database WHERE datname ~ '^{_PREFIX}[0-9]{{14}}_[0-9a-f]{{8}}$' "  # noqa: S608
    "AND pg_get_userbyid(datdba) = current_user "
    "AND to_timestamp(split_part(datname, '_', 3), 'YYYYMMDDHH24MISS') < now() - interval '10 minutes' "
    "AND NOT EXISTS (SELECT 1 FROM pg_stat_activity AS one WHERE one.datname = pg_database.datname)"
)


@contextmanager
def scratch_database(database_url: str) -> Iterator[str]:
    """Yield the URL of a new, empty database of the same engine.

    It is dropped at the end of the block. On PostgreSQL it is on the same server.
    """
    url = to_url(database_url)
    if is_sqlite(url):
        # The rows were on this disk before.
        with temporary_folder(path_of(url).parent) as folder:
            yield f"sqlite:///{folder / 'check.db'}"
        return
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for leftover in connection.execute(_LEFTOVERS).scalars():
            # Another check may be removing it, too.
            with suppress(DBAPIError):
                connection.execute(text(f'DROP DATABASE "{leftover}"'))
        started = connection.execute(text("SELECT to_char(now(), 'YYYYMMDDHH24MISS')")).scalar_one()
        name = f"{_PREFIX}{started}_{secrets.token_hex(4)}"
        schema = connection.execute(text("SELECT current_schema()")).scalar_one()
        try:
            connection.execute(text(f'CREATE DATABASE "{name}"'))
        except ProgrammingError as error:
            raise BackupProblem(
                f"The database user {url.username} may not create the scratch database in which a backup is checked: "
                f"ALTER ROLE {url.username} CREATEDB."
            ) from error
    try:
        scratch = url.set(database=name)
        # A connection says that it is in use.
        with create_engine(scratch, poolclass=NullPool).connect():
            if schema != "public":
                scratch = _with_schema(scratch, schema)
            yield scratch.render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))


def _with_schema(url: URL, schema: str) -> URL:
    """Create a schema, and return the URL that leads there."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(CreateSchema(schema))
    return url.update_query_dict({"options": f"-c search_path={schema},public"})
