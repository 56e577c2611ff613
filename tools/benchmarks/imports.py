"""Imports of large files, and the delay of other users meanwhile.

Run ``python -m tools.benchmarks imports``. A generated catalogue and a year's consumption are imported into either
database: by command, and over HTTP while a nurse records one line after the other on the same server. ``python -m
tools.benchmarks.imports FILE`` also imports that file as a catalogue.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from adapters.security.tokens import JwtTokens
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.accounts.ports.identity import Session
from tests.builders import SettableClock, a_ward
from tests.servers import CONSUMO, ROOT, Cluster, Server, environment, postgresql
from tools.benchmarks.servers import SECRET_KEY, Client, Request, max_megabytes, ours

PRODUCTS = 43_089
LINES = 100_000
LINES_OF_A_SHEET = 20
# The nurse's pause after each line.
_PAUSE = 0.05


class RecordingWard(NamedTuple):
    """The data that an administrator needs to record."""

    token: str
    sheet_id: int
    product_id: int


class File(NamedTuple):
    """A file to import: its name in the table, its noun and its path."""

    called: str
    noun: str
    path: Path


def a_catalogue(path: Path) -> None:
    """Write a catalogue as hospitals publish it.

    Prices have thousands separators, and names repeat.
    """
    chance = random.Random(43)
    things = ("SCREW", "PLATE", "CATHETER", "SUTURE", "DRESSING", "TUBE", "NEEDLE", "GRAFT", "STENT", "LEAD")
    with path.open("w", encoding="latin-1") as out:
        out.write("Service Area|Px Code|Procedure Description|Supply #|Unit Price\n")
        for number in range(PRODUCTS):
            kind = chance.randrange(PRODUCTS // 8)
            price = chance.randrange(1, 35_000_000 if number % 500 == 0 else 400_000) / 100
            name = f"HC {things[kind % len(things)]} {kind} X {kind % 97} MM"
            out.write(f"SUPPLIES|{27_000_000 + number}|{name}|{100_000 + number}|{price:,.2f}\n")


def a_consumption(path: Path, *, discharged: bool) -> None:
    """Write the consumption of 5,000 unknown patients' stays.

    ``discharged`` adds the discharges.
    """
    chance = random.Random(100)
    with path.open("w", encoding="utf-8") as out:
        out.write("Record number,First name,Last name,Admission date,")
        out.write("Discharge date," if discharged else "")
        out.write("Room,Area,Product code,Product name,Quantity,Price,Created at\n")
        for stay in range(LINES // LINES_OF_A_SHEET):
            day = 1 + stay % 27
            who = f"R{stay:05},Ana {stay % 37},Gil {stay % 91},2025-03-{day:02},"
            who += f"2025-03-{day + 1:02}," if discharged else ""
            for line in range(LINES_OF_A_SHEET):
                product = chance.randrange(2_000)
                used = f"C{product:04},Gasa {product} cm,{chance.randint(1, 9)},{product % 300 + 1}.50"
                at = f"2025-03-{day:02} {line:02}:{chance.randrange(60):02}"
                out.write(f"{who}{100 + stay % 60},Urgencias,{used},{at}\n")


@dataclass
class Measured:
    """Seconds, peak megabytes, and the longest time of one recording.

    ``before`` are the megabytes of the server before the import.
    """

    seconds: float
    megabytes: int
    before: int = 0
    longest: float | None = None


def by_command(url: str, file: File) -> Measured:
    """Run ``consumo import`` and measure it."""
    begun = time.perf_counter()
    command = subprocess.Popen(
        [CONSUMO, "import", file.noun, str(file.path), "--accept-warnings"],
        env=environment(url), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, used = os.wait4(command.pid, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    if command.returncode:
        raise RuntimeError(f"consumo import {file.path} ended with {command.returncode}")
    return Measured(time.perf_counter() - begun, used.ru_maxrss // 1024)


def over_http(server: Server, ward: RecordingWard, file: File) -> Measured:
    """Upload the file while a nurse records; measure up to the last line."""
    report: dict[str, Any] = {"kept": False, "warnings": ""}
    before = max_megabytes(server.process.pid)
    with recording(server, ward) as longest:
        # Again with the warnings confirmed, if there are any.
        for _ in range(2):
            begun = time.perf_counter()
            asked = {"file_name": file.path.name, "confirmed": report["warnings"]}
            if (report := _sent(server, ward, {"noun": file.noun, **asked}, file.path))["kept"]:
                break
        seconds = time.perf_counter() - begun
    if not report["kept"]:
        raise RuntimeError(f"{file.path} was not kept: {report['refused']} rows were refused")
    return Measured(seconds, max_megabytes(server.process.pid), before, longest())


def _sent(server: Server, ward: RecordingWard, asked: dict[str, str], path: Path) -> dict[str, Any]:
    """Upload a file and return its report."""
    connection = HTTPConnection(urlsplit(server.address).netloc, timeout=600)
    headers = {"Authorization": f"Bearer {ward.token}"}
    connection.request("POST", f"/api/imports?{urlencode(asked)}", path.read_bytes(), headers)
    last: dict[str, Any] = json.loads(connection.getresponse().read().splitlines()[-1])
    connection.close()
    if "report" not in last:
        raise RuntimeError(f"{path}: {last}")
    report: dict[str, Any] = last["report"]
    return report


@contextmanager
def recording(server: Server, ward: RecordingWard) -> Iterator[Callable[[], float]]:
    """Record lines meanwhile; the yielded function returns the longest time."""
    took: list[float] = []
    done = threading.Event()
    line = Request(
        f"/api/consumption-sheets/{ward.sheet_id}/consumption-details",
        method="POST", body={"product_id": ward.product_id, "quantity": 1}, status=201,
    )  # fmt: skip

    def record() -> None:
        call = Client(server.address, ward.token)
        while not done.wait(_PAUSE):
            begun = time.perf_counter()
            call(line)
            took.append(time.perf_counter() - begun)

    nurse = threading.Thread(target=record)
    nurse.start()
    try:
        yield lambda: max(took)
    finally:
        done.set()
        nurse.join()


@contextmanager
def databases(cluster: Cluster) -> Iterator[Callable[[str], str]]:
    """Yield a function that creates a database of a kind."""
    count = iter(range(1_000))
    with tempfile.TemporaryDirectory() as folder:

        def make(kind: str) -> str:
            name = f"imports{next(count)}"
            return f"sqlite:///{folder}/{name}.db" if kind == "SQLite" else cluster.create(name)

        yield make


def main() -> None:
    """Print the figures of each file on each database."""
    with postgresql() as cluster, databases(cluster) as new_database, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [
            File(f"{PRODUCTS:,} products", "products", folder / "catalogue.txt"),
            File(f"{LINES:,} lines of consumption", "consumption", folder / "open.csv"),
            File(f"{LINES:,} lines on sheets that are closed", "consumption", folder / "closed.csv"),
            *(File(Path(named).name, "products", Path(named)) for named in sys.argv[1:]),
        ]
        a_catalogue(files[0].path)
        a_consumption(files[1].path, discharged=False)
        a_consumption(files[2].path, discharged=True)
        sys.stdout.write(
            "| file | database | by command | memory | over HTTP | server's, before | at most | longest recording |\n"
        )
        sys.stdout.write("|---|---|--:|--:|--:|--:|--:|--:|\n")
        for file in files:
            for kind in ("SQLite", "PostgreSQL"):
                alone = by_command(furnished(new_database(kind))[0], file)
                url, ward = furnished(new_database(kind))
                with ours(url, folder) as server:
                    shared = over_http(server, ward, file)
                sys.stdout.write(
                    f"| {file.called} | {kind} | {alone.seconds:.1f} s | {alone.megabytes} MB | {shared.seconds:.1f} s "
                    f"| {shared.before} MB | {shared.megabytes} MB | {shared.longest:.1f} s |\n"
                )
                sys.stdout.flush()


def furnished(url: str) -> tuple[str, RecordingWard]:
    """Create a database with a ward."""
    migrate(url)
    store = SqlStore(url, UTC)
    now = datetime.now(UTC)
    ward = a_ward(store, clock=SettableClock(now))
    sheet_id = ward.sheet(admission_date=now.date())["id"]
    session = Session(id="imports", user_id=ward.admin.user_id, expires_at=now + timedelta(days=1), used_at=now)
    with store.begin() as work:
        work.sessions.add(session)
    store.close()
    return url, RecordingWard(JwtTokens(SECRET_KEY).issue(session), sheet_id, ward.product_id)


if __name__ == "__main__":
    main()
