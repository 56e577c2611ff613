"""Whether a column is one of a few values that are looked up first."""

from typing import Any

from sqlalchemy import ColumnElement, Select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType


class _IsOneOf(FunctionElement[Any]):
    # Where there are no booleans one would be compared with 1, and found by no index.
    type = NullType()
    inherit_cache = True


def is_one_of(column: ColumnElement[Any], few: Select[Any]) -> ColumnElement[bool]:
    """``column IN (SELECT ...)``, which PostgreSQL takes for an array.

    A subquery beside an OR it would ask of each row of the table; an array it finds by an index, like the other
    conditions beside it.
    """
    return _IsOneOf(column, few.scalar_subquery())


@compiles(_IsOneOf)
def _in_subquery(element: _IsOneOf, compiler: Any, **given: Any) -> str:
    column, few = element.clauses
    return f"({compiler.process(column, **given)} IN {compiler.process(few, **given)})"


@compiles(_IsOneOf, "postgresql")
def _in_array(element: _IsOneOf, compiler: Any, **given: Any) -> str:
    column, few = element.clauses
    return f"({compiler.process(column, **given)} = ANY (ARRAY{compiler.process(few, **given)}))"
