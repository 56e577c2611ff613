"""Benchmark of the hot calls beside an earlier version, in one run.

Run ``python -m tools.benchmarks.beside --before ../earlier``, a checkout of the earlier version (``git worktree add``).

Each version fills a database of its own in one PostgreSQL with the same data and serves it. A supervisor calls both in
turn, a few calls each time, so that other work on the machine slows both. The figures are the server's processor time
and the time passed for each call; the ratio is the median of the rounds. The report with parts has no earlier version:
it is compared with that without.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from tests.servers import ROOT
from tools.benchmarks.hot_calls import microseconds_per_call
from tools.benchmarks.servers import Client, Request, durable_postgresql

# Runs in the folder of a version, with its code. It serves until its input ends.
_SERVE = """
import json, sys, tempfile
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from domain.common.policy import Role
from tools.benchmarks import reports
from tools.benchmarks.hot_calls import analyze
from tools.benchmarks.servers import SECRET_KEY, ours
from tools.benchmarks.ward import furnish
url, details = sys.argv[1], int(sys.argv[2])
migrate(url)
reports.fill(url, details)
store = SqlStore(url, UTC)
ward = furnish(store, SECRET_KEY, Role.SUPERVISOR)
store.close()
analyze(url)
with tempfile.TemporaryDirectory() as folder, ours(url, Path(folder)) as server:
    print(json.dumps([server.address, server.process.pid, ward.token, [*ward.open], [*ward.products[:500]],
        ward.area_id]), flush=True)
    sys.stdin.read()
"""
_MONTH = "/api/reports/consumption?by=product&since=2026-10-01&until=2026-10-31"
# The calls of a round, and the paths of those that only read.
READS = {
    "a sheet": (8, "/api/consumption-sheets/{sheet}"),
    "its details": (8, "/api/consumption-sheets/{sheet}/consumption-details?limit=100"),
    "open sheets": (8, "/api/consumption-sheets?limit=25"),
    "worklist": (4, "/api/worklist"),
    "number of the worklist": (8, "/api/worklist/count"),
    "report of a month": (1, _MONTH),
}


class Version(NamedTuple):
    """A version that serves its database."""

    client: Client
    pid: int
    sheets: list[int]
    products: list[int]
    area_id: int


@contextmanager
def version(folder: Path, url: str, details: int) -> Iterator[Version]:
    """Fill a database with the code in a folder, and serve it."""
    command = [sys.executable, "-c", _SERVE, url, str(details)]
    # Before the code that is installed.
    environment = os.environ | {"PYTHONPATH": str(folder)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        told = next((line for line in process.stdout if line.startswith("[")), None)
        if told is None:
            raise SystemExit(f"The version in {folder} does not start.")
        address, pid, token, *ids = json.loads(told)
        yield Version(Client(address, token), pid, *ids)
        process.stdin.close()


def asked_of(one: Version, name: str, seed: int) -> list[Request]:
    """Return the requests of a round, for both versions the same."""
    chance = Random(seed)
    if name == "a line":
        path = "/api/consumption-sheets/{}/consumption-details"
        return [
            Request(
                path.format(chance.choice(one.sheets)),
                "POST",
                {"product_id": chance.choice(one.products), "quantity": 2, "staff_id": 0, "area_id": one.area_id},
                {"Idempotency-Key": f"{seed:08}-{number:08}"},
                201,
            )
            for number in range(8)
        ]
    times, path = READS[name]
    return [Request(path.format(sheet=chance.choice(one.sheets))) for _ in range(times)]


def compare(name: str, calls: list[tuple[Version, Any]], rounds: int) -> None:
    """Print what a call costs on either side."""
    taken: list[list[tuple[float, float]]] = [[], []]
    for number in range(-1, rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            one, ask = calls[which]
            figures = microseconds_per_call(one.client, one.pid, ask(one, number + 1))
            if number >= 0:
                taken[which].append(figures)
    cells = []
    for place, form in ((0, "{:,.0f} µs"), (1, "{:,.0f} µs")):
        before, after = ([one[place] for one in side] for side in taken)
        ratio = median(b / a for a, b in zip(before, after, strict=True))
        cells += [form.format(median(before)), form.format(median(after)), f"**{ratio:.2f}**"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Fill, serve, call and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--before", type=Path, required=True)
    options.add_argument("--details", type=int, default=200_000)
    options.add_argument("--rounds", type=int, default=100)
    asked = options.parse_args()
    with durable_postgresql() as cluster, ExitStack() as stack:
        before, after = (
            stack.enter_context(version(folder, cluster.create(name), asked.details))
            for name, folder in (("earlier", asked.before), ("now", ROOT))
        )
        print("| call | processor before | now | ratio | passed before | now | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
        for name in ("a line", *READS):
            sides = [(one, lambda it, seed, name=name: asked_of(it, name, seed)) for one in (before, after)]
            compare(name, sides, asked.rounds)
        without, parts = (
            lambda _, __, used_for=used_for: [Request(f"{_MONTH}&used_for={used_for}")]
            for used_for in ("patients", "all")
        )
        compare("report with parts, beside that without", [(after, without), (after, parts)], asked.rounds)


if __name__ == "__main__":
    main()
