"""Advisory locks of PostgreSQL, separate for each schema."""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, func, literal


def lock_key(kind: str, name: ColumnElement[str] | None = None) -> ColumnElement[Any]:
    """Return the key of an advisory lock, by its kind and name.

    Advisory locks belong to the database, and several hospitals may share one, each in a schema of its own.
    """
    parts = func.concat_ws(literal(":"), func.current_schema(), literal(kind), *([] if name is None else [name]))
    return func.hashtextextended(parts, 0, type_=BigInteger)
