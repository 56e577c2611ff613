"""Cost of calls by size of the database.

Run ``python -m tools.benchmarks.growth --details 10000 1000000 5000000``. There is one database per size, in one
PostgreSQL of our own. Each has a year of a fictional hospital (a closed sheet per hundred details), plus the same 300
open sheets and 50,000 products. Each has its own server. They are called in turn: in each round, each call some times
on one server, then as often on the next. The figure is the median elapsed time of a round, in the least disturbed
round; the ratio is that to the smallest size.
"""

import argparse
import secrets
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC
from pathlib import Path

import psycopg

from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.common.paging import write_cursor
from tests.servers import postgresql
from tools.benchmarks import reports
from tools.benchmarks.hot_calls import CALLS
from tools.benchmarks.servers import SECRET_KEY, Client, Request, milliseconds_per_call, ours
from tools.benchmarks.ward import Furnished, furnish

# It is slow and therefore called once per round.
SLOW = "all details, page 10,000 by its number"

PAGE = 10_000
LIMIT = 25


class Grown:
    """A database of one size and the calls on it."""

    def __init__(self, url: str, details: int) -> None:
        self.details = details
        self.url = url
        migrate(url)
        reports.fill(url, details)
        with psycopg.connect(url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as connection:
            # The open sheets are the same 300 in each size.
            connection.execute("UPDATE consumption_sheets SET closed_at = %s WHERE closed_at IS NULL", [reports.NOW])
            store = SqlStore(url, UTC)
            self.ward: Furnished = furnish(store, SECRET_KEY)
            store.close()
            connection.execute("VACUUM ANALYZE")
            self._details = self._cursor(connection, "consumption_details", "created_at", "true")
            self._closed = self._cursor(connection, "consumption_sheets", "closed_at", "closed_at IS NOT NULL")

    def _cursor(self, connection: psycopg.Connection, table: str, key: str, condition: str) -> str:
        """Return the cursor of page 10,000, or of the last full page."""
        counted = connection.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()
        assert counted
        behind = min((PAGE - 1) * LIMIT, counted[0] - LIMIT) - 1
        found = connection.execute(
            f"SELECT {key}, id FROM {table} WHERE {condition} ORDER BY {key} DESC, id DESC OFFSET {behind} LIMIT 1"
        ).fetchone()
        assert found
        return write_cursor(found[0].astimezone(UTC).isoformat(), found[1])

    def calls(self) -> dict[str, Callable[[], Request]]:
        hot = {name: (lambda ask=call.ask: ask(self.ward)) for name, call in CALLS.items() if not call.once}
        details, sheets = "/api/consumption-details", "/api/consumption-sheets?closed=true&"
        last = min(PAGE, self.details // LIMIT)
        return hot | {
            "all details, page 1": lambda: Request(f"{details}?limit={LIMIT}"),
            "all details, page 10,000 by cursor": lambda: Request(f"{details}?limit={LIMIT}&cursor={self._details}"),
            "closed sheets, page 1": lambda: Request(f"{sheets}limit={LIMIT}"),
            "closed sheets, the last page by cursor": lambda: Request(f"{sheets}limit={LIMIT}&cursor={self._closed}"),
            SLOW: lambda: Request(f"{details}?limit={LIMIT}&page={last}"),
        }


def main() -> None:
    """Fill, measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--details", type=int, nargs="+", default=[10_000, 1_000_000, 5_000_000])
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--times", type=int, default=15)
    asked = options.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(postgresql())
        sizes = [Grown(cluster.create(f"consumo_bench_{secrets.token_hex(4)}"), details) for details in asked.details]
        clients = [Client(stack.enter_context(ours(one.url, folder)).address, one.ward.token) for one in sizes]
        print("| milliseconds | " + " | ".join(f"{one.details:,} details" for one in sizes) + " | ratio |")
        print("|---|" + "--:|" * (len(sizes) + 1))
        for name in sizes[0].calls():
            taken: list[list[float]] = [[] for _ in sizes]
            for number in range(-1, asked.rounds):
                for which, one in enumerate(sizes):
                    ask, times = one.calls()[name], 1 if name == SLOW else asked.times
                    figure = milliseconds_per_call(clients[which], [ask() for _ in range(times)])
                    if number >= 0:
                        taken[which].append(figure)
            ratios = [min(more) / min(taken[0]) for more in taken[1:]]
            figures = " | ".join(f"{min(one):.1f}" for one in taken)
            print(f"| {name} | {figures} | {' '.join(f'{ratio:.2f}' for ratio in ratios)} |", flush=True)


if __name__ == "__main__":
    main()
