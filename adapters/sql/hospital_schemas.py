"""PostgreSQL schema and role of a hospital among several in one database."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import ExtensionElsewhere

# Roles belong to all databases of a server.
ROLE_PREFIX = "h_"

_EXTENSION = "SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = %s"


class HospitalExists(Exception):
    """The database already has a schema or role of that name."""


class HospitalInPublic(Exception):
    """A single hospital has its tables in the schema public."""


@contextmanager
def hospital_schema(admin_url: str, name: str) -> Iterator[str]:
    """Create role and schema of a hospital, and yield its database URL.

    They are dropped again if the block fails. The schema is the role's own, and no other role may use it. The URL
    contains the role's new password. Raise ``HospitalExists``, ``HospitalInPublic``, whose tables its search path would
    find, and ``ExtensionElsewhere`` if other schemas cannot find pg_trgm.
    """
    password = secrets.token_urlsafe(24)
    role = f"{ROLE_PREFIX}{name}"
    try:
        with connect(admin_url) as connection:
            _create(connection, name, role, password)
    except (psycopg.errors.DuplicateSchema, psycopg.errors.DuplicateObject) as error:
        raise HospitalExists(name if isinstance(error, psycopg.errors.DuplicateSchema) else role) from None
    url = to_url(admin_url).set(username=role, password=password)
    try:
        yield url.render_as_string(hide_password=False)
    except BaseException:
        with connect(admin_url) as connection:
            _drop(connection, name, role)
        raise


def _create(connection: psycopg.Connection, schema: str, role: str, password: str) -> None:
    found = connection.execute(_EXTENSION, ["pg_trgm"]).fetchone()
    if found is not None and found[0] != "public":
        raise ExtensionElsewhere(found[0])
    if connection.execute("SELECT to_regclass('public.alembic_version')").fetchone() != (None,):
        raise HospitalInPublic
    names = {
        "schema": sql.Identifier(schema),
        "role": sql.Identifier(role),
        "database": sql.Identifier(connection.info.dbname),
        "password": sql.Literal(password),
    }
    for statement in (
        "CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "CREATE ROLE {role} LOGIN PASSWORD {password}",
        # Only members of a role may give it a schema.
        "GRANT {role} TO CURRENT_USER",
        "CREATE SCHEMA {schema} AUTHORIZATION {role}",
        "ALTER ROLE {role} IN DATABASE {database} SET search_path = {schema}, public",
    ):
        connection.execute(sql.SQL(statement).format(**names))


def _drop(connection: psycopg.Connection, schema: str, role: str) -> None:
    for statement in ("DROP SCHEMA {} CASCADE", "DROP OWNED BY {}", "DROP ROLE {}"):
        name = schema if "SCHEMA" in statement else role
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


def connect(url: str) -> psycopg.Connection:
    """Connect outside of a store, in one transaction."""
    plain = to_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, connect_timeout=5)
