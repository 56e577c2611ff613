"""The background worker that prepares letters after the answer."""

import asyncio
import logging
from collections.abc import Callable
from threading import Event, current_thread
from typing import Any
from unittest.mock import patch

import pytest

from adapters.http.workers.letters import MAX_DELAY_SECONDS, MIN_DELAY_SECONDS, LetterWorker
from tests.pace import PATIENCE


def submit(worker: LetterWorker, *letters: Callable[[], Any]) -> list[tuple[Any, ...]]:
    """Submit letters; returns the timers that were set."""
    timers: list[tuple[Any, ...]] = []

    async def submit_all() -> None:
        with patch.object(asyncio.get_running_loop(), "call_later", lambda *timer: timers.append(timer)):
            for letter in letters:
                await worker.submit(letter)

    asyncio.run(submit_all())
    return timers


def test_letters_are_prepared_in_order_in_their_own_thread() -> None:
    worker, go_on, done = LetterWorker(), Event(), list[str]()
    timers = submit(
        worker,
        lambda: done.append(f"{go_on.wait(PATIENCE)} {current_thread().name}"),
        lambda: done.append("second"),
    )
    for _, begin, work in timers:
        # This returns although the first letter is still waiting.
        begin(work)
    assert done == []
    go_on.set()
    worker.finish()
    assert done == ["True letters_0", "second"]


def test_a_letter_is_delayed_by_some_random_seconds() -> None:
    worker, done = LetterWorker(), list[int]()
    timers = submit(worker, *[lambda number=number: done.append(number) for number in range(50)])
    delays = [delay for delay, *_ in timers]
    assert MIN_DELAY_SECONDS <= min(delays) < max(delays) <= MAX_DELAY_SECONDS
    assert len(set(delays)) == 50
    assert done == []
    # When the server stops, pending letters are prepared, each once.
    worker.finish()
    for _, begin, work in timers:
        begin(work)
    worker.finish()
    assert sorted(done) == list(range(50))


def test_a_failed_letter_is_logged_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker, done = LetterWorker(), list[str]()

    def fail() -> None:
        raise ValueError("nurse@hospital.test")

    with caplog.at_level(logging.ERROR):
        submit(worker, fail, lambda: done.append("second"))
        worker.finish()
    assert done == ["second"]
    assert caplog.messages == ["A letter could not be prepared: ValueError"]
