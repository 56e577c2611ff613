"""``column IN (subquery)`` in a form that uses indexes."""

from typing import Any

from sqlalchemy import ColumnElement, Select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType


class _IsOneOf(FunctionElement[Any]):
    # On databases without booleans, a boolean type would be compared with 1, which no index supports.
    type = NullType()
    inherit_cache = True


def is_one_of(column: ColumnElement[Any], few: Select[Any]) -> ColumnElement[bool]:
    """Return ``column IN (SELECT ...)``, as an array on PostgreSQL.

    Beside an OR, PostgreSQL would evaluate a subquery for each row of the table. For an array it uses an index, as for
    the other conditions.
    """
    return _IsOneOf(column, few.scalar_subquery())


@compiles(_IsOneOf)
def _in_subquery(element: _IsOneOf, compiler: Any, **options: Any) -> str:
    column, few = element.clauses
    return f"({compiler.process(column, **options)} IN {compiler.process(few, **options)})"


@compiles(_IsOneOf, "postgresql")
def _in_array(element: _IsOneOf, compiler: Any, **options: Any) -> str:
    column, few = element.clauses
    return f"({compiler.process(column, **options)} = ANY (ARRAY{compiler.process(few, **options)}))"
