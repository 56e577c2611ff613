"""A thread pool with one queue per owner: one that sends a lot of work delays only itself."""

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
    """The work of one owner."""

    waiting: deque[tuple[Future[Any], Callable[[], Any]]] = field(default_factory=deque)
    running: int = 0
    last_turn: int = 0


class FairThreads:
    """Runs work in a few threads.

    The next work is that of the owner that has the least running; among several, of the one whose last turn was first.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._queues: dict[str, _Queue] = {}
        self._turns = 0
        self._lock = Lock()

    async def run(self, owner: str, work: Callable[[], Answer]) -> Answer:
        """Run the work when the owner's turn comes, and return its result."""
        future: Future[Answer] = Future()
        with self._lock:
            self._queues.setdefault(owner, _Queue()).waiting.append((future, partial(copy_context().run, work)))
        # Each call of a thread takes one piece of work, not necessarily the one for which it was made.
        self._threads.submit(self._take_turn)
        return await asyncio.wrap_future(future)

    def waiting(self, owner: str) -> int:
        """Count the pieces of work of that owner that have not begun."""
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
    except BaseException as error:  # noqa: BLE001 raised where it is awaited
        future.set_exception(error)
    else:
        future.set_result(result)
