"""The worker that prepares letters behind answers, in a thread of its own for which no request waits."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from adapters.observability.logs import kinds_of

log = logging.getLogger("consumo.mail")

# When the server ends, it waits this long for letters that were asked for.
_SHUTDOWN_SECONDS = 3


class LetterWorker:
    """Prepares one letter at a time.

    In the threads of requests, the next answer would come later if there was a letter to prepare, and so say that the
    account exists.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="letters")

    async def submit(self, prepare: Callable[[], None]) -> None:
        """Hand the work over, and return at once."""
        self._thread.submit(copy_context().run, _prepare, prepare)

    def finish(self) -> None:
        """Wait until everything that was handed over is done, for some seconds at most."""
        try:
            self._thread.submit(int).result(_SHUTDOWN_SECONDS)
        except TimeoutError:
            log.error("Letters that were still being prepared are given up")


def _prepare(prepare: Callable[[], None]) -> None:
    try:
        prepare()
    except Exception as error:  # noqa: BLE001 there is no answer any more that could say it
        log.error("A letter could not be prepared: %s", kinds_of(error))


LETTERS = LetterWorker()
