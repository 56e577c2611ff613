"""Insert many rows with the driver's bulk operation: COPY or executemany."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import psycopg
from sqlalchemy import Connection, Table


def insert_all(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows with the driver's bulk operation.

    All rows must have the same columns in the same order.
    """
    if not rows:
        return
    names, dialect = [*rows[0]], connection.dialect
    columns: list[Iterable[Any]] = [*zip(*(row.values() for row in rows), strict=True)]
    for place, name in enumerate(names):
        process = table.c[name].type.dialect_impl(dialect).bind_processor(dialect)
        if process:
            columns[place] = map(process, columns[place])
    values = zip(*columns, strict=True)
    into = f"{table.name} ({', '.join(names)})"
    on_postgresql = dialect.name == "postgresql"
    # The names are those of our own columns.
    inserting = f"INSERT INTO {into} VALUES ({', '.join('?' * len(names))})"  # noqa: S608
    sql = f"COPY {into} FROM STDIN" if on_postgresql else inserting
    cursor = connection.connection.cursor()
    connection.dispatch.before_cursor_execute(connection, cursor, sql, (), None, True)
    try:
        if on_postgresql:
            with cast("psycopg.Cursor[Any]", cursor).copy(sql.encode()) as copy:
                for row in values:
                    copy.write_row(row)
        else:
            cursor.executemany(sql, [*values])
    except Exception as error:  # noqa: BLE001 - SQLAlchemy translates every error
        connection._handle_dbapi_exception(error, sql, (), cursor, None)
    finally:
        cursor.close()
