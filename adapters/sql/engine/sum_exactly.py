"""Exact sums that may exceed 64-bit integers."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from adapters.sql.engine.columns import ScaledDecimal

_HALF = 2**32


class _SumOfDecimals(ScaledDecimal):
    """Type of a sum of ``ScaledDecimal``.

    The driver returns an integer, a ``Decimal`` without decimals, or a float.
    """

    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Decimal | None]:
        """Return the function that converts the sum to a decimal."""
        to_decimal = super().result_processor(dialect, coltype)
        return lambda value: to_decimal(None if value is None else int(value))


class sum_exactly(GenericFunction[Decimal]):  # noqa: N801 (named like the functions of ``func``)
    """``func.sum`` that does not overflow on SQLite.

    There ``sum`` raises above 64 bits, so the upper and lower halves are summed separately. Only results above 64 bits
    are rounded, to nine digits.
    """

    inherit_cache = True

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(column)
        assert isinstance(column.type, ScaledDecimal)
        self.type = _SumOfDecimals(column.type.decimals)


@compiles(sum_exactly)
def _sum(element: sum_exactly, compiler: SQLCompiler, **options: Any) -> str:
    return f"sum({compiler.process(element.clauses, **options)})"


@compiles(sum_exactly, "sqlite")
def _sum_of_halves(element: sum_exactly, compiler: SQLCompiler, **options: Any) -> str:
    column = compiler.process(element.clauses, **options)
    return f"(sum(({column}) / {_HALF}) * {_HALF} + sum(({column}) % {_HALF}))"
