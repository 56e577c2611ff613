"""What migrations do to tables that are in use, so that nobody who writes is held up."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

_AT_A_TIME = 1_000

_BROKEN = sa.text(
    "SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
    "WHERE relname = :name AND relnamespace = current_schema()::regnamespace AND NOT indisvalid"
)


def build_index(name: str, table: str, columns: Sequence[str | sa.TextClause], **options: Any) -> None:
    """Add an index to a table that holds rows.

    On PostgreSQL it is built concurrently, and it may take as long as it takes: nobody waits for it. It is no part of
    the migration's transaction. One that was broken off leaves a broken index behind, which is built anew.
    """
    if not _is_online():
        op.create_index(name, table, columns, **options)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        if op.get_bind().execute(_BROKEN, {"name": name}).scalar():
            op.drop_index(name, table, postgresql_concurrently=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, if_not_exists=True, **options)
        op.execute("RESET lock_timeout")


def add_columns(table: str, *columns: sa.Column[Any]) -> None:
    """Add columns to a table that is in use. They are empty or have a default: no row that is there is written anew.

    On PostgreSQL each is kept at once: who holds this table and waits for another one is not waited for meanwhile.
    """
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns(table)}
    for column in columns:
        if column.name in there:
            continue
        if not _is_online():
            _add_column(table, column)
            continue
        with op.get_context().autocommit_block():
            _add_column(table, column)


def _add_column(table: str, column: sa.Column[Any]) -> None:
    # In words: a reference that is added with its column is not checked for the rows that are there, and Alembic
    # would leave out its name.
    dialect = op.get_context().dialect
    described = str(sa.schema.CreateColumn(column).compile(dialect=dialect))
    for key in column.foreign_keys:
        described += f" CONSTRAINT {key.name} REFERENCES {key.target_fullname.replace('.', ' (')})"
    op.execute(f"ALTER TABLE {table} ADD COLUMN {described}")


def drop_index(name: str, table: str) -> None:
    """Take an index away from a table that is in use."""
    if not _is_online():
        op.drop_index(name, table)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
        op.execute("RESET lock_timeout")


def recompute(table: sa.TableClause, reckon: Callable[[Any], Mapping[str, Any]]) -> None:
    """Give each row of a table the values that ``reckon`` makes of it, where it has others.

    On PostgreSQL each change is kept at once: nobody waits for more than a row. One that somebody changes meanwhile is
    left to them.
    """
    if not _is_online():
        _reckon_anew(table, reckon)
        return
    with op.get_context().autocommit_block():
        _reckon_anew(table, reckon)


def _reckon_anew(table: sa.TableClause, reckon: Callable[[Any], Mapping[str, Any]]) -> None:
    connection = op.get_bind()
    some = sa.select(table).where(table.c.id > sa.bindparam("last")).order_by(table.c.id).limit(_AT_A_TIME)
    rows = connection.execute(some, {"last": 0}).all()
    while rows:
        for row in rows:
            values = reckon(row)
            if any(getattr(row, name) != value for name, value in values.items()):
                as_it_was = (column.is_not_distinct_from(getattr(row, column.name)) for column in table.c)
                connection.execute(table.update().where(*as_it_was).values(values))
        rows = connection.execute(some, {"last": rows[-1].id}).all()


def update_by_ids(table: sa.TableClause, values: Mapping[str, Any]) -> None:
    """Update all rows of a table, a thousand ids at a time. On PostgreSQL each step is committed at once."""
    if not _is_online():
        _update_by_ids(table, values)
        return
    with op.get_context().autocommit_block():
        _update_by_ids(table, values)


def _update_by_ids(table: sa.TableClause, values: Mapping[str, Any]) -> None:
    connection = op.get_bind()
    last = connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0
    for first in range(1, last + 1, _AT_A_TIME):
        within = table.c.id.between(first, first + _AT_A_TIME - 1)
        connection.execute(table.update().where(within).values(values))


def _is_online() -> bool:
    """Whether others work with these tables meanwhile, so that each step is kept at once: never on SQLite."""
    context = op.get_context()
    in_one_transaction = context.config is not None and context.config.attributes.get("in_one_transaction")
    return context.dialect.name == "postgresql" and not in_one_transaction
