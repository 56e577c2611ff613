"""Statements run on the driver's own cursor.

SQLAlchemy writes the SQL, once for each statement and kind of database, and holds connections, transactions and errors.
What it does around each execution besides is left out: it took twice as long as the driver itself, 65 µs of 98 for a
look at one row, and a call has up to seven of them (docs/performance.md).
"""

from collections import namedtuple
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, Table
from sqlalchemy.sql.base import Executable

Process = Callable[[Any], Any]


def execute(connection: Connection, statement: Executable, params: Mapping[str, Any]) -> Sequence[Any]:
    """The rows that the statement finds or returns: their values in order, and by the names of their columns.

    The statement is one that is kept, such as in a module: it is remembered how it is run. One with a parameter that
    stands for several values is another statement each time, and is left to SQLAlchemy.
    """
    dialect = _DIALECTS.setdefault(connection.dialect.name, connection.dialect)
    ready = _ready(statement, dialect, frozenset(params))
    if ready.varies:
        return connection.execute(statement, params).all()
    values = ready.values(params)
    cursor = connection.connection.cursor()
    connection.dispatch.before_cursor_execute(connection, cursor, ready.sql, values, None, False)
    try:
        cursor.execute(ready.sql, values)
        rows = cursor.fetchall() if ready.row else []
    except Exception as error:  # noqa: BLE001 whatever it is, it becomes what SQLAlchemy makes of it
        connection._handle_dbapi_exception(error, ready.sql, values, cursor, None)
    finally:
        cursor.close()
    return ready.rows(rows)


class _Ready:
    """A statement as the driver takes it, and what makes its values ours and theirs."""

    def __init__(self, statement: Any, dialect: Dialect, names: frozenset[str]) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=sorted(names))
        self.sql = str(compiled)
        self.varies = any(bind.expanding for bind in compiled.binds.values())
        self._given: dict[str, Any] = dict(compiled.params)
        self._to_driver = [
            (name, process)
            for bind, name in compiled.bind_names.items()
            if (process := bind.type.dialect_impl(dialect).bind_processor(dialect))
        ]
        columns = list(statement.exported_columns)
        self._from_driver = [
            (place, process)
            for place, column in enumerate(columns)
            if (process := column.type.dialect_impl(dialect).result_processor(dialect, None))
        ]
        self.row: Any = namedtuple("Row", [column.key for column in columns], rename=True) if columns else None

    def values(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as the driver takes them."""
        values = {**self._given, **params}
        for name, process in self._to_driver:
            values[name] = process(values[name])
        return values

    def rows(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The rows as we take them."""
        if self.row is None:
            return rows
        make, from_driver = self.row._make, self._from_driver
        if not from_driver:
            return [make(row) for row in rows]
        made = []
        for row in rows:
            values = [*row]
            for place, process in from_driver:
                values[place] = process(values[place])
            made.append(make(values))
        return made


# A statement is written alike for all engines of one kind of database: it is written for the first.
_DIALECTS: dict[str, Dialect] = {}


@lru_cache(maxsize=1_024)
def _ready(statement: Executable, dialect: Dialect, names: frozenset[str]) -> _Ready:
    return _Ready(statement, dialect, names)


def execute_one(connection: Connection, statement: Executable, params: Mapping[str, Any]) -> Any | None:
    """The one row, or None."""
    rows = execute(connection, statement, params)
    assert len(rows) <= 1, "more than one row"
    return rows[0] if rows else None


def fill(connection: Connection, table: Table, rows: Collection[Mapping[str, Any]]) -> None:
    """Add rows, each of which has a value for every column, in the way in which the driver adds many."""
    filling = _filling(table, connection.dialect)
    encoded = map(filling.values, rows)
    cursor = connection.connection.cursor()
    try:
        if connection.dialect.name == "postgresql":
            with cursor.copy(filling.sql) as copy:
                for values in encoded:
                    copy.write_row(values)
        else:
            cursor.executemany(filling.sql, list(encoded))
    except Exception as error:  # noqa: BLE001 as above
        connection._handle_dbapi_exception(error, filling.sql, None, cursor, None)
    finally:
        cursor.close()


class _Filling:
    """How a table is filled, and what makes the driver's values of a row."""

    def __init__(self, table: Table, dialect: Dialect) -> None:
        names = ", ".join(column.name for column in table.c)
        places = ", ".join("?" for _ in table.c)
        self.sql = (
            f"COPY {table.name} ({names}) FROM STDIN"
            if dialect.name == "postgresql"
            else f"INSERT INTO {table.name} ({names}) VALUES ({places})"  # noqa: S608 our own names
        )
        self._columns = [(column.name, column.type.dialect_impl(dialect).bind_processor(dialect)) for column in table.c]

    def values(self, row: Mapping[str, Any]) -> list[Any]:
        """A row's values, in the order of the columns, as the driver takes them."""
        return [row[name] if process is None else process(row[name]) for name, process in self._columns]


@lru_cache(maxsize=64)
def _filling(table: Table, dialect: Dialect) -> _Filling:
    return _Filling(table, dialect)
