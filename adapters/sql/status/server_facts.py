"""What a database server tells of itself."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from adapters.sql.engine.connections import Limits, connect_for_reading, is_sqlite, to_url

_FACTS = text(
    "SELECT clock_timestamp() AS now, current_setting('server_version') AS version, "
    "EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm') AS trgm"
)


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The server's version and clock, and whether it has trigram indexes.

    SQLite has neither clock nor such indexes.
    """

    version: str
    now: datetime | None
    has_trigrams: bool | None


def read_server_facts(database_url: str) -> ServerFacts:
    """Ask the database server."""
    url = to_url(database_url)
    if is_sqlite(url):
        return ServerFacts(f"SQLite {sqlite3.sqlite_version}", None, None)
    engine = connect_for_reading(url, Limits(pool_size=1))
    try:
        with engine.connect() as connection:
            row = connection.execute(_FACTS).one()
            return ServerFacts(f"PostgreSQL {row.version}", row.now, row.trgm)
    finally:
        engine.dispose()
