"""The worker that prepares letters behind answers."""

import asyncio
import logging
from threading import Event, current_thread

import pytest

from adapters.http.letters import LetterWorker


def test_letters_are_prepared_one_after_the_other_in_a_thread_of_their_own() -> None:
    worker, go_on, done = LetterWorker(), Event(), list[str]()

    async def submit() -> None:
        await worker.submit(lambda: done.append(f"{go_on.wait(60)} {current_thread().name}"))
        await worker.submit(lambda: done.append("second"))

    # It returns while the first one still waits.
    asyncio.run(submit())
    assert done == []
    go_on.set()
    worker.finish()
    assert done == ["True letters_0", "second"]


def test_a_letter_that_fails_is_logged_without_words_and_the_next_one_is_prepared(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker, done = LetterWorker(), list[str]()

    def fail() -> None:
        raise ValueError("nurse@hospital.test")

    async def submit() -> None:
        await worker.submit(fail)
        await worker.submit(lambda: done.append("second"))

    with caplog.at_level(logging.ERROR):
        asyncio.run(submit())
        worker.finish()
    assert done == ["second"]
    assert caplog.messages == ["A letter could not be prepared: ValueError"]
