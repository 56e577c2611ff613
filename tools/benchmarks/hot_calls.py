"""Benchmark of the hot calls against a hand-written baseline.

Run ``python -m tools.benchmarks.hot_calls``.

Both servers (granian, one process) use one database with a hospital's durability: a million details of one year, 50,000
products, and PostgreSQL over TCP. A ward user calls them in turn, ours and the baseline (baseline.py), with varying
sheets and texts, and asks for compressed answers as browsers do. A sheet is read for the first time in the hour, which
the access log notes, or again.

With one client, the comparison is that of the server's processor time (user and system, all threads) for the same
number of calls in the same round; the ratio is the median of the rounds. With sixteen clients, the answered calls
within some seconds are counted, except for calls that can be made only once. Clients and PostgreSQL share the machine.
There are three runs on separate servers; the output has the minimum and the maximum of the three.
"""

import argparse
import json
import os
import random
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from statistics import median
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

from sqlalchemy import create_engine, text

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from domain.common.policy import Role
from tools.benchmarks import reports
from tools.benchmarks.servers import (
    SECRET_KEY,
    Client,
    Request,
    baseline,
    durable_postgresql,
    ours,
    processor_seconds,
)
from tools.benchmarks.ward import DETAILS, Furnished, furnish, names

MANY = 1_000_000
CLIENTS = 16
SECONDS = 2.0
# Sheets that are read again and again; all others are read once.
READ_BEFORE = 200

NAMES = [*names()]
# Texts with words of one to three letters: beside a longer one, as they are typed, and alone.
WITH_SHORT_WORDS = (
    *("guante de nitrilo", "sonda de latex", "bolsa de", "venda de al", "llave de dos vi", "sin balon", "tubo de 3"),
    *("gasa no es", "1 x 5"),
)
SHORT_WORDS = ("3 g", "gas", "con", "de", "a", "x")
_chance = random.Random(16)


def add_a_detail(ward: Furnished) -> Request:
    """Record a supply, as the screen does."""
    return Request(
        f"/api/consumption-sheets/{_chance.choice(ward.open)}/consumption-details",
        "POST",
        {"product_id": _chance.choice(ward.products), "quantity": 2, "staff_id": 0, "area_id": ward.area_id},
        {"Idempotency-Key": secrets.token_hex(16)},
        201,
    )


def list_details(sheet_id: int) -> Request:
    """List a sheet with a hundred lines."""
    return Request(f"/api/consumption-sheets/{sheet_id}/consumption-details?limit={DETAILS}")


def read_a_sheet_again(ward: Furnished) -> Request:
    """List the details of a sheet that was read before."""
    return list_details(_chance.choice(ward.full))


def read_a_sheet_first(ward: Furnished) -> Request:
    """List the details of a sheet for the first time."""
    return list_details(next(ward.unread))


def search(words: str) -> Request:
    """Search products by these words."""
    return Request(f"/api/products?limit=25&q={quote(words)}")


def search_products(_: Furnished) -> Request:
    """Search products, as in the search box."""
    words = [word for word in _chance.choice(NAMES).split() if len(word) > 3][:2]
    words = [words[0].upper() if _chance.random() < 0.5 else words[0][:-1], words[1][: _chance.randrange(4, 9)]]
    _chance.shuffle(words)
    return search(" ".join(words))


def search_with_short_words(_: Furnished) -> Request:
    """Search products by texts of which a word is short."""
    return search(_chance.choice(WITH_SHORT_WORDS))


def search_by_short_words(_: Furnished) -> Request:
    """Search products by short words alone, which many have."""
    return search(_chance.choice(SHORT_WORDS))


def list_open_sheets(_: Furnished) -> Request:
    """List the first page of the open sheets."""
    return Request("/api/consumption-sheets?limit=25")


class HotCall(NamedTuple):
    """A call, its number per round, and the maximum ratio to the baseline.

    A call that can be made only ``once`` gets different objects on either server.
    """

    ask: Callable[[Furnished], Request]
    times: int
    at_most: Mapping[str, float] = MappingProxyType({})
    once: bool = False


