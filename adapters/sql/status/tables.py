"""Tables of status."""

from sqlalchemy import BigInteger, Column

from adapters.sql.engine.columns import Moment, table_with_id

# The backups that ``consumo backup`` made; the last row is the latest.
backups = table_with_id(
    "backups", Column("made_at", Moment, nullable=False), Column("size", BigInteger, nullable=False)
)
