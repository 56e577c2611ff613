"""A thread pool with one queue per owner, for fairness.

An owner that submits a lot of work delays only itself.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, TypeVar

Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Queue:
    """The waiting and running work of one owner."""

    waiting: deque[tuple[Future[Any], Callable[[], Any]]] = field(default_factory=deque)
    running: int = 0
    last_turn: int = 0


class FairThreads:
    """A thread pool that serves owners fairly.

    The next work is that of the owner with the fewest running jobs; among several, the owner whose last turn is longest
    ago.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._queues: dict[str, _Queue] = {}
        self._turns = 0
        self._lock = Lock()

    async def run(self, owner: str, work: Callable[[], Answer]) -> Answer:
        """Run the work in the owner's turn and return its result."""
        future: Future[Answer] = Future()
        with self._lock:
            self._queues.setdefault(owner, _Queue()).waiting.append((future, partial(copy_context().run, work)))
        # Each submitted call runs the next job in turn, not necessarily the one submitted with it.
        self._threads.submit(self._take_turn)
        return await asyncio.wrap_future(future)

    def waiting(self, owner: str) -> int:
        """Count the owner's jobs that have not started."""
        with self._lock:
            return len(self._queues[owner].waiting) if owner in self._queues else 0

    def _take_turn(self) -> None:
        with self._lock:
            waiting = ((owner, queue) for owner, queue in self._queues.items() if queue.waiting)
            owner, queue = min(waiting, key=lambda it: (it[1].running, it[1].last_turn))
            future, work = queue.waiting.popleft()
            self._turns += 1
            queue.last_turn = self._turns
            queue.running += 1
        try:
            _settle(future, work)
        finally:
            with self._lock:
                queue.running -= 1
                if not queue.running and not queue.waiting:
                    del self._queues[owner]


def _settle(future: Future[Any], work: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 raised at the await
        future.set_exception(error)
    else:
        future.set_result(result)


# Each password hash takes one core for a tenth of a second, and 19 MiB. Therefore requests that hash have their own
# threads. An address that sends many of them delays its own requests, and others only by the hashes in progress.
HASHING = FairThreads(2, "hashing")

# A call to the hospital's identity provider may take ten seconds: meanwhile no other request waits for its thread.
IDENTITY_PROVIDER = FairThreads(4, "identity-provider")
