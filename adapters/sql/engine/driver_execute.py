"""Execute cached statements on the driver's cursor.

SQLAlchemy compiles each statement once per kind of database, and manages connections, transactions and errors. Its work
around each execution is skipped: it took twice as long as the driver itself, 65 of 98 µs for reading one row, and a
request has up to seven statements (docs/performance.md).

Only the hot modules use this: ``sessions`` (authentication), ``recording`` and ``pending_writes`` (adding a line),
``versions`` (polling), ``lists`` (a sheet's lines, searches), ``sheets`` (the days of each) and ``audit_log`` (a first
reading). All others use ``connection.execute``. It calls
private methods of SQLAlchemy; ``tests/sql/test_driver_execute.py`` pins the version and the modules.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.sql.base import Executable

Process = Callable[[Any], Any]


def execute(connection: Connection, statement: Executable, params: Mapping[str, Any]) -> Sequence[Any]:
    """Execute a statement and return its rows as named tuples.

    The statement must be long-lived, such as one of a module, because its compilation is cached. A statement with an
    expanding parameter differs each time, and is left to SQLAlchemy.
    """
    dialect = _DIALECTS.setdefault(connection.dialect.name, connection.dialect)
    compiled = _compile(statement, dialect, frozenset(params))
    if compiled.varies:
        return connection.execute(statement, params).all()
    values = compiled.values(params)
    cursor = connection.connection.cursor()
    connection.dispatch.before_cursor_execute(connection, cursor, compiled.sql, values, None, False)
    try:
        cursor.execute(compiled.sql, values)
        rows = cursor.fetchall() if compiled.row else []
    except Exception as error:  # noqa: BLE001 - SQLAlchemy translates every error
        connection._handle_dbapi_exception(error, compiled.sql, values, cursor, None)
    finally:
        cursor.close()
    return compiled.rows(rows)


def execute_one(connection: Connection, statement: Executable, params: Mapping[str, Any]) -> Any | None:
    """Return the only row, or None."""
    rows = execute(connection, statement, params)
    assert len(rows) <= 1, "more than one row"
    return rows[0] if rows else None


class _Compiled:
    """A compiled statement, with the conversions of parameters and results."""

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
        """Convert parameters for the driver."""
        values = {**self._given, **params}
        for name, process in self._to_driver:
            values[name] = process(values[name])
        return values

    def rows(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Convert rows from the driver."""
        if self.row is None:
            return rows
        if not rows:
            return []
        # By columns: all values of a column have the same conversion.
        columns: list[Iterable[Any]] = [*zip(*rows, strict=True)]
        for place, process in self._from_driver:
            columns[place] = map(process, columns[place])
        return [*map(self.row._make, zip(*columns, strict=True))]


# SQL is the same for all engines of one kind of database: the first one's dialect compiles it.
_DIALECTS: dict[str, Dialect] = {}


@lru_cache(maxsize=1_024)
def _compile(statement: Executable, dialect: Dialect, names: frozenset[str]) -> _Compiled:
    return _Compiled(statement, dialect, names)
