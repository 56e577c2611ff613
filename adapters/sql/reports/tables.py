"""Tables of reports."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table

from adapters.sql.engine.columns import Moment, metadata

# Unusual lines and sheets that a user judged right. ``version`` is that of the line.
judgements = Table(
    "judgements",
    metadata,
    Column("kind", String, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "entity_id"),
)
