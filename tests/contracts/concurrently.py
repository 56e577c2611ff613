"""Many people at the same moment."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any


def at_once(calls: Sequence[Callable[[], Any]], *, within: float = 60) -> list[Any]:
    """What each call returned or raised, all of them begun at the same moment in threads of their own.

    Fails, and leaves nobody waiting, when some have not ended ``within`` these seconds.
    """
    outcomes: dict[int, Any] = {}
    start = threading.Barrier(len(calls))

    def run(number: int, call: Callable[[], Any]) -> None:
        try:
            start.wait(within)
            outcomes[number] = call()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
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
