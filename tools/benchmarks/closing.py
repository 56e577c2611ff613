"""Benchmark of closing a sheet: ``python -m tools.benchmarks.closing``.

It compares closings with and without a message to billing.
"""

import statistics
import sys
import tempfile
import time

from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.closing.reopen_sheet import ReopenDraft
from tests.builders import ZONE, Ward, a_ward, use_cases_on
from tests.servers import postgresql

LINES = (10, 100, 1_000)
TIMES = 7


def main() -> None:
    """Print medians for 10, 100 and 1,000 lines, on SQLite and PostgreSQL."""
    sys.stdout.write(
        "| lines | database | without messages | with messages to billing | closed again with one line more |\n"
    )
    sys.stdout.write("|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as folder, postgresql() as cluster:
        for kind, url in (("SQLite", f"sqlite:///{folder}/c.db"), ("PostgreSQL", cluster.create("consumo"))):
            migrate(url)
            store = SqlStore(url, ZONE)
            ward = a_ward(store)
            for lines in LINES:
                cells = [
                    f"{statistics.median(took) * 1000:.0f} ms" for took in zip(*closings(ward, lines), strict=True)
                ]
                sys.stdout.write(f"| {lines:,} | {kind} | {' | '.join(cells)} |\n")
            store.close()


def closings(ward: Ward, lines: int) -> list[tuple[float, float, float]]:
    """Measure closings in seconds.

    Each item has the time without a destination, with one, and with one after a line was added.
    """
    uncharged, charged = (use_cases_on(ward.store, clock=ward.clock, charging=charging) for charging in (False, True))
    took = []
    for _ in range(TIMES):
        seconds = []
        for use_cases in (uncharged, charged):
            sheet_id = ward.sheet()["id"]
            for first in range(0, lines, 100):
                ward.details(sheet_id, *[ward.detail_draft("1.5") for _ in range(min(100, lines - first))])
            begun = time.perf_counter()
            use_cases.sheets.close(ward.supervisor, sheet_id)
            seconds.append(time.perf_counter() - begun)
        ward.clock.advance(minutes=1)
        charged.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó"))
        ward.detail(sheet_id)
        begun = time.perf_counter()
        charged.sheets.close(ward.supervisor, sheet_id)
        took.append((seconds[0], seconds[1], time.perf_counter() - begun))
    return took


if __name__ == "__main__":
    main()
