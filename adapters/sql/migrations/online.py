"""Schema changes of tables in use that do not block writers."""

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
    """Add an index to a table with rows.

    On PostgreSQL it is built concurrently and without a timeout, outside the migration's transaction. An interrupted
    build leaves an invalid index, which is dropped and built again.
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
    """Add columns to a table in use.

    They must be nullable or have a default, so that existing rows are not rewritten. On PostgreSQL each one is
    committed at once: the migration never holds the lock of this table while it waits for another one.
    """
    existing = {column["name"] for column in sa.inspect(op.get_bind()).get_columns(table)}
    for column in columns:
        if column.name in existing:
            continue
        if not _is_online():
            _add_column(table, column)
            continue
        with op.get_context().autocommit_block():
            _add_column(table, column)


def _add_column(table: str, column: sa.Column[Any]) -> None:
    # As SQL text: a reference that is added with its column is not checked for existing rows, and Alembic would omit
    # its name.
    dialect = op.get_context().dialect
    described = str(sa.schema.CreateColumn(column).compile(dialect=dialect))
    for key in column.foreign_keys:
        described += f" CONSTRAINT {key.name} REFERENCES {key.target_fullname.replace('.', ' (')})"
    op.execute(f"ALTER TABLE {table} ADD COLUMN {described}")


def make_nullable(table: str, *columns: str) -> None:
    """Let columns of a table in use be null (PostgreSQL)."""
    for column in columns:
        _change(f"ALTER TABLE {table} ALTER COLUMN {column} DROP NOT NULL")


def add_check(table: str, name: str, condition: str) -> None:
    """Add a check to a table in use (PostgreSQL).

    Existing rows are checked afterwards, while others write.
    """
    existing = {check["name"] for check in sa.inspect(op.get_bind()).get_check_constraints(table)}
    if name not in existing:
        _change(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({condition}) NOT VALID")
    _change(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")


def _change(statement: str) -> None:
    if not _is_online():
        op.execute(statement)
        return
    with op.get_context().autocommit_block():
        op.execute(statement)


def rebuild_table(table: str, change: Callable[[str], str]) -> None:
    """Create a table again, with its rows and indexes (SQLite).

    ``change`` gets the statement that created the table. Alembic would lose the order of descending indexes.
    """
    connection = op.get_bind()
    [(created,)] = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = ?", (table,))
    indexes = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,)
    ).all()
    columns = ", ".join(row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})"))
    sequence = connection.exec_driver_sql("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).scalar()
    new = f"new_{table}"
    op.execute(change(created).replace(f"CREATE TABLE {table}", f"CREATE TABLE {new}", 1))
    op.execute(f"INSERT INTO {new} ({columns}) SELECT {columns} FROM {table}")  # noqa: S608 - names of columns
    op.execute(f"DROP TABLE {table}")
    op.execute(f"ALTER TABLE {new} RENAME TO {table}")
    if sequence is not None:
        connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, sequence))
    for (index,) in indexes:
        op.execute(index)


def drop_index(name: str, table: str) -> None:
    """Drop an index of a table in use."""
    if not _is_online():
        op.drop_index(name, table)
        return
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
        op.execute("RESET lock_timeout")


def recompute(table: sa.TableClause, compute: Callable[[Any], Mapping[str, Any]]) -> None:
    """Update the rows whose values differ from those of ``compute``.

    On PostgreSQL each change is committed at once, so others wait for one row at most. A row that is changed
    concurrently is skipped.
    """
    if not _is_online():
        _recompute(table, compute)
        return
    with op.get_context().autocommit_block():
        _recompute(table, compute)


def _recompute(table: sa.TableClause, compute: Callable[[Any], Mapping[str, Any]]) -> None:
    connection = op.get_bind()
    some = sa.select(table).where(table.c.id > sa.bindparam("last")).order_by(table.c.id).limit(_AT_A_TIME)
    rows = connection.execute(some, {"last": 0}).all()
    while rows:
        for row in rows:
            values = compute(row)
            if any(getattr(row, name) != value for name, value in values.items()):
                as_it_was = (column.is_not_distinct_from(getattr(row, column.name)) for column in table.c)
                connection.execute(table.update().where(*as_it_was).values(values))
        rows = connection.execute(some, {"last": rows[-1].id}).all()


def update_by_ids(table: sa.TableClause, values: Mapping[str, Any]) -> None:
    """Update all rows, a thousand ids at a time.

    On PostgreSQL each step is committed at once.
    """
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
    """Return whether each step is committed while others use the tables.

    Never on SQLite.
    """
    context = op.get_context()
    in_one_transaction = context.config is not None and context.config.attributes.get("in_one_transaction")
    return context.dialect.name == "postgresql" and not in_one_transaction