CALLS = {
    "add a detail": HotCall(add_a_detail, 100, {"PostgreSQL": 3.0, "SQLite": 3.0}),
    "a sheet's 100 details": HotCall(read_a_sheet_again, 60, {"PostgreSQL": 2.2, "SQLite": 1.6}),
    "the same, first in the hour": HotCall(read_a_sheet_first, 60, once=True),
    "product search": HotCall(search_products, 60, {"PostgreSQL": 2.2, "SQLite": 2.0}),
    "search with a short word": HotCall(search_with_short_words, 60),
    "search by short words alone": HotCall(search_by_short_words, 20),
    "open sheets": HotCall(list_open_sheets, 60, {"PostgreSQL": 2.2}),
}


class Cost(NamedTuple):
    """The cost of a call in one run.

    Processor time in µs and elapsed ms, ours and the baseline's, their ratio, and calls a second with sixteen clients.
    """

    cpu: float
    by_hand: float
    ratio: float
    passed: float
    passed_by_hand: float
    served: float | None
    served_by_hand: float | None

    @property
    def share(self) -> float | None:
        """The calls a second, relative to the baseline's."""
        return self.served / self.served_by_hand if self.served and self.served_by_hand else None


def microseconds_per_call(client: Client, pid: int, asked: Sequence[Request]) -> tuple[float, float]:
    """Return the server's processor time and the elapsed time per call."""
    before, begun = processor_seconds(pid), perf_counter()
    for request in asked:
        client(request)
    passed = perf_counter() - begun
    return (processor_seconds(pid) - before) / len(asked) * 1e6, passed / len(asked) * 1e6


