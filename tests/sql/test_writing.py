"""Testing whether the database accepts writes.

A read-only database and a full disk must be detected.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.common.store_errors import UnavailableReason
from tests.builders import ZONE
from tools.faults.full_disk import a_small_disk
from tools.faults.scenario import CannotRun


@contextmanager
def a_store(url: str) -> Iterator[SqlStore]:
    store = SqlStore(url, ZONE)
    try:
        yield store
    finally:
        store.close()


def tried_on(url: str) -> UnavailableReason | None:
    with a_store(url) as store:
        return store.try_writing()


def kept_of_trials(url: str) -> int:
    engine = create_engine(to_url(url))
    with engine.connect() as connection:
        count: int = connection.execute(text("SELECT count(*) FROM write_trials")).scalar_one()
    engine.dispose()
    return count


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_url"))


def test_a_successful_trial_stores_nothing(url: str) -> None:
    with a_store(url) as store:
        assert [store.try_writing() for _ in range(3)] == [None] * 3
    assert kept_of_trials(url) == 0


def test_a_read_only_sqlite_file_is_detected(sqlite_url: str) -> None:
    file = make_url(sqlite_url).database
    assert tried_on(f"sqlite:///file:{file}?mode=ro&uri=true") is UnavailableReason.UNREACHABLE


@pytest.mark.postgresql
def test_a_read_only_postgresql_is_detected_until_it_recovers(postgresql_url: str) -> None:
    with a_store(postgresql_url) as store:
        assert store.try_writing() is None
    name = make_url(postgresql_url).database
    engine = create_engine(to_url(postgresql_url), isolation_level="AUTOCOMMIT")
    with a_store(postgresql_url) as store, engine.connect() as admin:
        admin.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
        assert [store.try_writing() for _ in range(2)] == [UnavailableReason.UNREACHABLE] * 2
        # Other connections can still read.
        with store.read() as views:
            assert views.version_of_sheet(1) is None
        admin.execute(text("SET default_transaction_read_only = off"))
        admin.execute(text(f'ALTER DATABASE "{name}" RESET default_transaction_read_only'))
        assert store.try_writing() is None
    engine.dispose()


def test_a_long_write_of_another_process_is_reported_as_busy(sqlite_url: str) -> None:
    with closing(sqlite3.connect(str(make_url(sqlite_url).database), isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        assert tried_on(sqlite_url) is UnavailableReason.BUSY
        blocker.execute("ROLLBACK")


def fill(disk: Path) -> Path:
    """Fill the disk completely."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 4_096)
    return ballast


def test_a_full_disk_under_sqlite_is_detected_until_it_recovers(sqlite_url: str) -> None:
    try:
        with a_small_disk(8) as disk:
            url = f"sqlite:///{disk / 'consumo.db'}"
            migrate(url)
            with a_store(url) as store:
                assert store.try_writing() is None
                # SQLite would overwrite what is already in its WAL: after a checkpoint, the WAL has to grow.
                with closing(sqlite3.connect(disk / "consumo.db")) as other:
                    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                ballast = fill(disk)
                assert store.try_writing() is UnavailableReason.FULL
                ballast.unlink()
                assert store.try_writing() is None
    except CannotRun as why:
        pytest.skip(str(why))
