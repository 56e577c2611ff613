"""What a database server tells of itself."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from adapters.sql.engine.connections import Limits, connect_for_reading, is_sqlite, to_url

_FACTS = text("SELECT clock_timestamp() AS now, EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm') AS trgm")


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The server's clock, and whether it has trigram indexes; None on SQLite."""

    now: datetime | None
    has_trigrams: bool | None


def read_server_facts(database_url: str) -> ServerFacts:
    """Ask the database server."""
    url = to_url(database_url)
    if is_sqlite(url):
        return ServerFacts(None, None)
    engine = connect_for_reading(url, Limits(pool_size=1))
    try:
        with engine.connect() as connection:
            row = connection.execute(_FACTS).one()
            return ServerFacts(row.now, row.trgm)
    finally:
        engine.dispose()
