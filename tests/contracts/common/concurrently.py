"""Run calls concurrently, in threads."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from tests.pace import PATIENCE


def at_once(calls: Sequence[Callable[[], Any]], *, within: float = PATIENCE) -> list[Any]:
    """Start all calls at once in threads, and return their outcomes.

    An outcome is the returned value or the raised exception. The assertion fails if a call is still running after
    ``within`` seconds; the threads are daemons, so the test run does not wait for them.
    """
    outcomes: dict[int, Any] = {}
    start = threading.Barrier(len(calls))

    def run(number: int, call: Callable[[], Any]) -> None:
        try:
            start.wait(within)
            outcomes[number] = call()
        except Exception as error:  # noqa: BLE001 - the test checks the exception
            outcomes[number] = error

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(calls)]
    deadline = time.monotonic() + within
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, deadline - time.monotonic()))
    stuck = [number for number, thread in enumerate(threads) if thread.is_alive()]
    assert not stuck, f"after {within} s still running: {stuck}"
    return [outcomes[number] for number in range(len(calls))]
