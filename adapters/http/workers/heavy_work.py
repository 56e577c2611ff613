"""Concurrency limit of exports, reports and PDFs.

One job runs at a time per process, in its own thread, so that recording is not held up. Waiting jobs run in order of
arrival. If more than ``MAX_QUEUED`` wait, further requests are rejected with ``QueueFull``.
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

# Two are no faster: they share one interpreter, with each other and with the requests that record.
AT_ONCE = 1
# A printed sheet takes a tenth of a second, a long list some seconds: with this limit the wait stays below minutes.
MAX_QUEUED = 40
RETRY_AFTER_SECONDS = 10


class QueueFull(Exception):
    """Too many jobs wait already; the client should retry later."""


class HeavyWork:
    """A queue of jobs with limited concurrency."""

    def __init__(self, at_once: int = AT_ONCE, max_waiting: int = MAX_QUEUED) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="heavy-work")
        self._max_jobs = at_once + max_waiting
        self._job_count = 0
        self._lock = Lock()

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Run the job in its turn and return its result.

        Raise ``QueueFull`` if too many jobs wait.
        """
        with self._lock:
            if self._job_count >= self._max_jobs:
                raise QueueFull
            self._job_count += 1
        try:
            return await self._in_turn(work)
        finally:
            with self._lock:
                self._job_count -= 1

    async def stream(self, made: Iterator[Answer]) -> AsyncIterator[Answer]:
        """Yield the chunks of a streamed answer, one turn in the queue for each.

        A slow client therefore holds up no other job.
        """
        try:
            while (piece := await self._in_turn(partial(next, made, None))) is not None:
                yield piece
        finally:
            # A generator that is running raises ValueError here; it ends by itself after its current chunk.
            with suppress(ValueError, AttributeError):
                made.close()  # type: ignore[attr-defined]

    def _in_turn(self, work: Callable[[], Answer]) -> "asyncio.Future[Answer]":
        return asyncio.get_running_loop().run_in_executor(self._threads, partial(copy_context().run, work))


HEAVY_WORK = HeavyWork()
