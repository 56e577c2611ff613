"""What the hot calls cost the server, beside the same calls by hand: ``python -m tools.benchmarks.hot_calls``.

Both are servers of their own (granian, one process) on one database with 50,000 products. They are called in turn, ours
and by hand (floor.py), on one connection each. What is compared is the processor time (user and system, all threads)
that the server took for the same number of calls in the same round; the ratio is the median over the rounds.
"""

import argparse
import json
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from sqlalchemy import create_engine, text

from adapters.sql.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from tests.servers import postgresql
from tools.benchmarks.servers import SECRET_KEY, Client, Request, floor, ours, processor_seconds
from tools.benchmarks.ward import DETAILS, Furnished, furnish

SEARCHES = ("cánula estéril", "GUANTE látex", "balon sonda", "pediatrico")

_numbers = count()


def add_a_detail(ward: Furnished) -> Request:
    """What the screen sends when somebody records a supply."""
    number = next(_numbers)
    return Request(
        f"/api/consumption-sheets/{ward.growing}/consumption-details",
        "POST",
        {
            "product_id": ward.products[number * 37 % len(ward.products)],
            "quantity": 2,
            "staff_id": 0,
            "area_id": ward.area_id,
        },
        {"Idempotency-Key": secrets.token_hex(16)},
        201,
    )


def list_a_sheets_details(ward: Furnished) -> Request:
    """The sheet's page with a hundred lines."""
    return Request(f"/api/consumption-sheets/{ward.hundred}/consumption-details?limit={DETAILS}")


def search_products(_: Furnished) -> Request:
    """What is typed into the search box."""
    text = SEARCHES[next(_numbers) % len(SEARCHES)]
    return Request("/api/products?limit=25&q=" + "".join(f"%{byte:02x}" for byte in text.encode()))


def list_open_sheets(_: Furnished) -> Request:
    """The first page of the open sheets."""
    return Request("/api/consumption-sheets?limit=25")


# What is called, how often in a round, and at most how many times what is written by hand it
# should cost on PostgreSQL and on SQLite.
CALLS: dict[str, tuple[Callable[[Furnished], Request], int, dict[str, float]]] = {
    "add a detail": (add_a_detail, 100, {"PostgreSQL": 2.0, "SQLite": 3.0}),
    "a sheet's 100 details": (list_a_sheets_details, 60, {"PostgreSQL": 1.3, "SQLite": 1.6}),
    "product search": (search_products, 60, {"PostgreSQL": 1.5, "SQLite": 2.0}),
    "open sheets": (list_open_sheets, 60, {}),
}


def microseconds_per_call(client: Client, pid: int, ask: Callable[[], Request], times: int) -> tuple[float, float]:
    """Processor time of the server process and time that passed, for one call."""
    before, begun = processor_seconds(pid), perf_counter()
    for _ in range(times):
        client(ask())
    passed = perf_counter() - begun
    return (processor_seconds(pid) - before) / times * 1e6, passed / times * 1e6


def answers_alike(ward: Furnished, ours: Client, by_hand: Client) -> None:
    """Raise unless what is written by hand answers what we answer."""
    for name, (ask, _, _) in CALLS.items():
        if ask is add_a_detail:
            asked = ask(ward)
            again = Request(asked.path, asked.method, asked.body, {"Idempotency-Key": "another"}, 201)
            answers = [json.loads(ours(asked)), json.loads(by_hand(again))]
            for answer in answers:
                del answer["id"], answer["created_at"]
        else:
            asked = ask(ward)
            answers = [json.loads(ours(asked)), json.loads(by_hand(asked))]
            for answer in answers:
                answer["meta"].pop("next", None)
        if answers[0] != answers[1]:
            raise RuntimeError(f"{name}: not alike:\n{answers[0]!r:.2000}\n{answers[1]!r:.2000}")


def measure(kind: str, url: str, rounds: int) -> Iterator[str]:
    """The lines of the table."""
    migrate(url)
    store = SqlStore(url, UTC)
    ward = furnish(store, SECRET_KEY)
    store.close()
    analyze(url)
    with tempfile.TemporaryDirectory() as folder, ours(url, Path(folder)) as us, floor(url, Path(folder)) as hand:
        servers = [(Client(server.address, ward.token), server.process.pid) for server in (us, hand)]
        answers_alike(ward, servers[0][0], servers[1][0])
        for name, (ask, times, targets) in CALLS.items():
            taken: list[list[tuple[float, float]]] = [[], []]
            for number in range(-1, rounds):
                for which in (0, 1) if number % 2 else (1, 0):
                    client, pid = servers[which]
                    figures = microseconds_per_call(client, pid, lambda: ask(ward), times)  # noqa: B023
                    if number >= 0:
                        taken[which].append(figures)
            ratio = median(a / b for (a, _), (b, _) in zip(*taken, strict=True))
            (cpu, wall), (least, least_wall) = ([median(each) for each in zip(*one, strict=True)] for one in taken)
            target = targets.get(kind)
            verdict = "" if target is None else f"{target:.1f}"
            yield (
                f"| {kind} | {name} | {cpu:,.0f} | {least:,.0f} | **{ratio:.2f}** | {verdict} "
                f"| {wall / 1000:.1f} | {least_wall / 1000:.1f} |"
            )


def analyze(url: str) -> None:
    """Let PostgreSQL look at what it holds, as it does by itself after a while; SQLite does not."""
    if url.startswith("sqlite"):
        return
    engine = create_engine(to_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("ANALYZE"))
    engine.dispose()


@contextmanager
def database(kind: str) -> Iterator[str]:
    """The address of an empty database of that kind."""
    if kind == "SQLite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/bench.db"
    else:
        with postgresql() as cluster:
            name = f"consumo_bench_{secrets.token_hex(4)}"
            yield cluster.create(name)
            cluster.drop(name)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--on", choices=["PostgreSQL", "SQLite"], action="append")
    asked = options.parse_args()
    print("| database | call | ours, µs of processor | by hand, µs | ratio | at most | ours, ms passed | by hand, ms |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for kind in asked.on or ("PostgreSQL", "SQLite"):
        with database(kind) as url:
            for line in measure(kind, url, asked.rounds):
                print(line, flush=True)


if __name__ == "__main__":
    main()
