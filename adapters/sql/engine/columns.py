"""Column types that are exact on every database, and how tables are declared."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast

from sqlalchemy import BigInteger, Column, DateTime, Dialect, Index, Integer, MetaData, String, Table, TypeDecorator
from sqlalchemy.dialects.postgresql import VARCHAR

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class ScaledDecimal(TypeDecorator[Decimal]):
    """An exact decimal with fixed scale, stored as an integer.

    SQLite would store decimals as floats.
    """

    impl = BigInteger
    cache_ok = True

    def __init__(self, decimals: int) -> None:
        super().__init__()
        self.decimals = decimals
        self._smallest = Decimal(1).scaleb(-decimals)

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Convert to an integer of the smallest unit. Refuse finer decimals."""
        if value is None:
            return None
        scaled = value.scaleb(self.decimals)
        whole = int(scaled)
        if whole != scaled:
            raise ValueError(f"{value} has more than {self.decimals} decimals")
        return whole

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Decimal | None]:  # noqa: ARG002
        """Return the function that converts an integer to a decimal.

        It replaces SQLAlchemy's own conversion for speed: a page of details has hundreds of values.
        """
        smallest = self._smallest
        return lambda value: None if value is None else smallest * value


class Moment(TypeDecorator[datetime]):
    """A moment, stored in UTC and always aware: SQLite has no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a moment to UTC. Refuse naive ones."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None]:
        """Return the function that converts a value to an aware moment in UTC."""
        if dialect.name != "sqlite":
            return lambda value: None if value is None else value.astimezone(UTC)
        read = self.impl_instance.result_processor(dialect, coltype)
        assert read is not None, "SQLite keeps moments as text"
        return lambda value: None if value is None else cast("datetime", read(value)).replace(tzinfo=UTC)


class Lines(TypeDecorator[tuple[str, ...]]):
    """Several one-line texts, stored as the lines of one text."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Join the texts to lines."""
        return None if value is None else "\n".join(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:  # noqa: ARG002
        """Split the lines into texts."""
        return None if value is None else tuple(value.splitlines())


MONEY = ScaledDecimal(2)
QUANTITY = ScaledDecimal(3)

# Folded texts are compared by code point on every database, independent of its locale.
FOLDED = String().with_variant(VARCHAR(collation="C"), "postgresql")

# As the previous version compares lots: lower() changes only ASCII letters on every database.
LOT = String(50).with_variant(VARCHAR(50, collation="C"), "postgresql")

# SQLite generates ids only for an INTEGER primary key, and reuses them without AUTOINCREMENT.
ID = BigInteger().with_variant(Integer(), "sqlite")


def partial_index(name: str, *columns: Any, where: Any) -> None:
    """Add an index of the rows that match a condition.

    It is unique if its name begins with ``uq_``.
    """
    Index(name, *columns, unique=name.startswith("uq_"), sqlite_where=where, postgresql_where=where)


def table_with_id(name: str, *columns: Any) -> Table:
    return Table(name, metadata, Column("id", ID, primary_key=True), *columns, sqlite_autoincrement=True)
