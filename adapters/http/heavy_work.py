"""Concurrency limit of exports, reports and PDFs: one at a time in a process, in its own thread; recording goes on.

Whoever waits is served in the order of coming; of more than so many the others are told to come back.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Lock
from typing import TypeVar

Answer = TypeVar("Answer")

# Two are no quicker: they share one interpreter, with each other and with those who record.
AT_ONCE = 1
# A sheet on paper takes a tenth of a second, a long list some seconds: nobody waits for minutes in vain.
MAX_QUEUED = 40
RETRY_AFTER_SECONDS = 10


class QueueFull(Exception):
    """So many wait already that it is better to come back."""


class HeavyWork:
    """The turns that such work takes."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MAX_QUEUED) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="heavy-work")
        self._most = at_once + most_waiting
        self._begun = 0
        self._lock = Lock()

    async def done(self, work: Callable[[], Answer]) -> Answer:
        """What the work comes to when its turn has come. Raise ``QueueFull`` where too many wait."""
        with self._lock:
            if self._begun >= self._most:
                raise QueueFull
            self._begun += 1
        try:
            return await self._in_turn(work)
        finally:
            with self._lock:
                self._begun -= 1

    async def pieces(self, made: Iterator[Answer]) -> AsyncIterator[Answer]:
        """The pieces of an answer that was begun: each one takes a turn, and who takes them slowly holds up nobody."""
        try:
            while (piece := await self._in_turn(partial(next, made, None))) is not None:
                yield piece
        finally:
            # Where it is at work on one, it ends after that by itself.
            with suppress(ValueError, AttributeError):
                made.close()  # type: ignore[attr-defined]

    def _in_turn(self, work: Callable[[], Answer]) -> "asyncio.Future[Answer]":
        return asyncio.get_running_loop().run_in_executor(self._threads, partial(copy_context().run, work))


HEAVY_WORK = HeavyWork()
