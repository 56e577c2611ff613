"""Benchmark of the server's start: ``python -m tools.benchmarks.start``.

``consumo serve`` with one process that answers requests and its parent, on a migrated, empty database: from the command
to the first answer that it is ready. Memory that both share is counted half for each.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from adapters.sql.migrate import migrate
from tools.benchmarks.hot_calls import database
from tools.benchmarks.servers import ours, own_megabytes, processor_ticks

STARTS = 7


def main() -> None:
    """Print times and memory on both databases."""
    sys.stdout.write("| database | ready after | processor time until then | parent's memory | its child's |\n")
    sys.stdout.write("|---|--:|--:|--:|--:|\n")
    for kind in ("PostgreSQL", "SQLite"):
        with database(kind) as url, tempfile.TemporaryDirectory() as folder:
            migrate(url)
            passed, used, parent, child = map(median, zip(*(start(url, folder) for _ in range(STARTS)), strict=True))
            sys.stdout.write(f"| {kind} | {passed:.2f} s | {used:.2f} s | {parent:.0f} MB | {child:.0f} MB |\n")
            sys.stdout.flush()


def start(url: str, folder: str) -> Sequence[float]:
    """Start once; return seconds, processor seconds, and both memories."""
    begun = perf_counter()
    with ours(url, Path(folder)) as server:
        passed, used = perf_counter() - begun, processor_ticks(server.process.pid)
        parent, *children = own_megabytes(server.process.pid)
        return passed, used, parent, sum(children)


if __name__ == "__main__":
    main()
