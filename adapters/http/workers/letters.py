"""Background worker that prepares emails after the response.

It has its own thread, so that no request waits for it.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from secrets import SystemRandom
from threading import Lock

from adapters.observability.logs import kinds_of

log = logging.getLogger("consumo.mail")

# Preparing an email takes some milliseconds of processor time. Without a delay, the duration of the next response would
# reveal that the account exists.
MIN_DELAY_SECONDS, MAX_DELAY_SECONDS = 1, 8
# Grace period for pending emails when the server ends.
_SHUTDOWN_SECONDS = 3

_RANDOM = SystemRandom()


class LetterWorker:
    """Prepares emails one at a time, each some seconds after its request."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="letters")
        self._delayed: set[Callable[[], None]] = set()
        self._lock = Lock()

    async def submit(self, prepare: Callable[[], None]) -> None:
        """Queue the work and return immediately."""
        work = partial(copy_context().run, _prepare, prepare)
        with self._lock:
            self._delayed.add(work)
        delay = _RANDOM.uniform(MIN_DELAY_SECONDS, MAX_DELAY_SECONDS)
        asyncio.get_running_loop().call_later(delay, self._begin, work)

    def finish(self) -> None:
        """Prepare all queued emails now, and wait a limited time for them."""
        with self._lock:
            delayed = list(self._delayed)
        for work in delayed:
            self._begin(work)
        try:
            self._thread.submit(int).result(_SHUTDOWN_SECONDS)
        except TimeoutError:
            log.error("Letters that were still being prepared are given up")

    def _begin(self, work: Callable[[], None]) -> None:
        with self._lock:
            if work not in self._delayed:
                return
            self._delayed.remove(work)
        self._thread.submit(work)


def _prepare(prepare: Callable[[], None]) -> None:
    try:
        prepare()
    except Exception as error:  # noqa: BLE001 - the response was sent already
        log.error("A letter could not be prepared: %s", kinds_of(error))


LETTERS = LetterWorker()
