"""Scratch databases: a backup is restored into one to check it."""

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, NullPool, create_engine, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.schema import CreateSchema

from adapters.sql.backups.problem import BackupProblem
from adapters.sql.engine.connections import is_sqlite, to_url


@contextmanager
def scratch_database(database_url: str) -> Iterator[str]:
    """Yield the URL of a new, empty database of the same engine.

    It is dropped at the end of the block. On PostgreSQL it is on the same server.
    """
    url = to_url(database_url)
    if is_sqlite(url):
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder, 'check.db')}"
        return
    name = f"consumo_check_{secrets.token_hex(4)}"
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
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
