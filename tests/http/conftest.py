"""Fixtures for HTTP tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import SettableClock
from tests.http.hospital import Hospital, hospital_on
from tests.servers import EMPTY


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """URL of a migrated, empty database: SQLite, unless parametrized."""
    return str(request.getfixturevalue(EMPTY[getattr(request, "param", "sqlite")]))


@pytest.fixture
def hospital(database: str, tmp_path: Path) -> Iterator[Hospital]:
    """A hospital for one test."""
    with hospital_on(database, tmp_path) as hospital:
        yield hospital


@pytest.fixture
def clock() -> SettableClock:
    """The clock of ``timed_hospital``."""
    return SettableClock()


@pytest.fixture
def timed_hospital(database: str, tmp_path: Path, clock: SettableClock) -> Iterator[Hospital]:
    """A hospital with a clock that the test sets."""
    with hospital_on(database, tmp_path, clock=clock) as hospital:
        yield hospital