def calls_a_second(clients: Sequence[Client], ask: Callable[[], Request]) -> float:
    """Count the calls a second when all clients call continuously."""
    answered, until = [0] * len(clients), perf_counter() + SECONDS

    def call(place: int) -> None:
        while perf_counter() < until:
            clients[place](ask())
            answered[place] += 1

    threads = [threading.Thread(target=call, args=[place]) for place in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(answered) / SECONDS


def answers_alike(ward: Furnished, ours: Callable[[Request], bytes], by_hand: Callable[[Request], bytes]) -> None:
    """Raise unless the baseline's answers equal ours."""
    for asked in (*(call.ask(ward) for call in CALLS.values()), *map(search, WITH_SHORT_WORDS + SHORT_WORDS)):
        compare_answers(asked, ours, by_hand)


def compare_answers(asked: Request, ours: Callable[[Request], bytes], by_hand: Callable[[Request], bytes]) -> None:
    """Raise unless both answers are equal."""
    answers = [json.loads(ours(asked)), json.loads(by_hand(_anew(asked)))]
    for answer in answers:
        if asked.method == "POST":
            # Additional data of the line is no part of the comparison.
            for different in ("id", "created_at", "warnings"):
                answer.pop(different, None)
        else:
            answer["meta"].pop("next", None)
    if answers[0] != answers[1]:
        raise RuntimeError(f"{asked.method} {asked.path}: not alike:\n{answers[0]!r:.2000}\n{answers[1]!r:.2000}")


def measure(url: str, ward: Furnished, rounds: int) -> dict[str, Cost]:
    """Measure each call in one run."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, ours(url, Path(folder)) as us, baseline(url, Path(folder)) as hand:
        servers = [(Client(server.address, ward.token), server.process.pid) for server in (us, hand)]
        crowds = [[Client(server.address, ward.token) for _ in range(CLIENTS)] for server in (us, hand)]
        answers_alike(ward, servers[0][0], servers[1][0])
        for client, _ in servers:
            for sheet_id in ward.full:
                client(list_details(sheet_id))
        for name, call in CALLS.items():
            taken: list[list[tuple[float, float]]] = [[], []]
            served: list[list[float]] = [[], []]
            for number in range(-1, rounds):
                turns = (0, 1) if number % 2 else (1, 0)
                # Both get the same requests, except those that can be done only once.
                asked = [call.ask(ward) for _ in range(call.times)]
                for which in turns:
                    figures = microseconds_per_call(*servers[which], [_anew(request) for request in asked])
                    if call.once:
                        asked = [call.ask(ward) for _ in range(call.times)]
                    if number >= 0:
                        taken[which].append(figures)
            for number in range(0 if call.once else 3):
                for which in (0, 1) if number % 2 else (1, 0):
                    served[which].append(calls_a_second(crowds[which], lambda: call.ask(ward)))  # noqa: B023
            (cpu, wall), (least, least_wall) = ([median(each) for each in zip(*one, strict=True)] for one in taken)
            found[name] = Cost(
                cpu,
                least,
                median(a / b for (a, _), (b, _) in zip(*taken, strict=True)),
                wall / 1000,
                least_wall / 1000,
                *(median(each) if each else None for each in served),
            )
    return found


def _anew(request: Request) -> Request:
    if request.method == "GET":
        return request
    return replace(request, headers={"Idempotency-Key": secrets.token_hex(16)})


def analyze(url: str) -> None:
    """Run ANALYZE, as PostgreSQL's autovacuum does after a while.

    SQLite does not do it by itself.
    """
    if url.startswith("sqlite"):
        return
    engine = create_engine(to_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("VACUUM ANALYZE"))
    engine.dispose()


@contextmanager
def database(kind: str) -> Iterator[str]:
    """Yield the URL of an empty database of that kind."""
    if kind == "SQLite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/bench.db"
    else:
        with durable_postgresql() as cluster:
            yield cluster.create(f"consumo_bench_{secrets.token_hex(4)}")


def furnished(url: str, details: int) -> Furnished:
    """Fill a year with that many details, and add a ward user."""
    migrate(url)
    reports.fill(url, details)
    store = SqlStore(url, UTC)
    ward = furnish(store, SECRET_KEY, Role.USER)
    store.close()
    analyze(url)
    # The first and last sheets have a different number of details.
    full = range(10, details // DETAILS - 10)
    return replace(ward, full=full[:READ_BEFORE], unread=iter(full[READ_BEFORE:]))


def spread(figures: Sequence[float | None], form: str) -> str:
    """Format the minimum and the maximum of the runs."""
    measured = [figure for figure in figures if figure is not None]
    if not measured:
        return ""
    least, most = format(min(measured), form), format(max(measured), form)
    return least if least == most else f"{least} to {most}"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--details", type=int, default=MANY)
    options.add_argument("--on", choices=["PostgreSQL", "SQLite"], action="append")
    asked = options.parse_args()
    print(
        "| database | call | ours, µs of processor | by hand, µs | ratio | at most | ours, ms passed | by hand, ms "
        f"| {CLIENTS} clients: ours, calls/s | by hand, calls/s | share |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for kind in asked.on or ("PostgreSQL", "SQLite"):
        with database(kind) as url:
            ward = furnished(url, asked.details)
            loads, runs = [], []
            for _ in range(asked.runs):
                loads.append(os.getloadavg()[0])
                runs.append(measure(url, ward, asked.rounds))
        for name, call in CALLS.items():
            of_call = [run[name] for run in runs]
            cells = [
                kind,
                name,
                spread([one.cpu for one in of_call], ",.0f"),
                spread([one.by_hand for one in of_call], ",.0f"),
                f"**{spread([one.ratio for one in of_call], '.2f')}**",
                f"{call.at_most.get(kind, '')}",
                spread([one.passed for one in of_call], ".1f"),
                spread([one.passed_by_hand for one in of_call], ".1f"),
                spread([one.served for one in of_call], ",.0f"),
                spread([one.served_by_hand for one in of_call], ",.0f"),
                spread([one.share for one in of_call], ".2f"),
            ]
            print(f"| {' | '.join(cells)} |", flush=True)
        print(
            f"| {kind} | load before each run | {', '.join(f'{load:.1f}' for load in loads)} |" + " |" * 8, flush=True
        )


if __name__ == "__main__":
    main()
