"""Benchmark of the ward board, the worklist and its number.

Run ``python -m tools.benchmarks.home --details 1000000``. A supervisor's pages ask for them again and again. The
hospital has 600 rooms with an open sheet each, and a year's lines up to now. Each is measured twice, the second time
after each open sheet was given ten times its lines, of two months ago: a board does not show them.
"""

import argparse
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from sqlalchemy import bindparam, create_engine, insert, literal, literal_column, select, union_all

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.sheets.tables import details, sheets
from adapters.sql.store import SqlStore
from tools.benchmarks import reports
from tools.benchmarks.hot_calls import MANY, analyze, database, microseconds_per_call
from tools.benchmarks.servers import SECRET_KEY, Client, Request, ours
from tools.benchmarks.ward import Furnished, furnish

PAGES = {
    "ward board": Request("/api/ward"),
    "worklist": Request("/api/worklist"),
    "its number": Request("/api/worklist/count"),
}
CALLS = 10
OLD = timedelta(days=60)
TIMES_THE_LINES = 10


def main() -> None:
    """Fill, measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--details", type=int, default=MANY)
    options.add_argument("--on", choices=["PostgreSQL", "SQLite"], action="append")
    asked = options.parse_args()
    print(f"{asked.details:,} lines; median of {asked.rounds} rounds of {CALLS} calls")
    print()
    print("| database | page | ms passed | ms of the server's processor | with old lines: ms passed | of processor |")
    print("|---|---|--:|--:|--:|--:|")
    for kind in asked.on or ("PostgreSQL", "SQLite"):
        with database(kind) as url:
            migrate(url)
            now = datetime.now(UTC)
            reports.fill(url, asked.details, now)
            store = SqlStore(url, UTC)
            ward = furnish(store, SECRET_KEY, now=now)
            store.close()
            analyze(url)
            figures = measure(url, ward, asked.rounds)
            add_old_lines(url, now - OLD)
            analyze(url)
            for name, new, old in zip(PAGES, figures, measure(url, ward, asked.rounds), strict=True):
                cells = (f"{figure / 1000:.1f}" for figure in (*new[::-1], *old[::-1]))
                print(f"| {kind} | {name} | {' | '.join(cells)} |", flush=True)


def measure(url: str, ward: Furnished, rounds: int) -> Sequence[tuple[float, float]]:
    """Return processor time and elapsed time per call of each page, in µs."""
    taken: list[list[tuple[float, float]]] = [[] for _ in PAGES]
    with tempfile.TemporaryDirectory() as folder, ours(url, Path(folder)) as server:
        client = Client(server.address, ward.token)
        for number in range(-1, rounds):
            for page, figures in zip(PAGES.values(), taken, strict=True):
                figure = microseconds_per_call(client, server.process.pid, [page] * CALLS)
                if number >= 0:
                    figures.append(figure)
    return [(median(cpu), median(passed)) for cpu, passed in (zip(*figures, strict=True) for figures in taken)]


def add_old_lines(url: str, at: datetime) -> None:
    """Give the open sheets ten times their lines, of that moment."""
    copied = [column.name for column in details.c if column.name not in {"id", "created_at", "day", "entry_digest"}]
    times = union_all(*(select(literal(number)) for number in range(1, TIMES_THE_LINES))).subquery()
    old = (
        select(
            *(details.c[name] for name in copied),
            bindparam("at", at, type_=details.c.created_at.type),
            bindparam("that_day", at.date(), type_=details.c.day.type),
        )
        .join_from(details, sheets)
        .join(times, literal_column("true"))
        .where(sheets.c.closed_at.is_(None))
    )
    engine = create_engine(to_url(url))
    with engine.begin() as connection:
        connection.execute(insert(details).from_select([*copied, "created_at", "day"], old))
    engine.dispose()


if __name__ == "__main__":
    main()
