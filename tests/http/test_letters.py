"""The worker that prepares letters behind answers."""

import asyncio
import logging
from collections.abc import Callable
from threading import Event, current_thread
from typing import Any
from unittest.mock import patch

import pytest

from adapters.http.letters import MAX_DELAY_SECONDS, MIN_DELAY_SECONDS, LetterWorker


def submit(worker: LetterWorker, *letters: Callable[[], Any]) -> list[tuple[Any, ...]]:
    """Hand those letters over; the timers that were set for them."""
    timers: list[tuple[Any, ...]] = []

    async def submit_all() -> None:
        with patch.object(asyncio.get_running_loop(), "call_later", lambda *timer: timers.append(timer)):
            for letter in letters:
                await worker.submit(letter)

    asyncio.run(submit_all())
    return timers


def test_letters_are_prepared_one_after_the_other_in_a_thread_of_their_own() -> None:
    worker, go_on, done = LetterWorker(), Event(), list[str]()
    timers = submit(
        worker,
        lambda: done.append(f"{go_on.wait(60)} {current_thread().name}"),
        lambda: done.append("second"),
    )
    for _, begin, work in timers:
        # It returns while the first one still waits.
        begin(work)
    assert done == []
    go_on.set()
    worker.finish()
    assert done == ["True letters_0", "second"]


def test_a_letter_is_prepared_some_seconds_later_never_at_the_same_moment() -> None:
    worker, done = LetterWorker(), list[int]()
    timers = submit(worker, *[lambda number=number: done.append(number) for number in range(50)])
    delays = [delay for delay, *_ in timers]
    assert MIN_DELAY_SECONDS <= min(delays) < max(delays) <= MAX_DELAY_SECONDS
    assert len(set(delays)) == 50
    assert done == []
    # At the end of the server what was handed over is prepared, once.
    worker.finish()
    for _, begin, work in timers:
        begin(work)
    worker.finish()
    assert sorted(done) == list(range(50))


def test_a_letter_that_fails_is_logged_without_words_and_the_next_one_is_prepared(
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
