"""Views over the hospitals of a network that share a PostgreSQL database.

They union the views for analysts, with the hospital's name as a column. The name is a constant in each branch, so that
the planner skips the branches of other hospitals.
"""

from collections.abc import Mapping
from contextlib import suppress

import psycopg
from psycopg import sql

from adapters.sql.analytics import VIEWS
from adapters.sql.engine.connections import to_url
from adapters.sql.hospital_schemas import connect

SCHEMA = "network"
# The owner has no login and may read nothing else; analysts become members of the reader.
OWNER, READER = "network_owner", "network_reader"


class NotMigrated(Exception):
    """A hospital lacks the views for analysts."""


def create_network_views(admin_url: str, hospitals: Mapping[str, str]) -> list[str]:
    """Create or replace the views, and return the hospitals in them.

    ``hospitals`` are database URLs by name; hospitals of other databases are left out. Raise ``NotMigrated``.
    """
    with connect(admin_url) as connection:
        here = _place(connection)
        schemas = {name: schema for name, url in hospitals.items() if (schema := _schema_of(url, here)) is not None}
        _create_roles(connection)
        for name, schema in schemas.items():
            try:
                _grant(connection, schema)
            except psycopg.errors.UndefinedTable:
                raise NotMigrated(name) from None
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(OWNER)))
        for view in VIEWS if schemas else ():
            connection.execute(_definition(connection, view, schemas))
            reader = {"view": _in_network(view), "reader": sql.Identifier(READER)}
            connection.execute(sql.SQL("GRANT SELECT ON {view} TO {reader}").format(**reader))
    return list(schemas)


def _place(connection: psycopg.Connection) -> tuple[str, str]:
    """Return what identifies a database among all servers."""
    row = connection.execute("SELECT system_identifier::text, current_database() FROM pg_control_system()").fetchone()
    assert row is not None
    return row[0], row[1]


def _schema_of(url: str, place: tuple[str, str]) -> str | None:
    """Return the schema of a hospital; None if it is in another database."""
    if not to_url(url).drivername.startswith("postgresql"):
        return None
    with connect(url) as connection:
        row = connection.execute(
            "SELECT system_identifier::text, current_database(), current_schema() FROM pg_control_system()"
        ).fetchone()
    assert row is not None
    return str(row[2]) if (row[0], row[1]) == place else None


def _create_roles(connection: psycopg.Connection) -> None:
    names = {"owner": sql.Identifier(OWNER), "reader": sql.Identifier(READER), "schema": sql.Identifier(SCHEMA)}
    for role in (OWNER, READER):
        # Roles belong to all databases of the server.
        with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation), connection.transaction():
            connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
    for statement in (
        # Only members of a role may act as it.
        "GRANT {owner} TO CURRENT_USER",
        "CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {owner}",
        "GRANT USAGE ON SCHEMA {schema} TO {reader}",
    ):
        connection.execute(sql.SQL(statement).format(**names))


def _grant(connection: psycopg.Connection, schema: str) -> None:
    """Let the owner of the network's views read those of a hospital."""
    names = {"schema": sql.Identifier(schema), "owner": sql.Identifier(OWNER)}
    views = sql.SQL(", ").join(sql.Identifier(schema, view) for view in VIEWS)
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {schema} TO {owner}").format(**names))
    connection.execute(sql.SQL("GRANT SELECT ON {views} TO {owner}").format(views=views, **names))


def _definition(connection: psycopg.Connection, view: str, schemas: Mapping[str, str]) -> sql.Composed:
    first = next(iter(schemas.values()))
    columns = [
        row[0]
        for row in connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped "
            "ORDER BY attnum",
            [f'"{first}"."{view}"'],
        )
    ]
    branches = [
        sql.SQL("SELECT {hospital}::text AS hospital, {columns} FROM {view}").format(
            hospital=sql.Literal(name),
            columns=sql.SQL(", ").join(map(sql.Identifier, columns)),
            view=sql.Identifier(schema, view),
        )
        for name, schema in schemas.items()
    ]
    union = sql.SQL(" UNION ALL ").join(branches)
    return sql.SQL("CREATE OR REPLACE VIEW {} AS {}").format(_in_network(view), union)


def _in_network(view: str) -> sql.Identifier:
    return sql.Identifier(SCHEMA, view.removeprefix("analytics_"))
