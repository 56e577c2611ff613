"""The worker that prepares letters behind answers, in a thread of its own for which no request waits."""

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

# A letter that is mailed takes the processor for some milliseconds more than one that is not. If that was right behind
# the answer, the time of the next answer would say that the account exists.
MIN_DELAY_SECONDS, MAX_DELAY_SECONDS = 1, 8
# When the server ends, it waits this long for letters that were asked for.
_SHUTDOWN_SECONDS = 3

_RANDOM = SystemRandom()


class LetterWorker:
    """Prepares letters one at a time, each some seconds after it was asked for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="letters")
        self._delayed: set[Callable[[], None]] = set()
        self._lock = Lock()

    async def submit(self, prepare: Callable[[], None]) -> None:
        """Hand the work over, and return at once."""
        work = partial(copy_context().run, _prepare, prepare)
        with self._lock:
            self._delayed.add(work)
        delay = _RANDOM.uniform(MIN_DELAY_SECONDS, MAX_DELAY_SECONDS)
        asyncio.get_running_loop().call_later(delay, self._begin, work)

    def finish(self) -> None:
        """Prepare everything that was handed over now, and wait for it for some seconds at most."""
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
    except Exception as error:  # noqa: BLE001 there is no answer any more that could say it
        log.error("A letter could not be prepared: %s", kinds_of(error))


LETTERS = LetterWorker()
