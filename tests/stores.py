"""Stores on SQLite in memory, for tests that need no file."""

import sqlite3
import weakref
from collections import defaultdict
from contextlib import closing
from datetime import tzinfo
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.sql.engine.connections import Limits
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore

# Small pages: most tables are empty, and each of their indexes is a page that is copied.
_PAGES = "PRAGMA page_size = 1024"
_numbers = count(1)


class Database:
    """A migrated SQLite database in memory, and the store on it.

    Its connections and their cached statements are reused by one test after the other.
    """

    def __init__(self, zone: tzinfo) -> None:
        # All connections of this process to the same name see the same database, with SQLite's locks between them.
        name = f"file:/consumo{next(_numbers)}?vfs=memdb"
        self._keeper = _connect(name)
        self.store = SqlStore(f"sqlite:///{name}&uri=true", zone, Limits(pool_size=24))

    def snapshot(self) -> bytes:
        """Return all of the data: equal bytes if nothing was written."""
        return self._keeper.serialize()

    def restore(self, data: bytes) -> None:
        """Replace all of the data."""
        # A copy would wait without end for a transaction that a failed test has left open.
        self._keeper.execute("BEGIN EXCLUSIVE")
        self._keeper.execute("ROLLBACK")
        with closing(opened(data)) as copied:
            copied.backup(self._keeper)


class InMemoryStore(SqlStore):
    """An empty store, on a database that another test may have used."""

    def __init__(self, zone: tzinfo, data: bytes | None = None) -> None:
        free = _FREE[zone]
        self.database = free.pop() if free else Database(zone)
        self.database.restore(migrated() if data is None else data)
        vars(self).update(vars(self.database.store))
        weakref.finalize(self, free.append, self.database).atexit = False


_FREE: defaultdict[tzinfo, list[Database]] = defaultdict(list)


@cache
def migrated_file() -> bytes:
    """Return the file of an empty database of the current schema."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "template.db"
        migrate(f"sqlite:///{file}")
        return file.read_bytes()


@cache
def migrated() -> bytes:
    """Return the same database with small pages."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "small.db"
        file.write_bytes(migrated_file())
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute(_PAGES)
            connection.execute("VACUUM")
            return connection.serialize()


def opened(data: bytes) -> sqlite3.Connection:
    """Return a connection to a copy of the data."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    return connection


def _connect(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, uri=True, isolation_level=None, check_same_thread=False, timeout=0)
    connection.execute(_PAGES)
    return connection
