"""What migrations do to tables that are in use, so that nobody who writes is held up."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

_BROKEN = sa.text(
    "SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
    "WHERE relname = :name AND relnamespace = current_schema()::regnamespace AND NOT indisvalid"
)


def build_index(name: str, table: str, columns: Sequence[str], **options: Any) -> None:
    """Add an index to a table that holds rows.

    On PostgreSQL it is built concurrently, and it may take as long as it takes: nobody waits for it. It is no part of
    the migration's transaction. One that was broken off leaves a broken index behind, which is built anew.
    """
    if not _on_postgresql():
        op.create_index(name, table, columns, **options)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        if op.get_bind().execute(_BROKEN, {"name": name}).scalar():
            op.drop_index(name, table, postgresql_concurrently=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, if_not_exists=True, **options)
        op.execute("RESET lock_timeout")


def drop_index(name: str, table: str) -> None:
    """Take an index away from a table that is in use."""
    if not _on_postgresql():
        op.drop_index(name, table)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
        op.execute("RESET lock_timeout")


def _on_postgresql() -> bool:
    return op.get_context().dialect.name == "postgresql"
