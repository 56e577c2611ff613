"""Readiness: the database answers, is migrated and can be written to."""

import asyncio
import threading

import pytest
from sqlalchemy.exc import OperationalError

from adapters.server import health
from adapters.server.health import CANNOT_WRITE, DISK_FULL, DRAINING, NO_DATABASE, NOT_MIGRATED, Readiness
from adapters.sql.migrate import SchemaState
from application.common.store_errors import UnavailableReason
from tests.pace import PATIENCE


def writable() -> None:
    """Succeed."""


def no_database() -> SchemaState:
    raise OperationalError("SELECT 1", {}, ConnectionError())


@pytest.mark.parametrize(
    ("schema_state", "why_not"),
    [(SchemaState.CURRENT, None), (SchemaState.AHEAD, None), (SchemaState.BEHIND, NOT_MIGRATED)],
)
def test_readiness_depends_on_the_schema(schema_state: SchemaState, why_not: str | None) -> None:
    assert asyncio.run(Readiness(lambda: schema_state, writable)()) == why_not


def test_a_failing_database_is_reported() -> None:
    assert asyncio.run(Readiness(no_database, writable)()) == NO_DATABASE


def test_a_database_that_never_answers_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.05)
    answering = threading.Event()

    def say_nothing() -> SchemaState:
        answering.wait(PATIENCE)
        return SchemaState.CURRENT

    async def ask() -> str | None:
        try:
            # The database is silent until this is answered.
            return await Readiness(say_nothing, writable)()
        finally:
            answering.set()

    assert asyncio.run(ask()) == NO_DATABASE


def test_concurrent_checks_query_the_database_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(health, "FRESH_SECONDS", 60)

    def schema_state() -> SchemaState:
        asked.append(1)
        return SchemaState.CURRENT

    async def ask() -> None:
        readiness = Readiness(schema_state, writable)
        assert await asyncio.gather(*(readiness() for _ in range(50))) == [None] * 50

    asyncio.run(ask())
    assert len(asked) == 1


def test_a_cached_state_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    shapes = iter([SchemaState.BEHIND, SchemaState.CURRENT])

    async def ask() -> list[str | None]:
        readiness = Readiness(lambda: next(shapes), writable)
        return [await readiness(), await readiness()]

    assert asyncio.run(ask()) == [NOT_MIGRATED, None]


def test_a_draining_process_is_not_ready() -> None:
    readiness = Readiness(lambda: SchemaState.CURRENT, writable)
    readiness.drain()
    assert asyncio.run(readiness()) == DRAINING


@pytest.mark.parametrize(
    ("trouble", "why_not"),
    [
        (UnavailableReason.FULL, DISK_FULL),
        (UnavailableReason.UNREACHABLE, CANNOT_WRITE),
        (UnavailableReason.BUSY, None),
        (None, None),
    ],
)
def test_readiness_depends_on_writing(trouble: UnavailableReason | None, why_not: str | None) -> None:
    assert asyncio.run(Readiness(lambda: SchemaState.CURRENT, lambda: trouble)()) == why_not


def test_a_write_is_tried_seldom_unless_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    monkeypatch.setattr(health, "BETWEEN_WRITES_SECONDS", 3600)
    troubles = iter([UnavailableReason.FULL, UnavailableReason.FULL, None])

    async def ask() -> list[str | None]:
        readiness = Readiness(lambda: SchemaState.CURRENT, lambda: next(troubles))
        return [await readiness() for _ in range(5)]

    # A fourth try would raise StopIteration.
    assert asyncio.run(ask()) == [DISK_FULL, DISK_FULL, None, None, None]
