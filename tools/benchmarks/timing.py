"""Times of calls."""

import statistics
from collections.abc import Callable, Sequence
from time import perf_counter


def seconds_of(call: Callable[[], object], times: int, *, warming: int = 0) -> list[float]:
    """Return the times of some calls, after unmeasured ones."""
    taken = []
    for _ in range(warming + times):
        begun = perf_counter()
        call()
        taken.append(perf_counter() - begun)
    return taken[warming:]


def milliseconds(call: Callable[[], object], times: int, *, warming: int = 1) -> float:
    """Return the median time of some calls, after unmeasured ones."""
    return statistics.median(seconds_of(call, times, warming=warming)) * 1000


def spread(seconds: Sequence[float]) -> str:
    """Format the median, the 95th percentile and the maximum."""
    median, late = statistics.median(seconds), statistics.quantiles(seconds, n=20, method="inclusive")[-1]
    return f"{median * 1000:.1f} ms, 95 %: {late * 1000:.1f}, most {max(seconds) * 1000:.0f}"
