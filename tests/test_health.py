"""Ready means that the database answers and has the tables that we need; whoever asks is not kept waiting."""

import asyncio
import threading
import time

import pytest
from sqlalchemy.exc import OperationalError

from adapters.server import health
from adapters.server.health import CANNOT_WRITE, DISK_FULL, DRAINING, NO_DATABASE, NOT_MIGRATED, Readiness
from adapters.sql.migrate import SchemaState
from application.ports.unit_of_work import UnavailableReason


def writable() -> None:
    """Nothing is in the way."""


def no_database() -> SchemaState:
    raise OperationalError("SELECT 1", {}, ConnectionError())


@pytest.mark.parametrize(
    ("schema_state", "why_not"),
    [(SchemaState.CURRENT, None), (SchemaState.AHEAD, None), (SchemaState.BEHIND, NOT_MIGRATED)],
)
def test_it_goes_by_the_shape_of_the_tables(schema_state: SchemaState, why_not: str | None) -> None:
    assert asyncio.run(Readiness(lambda: schema_state, writable)()) == why_not


def test_a_database_that_does_not_answer_is_told() -> None:
    assert asyncio.run(Readiness(no_database, writable)()) == NO_DATABASE


def test_a_database_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.05)
    answering = threading.Event()

    def say_nothing() -> SchemaState:
        answering.wait(20)
        return SchemaState.CURRENT

    async def ask() -> str | None:
        started = time.monotonic()
        why_not = await Readiness(say_nothing, writable)()
        assert time.monotonic() - started < 15
        answering.set()
        return why_not

    assert asyncio.run(ask()) == NO_DATABASE


def test_however_many_ask_the_database_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_what_was_seen_is_soon_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    shapes = iter([SchemaState.BEHIND, SchemaState.CURRENT])

    async def ask() -> list[str | None]:
        readiness = Readiness(lambda: next(shapes), writable)
        return [await readiness(), await readiness()]

    assert asyncio.run(ask()) == [NOT_MIGRATED, None]


def test_a_process_that_is_about_to_end_sends_people_elsewhere() -> None:
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
def test_it_goes_by_whether_one_can_write(trouble: UnavailableReason | None, why_not: str | None) -> None:
    assert asyncio.run(Readiness(lambda: SchemaState.CURRENT, lambda: trouble)()) == why_not


def test_writing_is_tried_seldom_while_it_works_and_each_time_while_it_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    monkeypatch.setattr(health, "BETWEEN_WRITES_SECONDS", 3600)
    troubles = iter([UnavailableReason.FULL, UnavailableReason.FULL, None])

    async def ask() -> list[str | None]:
        readiness = Readiness(lambda: SchemaState.CURRENT, lambda: next(troubles))
        return [await readiness() for _ in range(5)]

    # Of what is tried a fourth time there is no answer here.
    assert asyncio.run(ask()) == [DISK_FULL, DISK_FULL, None, None, None]
