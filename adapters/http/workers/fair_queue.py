"""The one rule of every queue: each hospital has a share, and each user of it.

An owner that submits a lot of work delays only itself: others wait for the work in progress, which nothing interrupts.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

Answer = TypeVar("Answer")

RETRY_AFTER_SECONDS = 10


class QueueFull(Exception):
    """The owner's work waits already; the client should retry later."""


class Owner(NamedTuple):
    """Whose work it is: a user of a hospital, or an address without one."""

    hospital: int
    who: int | str


@dataclass(slots=True)
class _Share:
    """How much work of a hospital or an owner runs, and when the last began."""

    running: int = 0
    last_turn: int = 0


@dataclass(slots=True)
class _Jobs(_Share):
    """The waiting and running work of one owner."""

    waiting: deque[tuple[Future[Any], Callable[[], Any]]] = field(default_factory=deque)


class FairQueue:
    """A thread pool that serves hospitals fairly, and the owners of each.

    The next work is that of the hospital with the fewest running jobs; among several, of the one whose last turn is
    longest ago. The same decides between its owners. An owner runs ``max_running`` jobs at once. Beyond
    ``max_waiting`` further ones are rejected with ``QueueFull``, which concerns this owner alone.
    """

    def __init__(
        self, threads: int, name: str, *, max_running: int | None = None, max_waiting: int | None = None
    ) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._max_running = max_running or threads
        self._max_waiting = max_waiting
        self._jobs: dict[Owner, _Jobs] = {}
        self._hospitals: dict[int, _Share] = {}
        self._turns = 0
        self._lock = Lock()

    async def run(self, owner: Owner, work: Callable[[], Answer]) -> Answer:
        """Run the work in the owner's turn and return its result.

        Raise ``QueueFull`` if too much work of the owner waits.
        """
        return await asyncio.wrap_future(self.submit(owner, work))

    def submit(self, owner: Owner, work: Callable[[], Answer]) -> "Future[Answer]":
        """Queue the work; the future has its result. Raise ``QueueFull``."""
        return self._submit(owner, work, self._max_waiting)

    async def stream(self, owner: Owner, made: Iterator[Answer]) -> AsyncIterator[Answer]:
        """Yield the chunks of a streamed answer, one turn in the queue for each.

        A slow client therefore holds up no other job, and an answer that began is not rejected.
        """
        try:
            following = partial(next, made, None)
            while (piece := await asyncio.wrap_future(self._submit(owner, following, None))) is not None:
                yield piece
        finally:
            # A generator that is running raises ValueError here; it ends by itself after its current chunk.
            with suppress(ValueError, AttributeError):
                made.close()  # type: ignore[attr-defined]

    def waiting(self, who: int | str) -> int:
        """Count the jobs of a user or an address that have not started."""
        with self._lock:
            return sum(len(jobs.waiting) for owner, jobs in self._jobs.items() if owner.who == who)

    def _submit(self, owner: Owner, work: Callable[[], Answer], max_waiting: int | None) -> "Future[Answer]":
        future: Future[Answer] = Future()
        with self._lock:
            jobs = self._jobs.setdefault(owner, _Jobs())
            # One that runs does not wait, and neither does one that will begin at once.
            if max_waiting is not None and len(jobs.waiting) + jobs.running >= max_waiting + self._max_running:
                raise QueueFull
            self._hospitals.setdefault(owner.hospital, _Share())
            jobs.waiting.append((future, partial(copy_context().run, work)))
        # Each submitted call runs what is next in turn, not necessarily the job submitted with it.
        self._threads.submit(self._take_turns)
        return future

    def _take_turns(self) -> None:
        """Run what is next, until nothing may run.

        Work that waited for another job of its owner begins after that job, in the same thread.
        """
        while (following := self._begin_next()) is not None:
            owner, future, work = following
            settle = None
            try:
                settle = _do(future, work)
            finally:
                self._end(owner)
            # After it no longer counts: the receiver of this answer may submit the next work.
            if settle:
                settle()

    def _begin_next(self) -> tuple[Owner, Future[Any], Callable[[], Any]] | None:
        with self._lock:
            able = [it for it, jobs in self._jobs.items() if jobs.waiting and jobs.running < self._max_running]
            if not able:
                return None
            owner = min(able, key=lambda it: (_turn(self._hospitals[it.hospital]), _turn(self._jobs[it])))
            jobs = self._jobs[owner]
            future, work = jobs.waiting.popleft()
            self._turns += 1
            for share in (jobs, self._hospitals[owner.hospital]):
                share.last_turn = self._turns
                share.running += 1
            return owner, future, work

    def _end(self, owner: Owner) -> None:
        with self._lock:
            jobs = self._jobs[owner]
            jobs.running -= 1
            self._hospitals[owner.hospital].running -= 1
            if not jobs.running and not jobs.waiting:
                del self._jobs[owner]
                if all(other.hospital != owner.hospital for other in self._jobs):
                    del self._hospitals[owner.hospital]


def _turn(share: _Share) -> tuple[int, int]:
    return share.running, share.last_turn


def _do(future: Future[Any], work: Callable[[], Any]) -> Callable[[], None] | None:
    """Do the work, and return what passes on its result or error.

    Return None if it was cancelled while waiting.
    """
    if not future.set_running_or_notify_cancel():
        return None
    try:
        return partial(future.set_result, work())
    except BaseException as error:  # noqa: BLE001 - raised at the await
        return partial(future.set_exception, error)


# Each password hash takes one core for a tenth of a second, and 19 MiB. Therefore requests that hash have their own
# threads.
HASHING = FairQueue(2, "hashing")

# A call to the hospital's identity provider may take ten seconds: meanwhile no other request waits for its thread, and
# one owner leaves two threads to the others.
IDENTITY_PROVIDER = FairQueue(4, "identity-provider", max_running=2, max_waiting=50)

# Exports, reports, PDFs, FHIR searches and pictures. One job runs at a time per process, in its own thread, so that
# recording is not held up: two are no faster, because they share one interpreter, with each other and with requests
# that record. A printed sheet takes a tenth of a second, the largest pictures and papers less than a second.
HEAVY_WORK = FairQueue(1, "heavy-work", max_waiting=20)

# Imported files take minutes: one of each user at a time, and of two users at once. More would need more memory and be
# no faster.
LONG_WORK = FairQueue(2, "long-work", max_running=1, max_waiting=20)
