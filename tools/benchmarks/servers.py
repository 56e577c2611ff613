"""Server processes under measurement: start, calls, processor time."""

import gzip
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import URL

from tests.servers import Cluster, Server, make_cluster, reserved_port, run_cluster, run_on_free_port, serving, stop
from tools.benchmarks.timing import milliseconds

SECRET_KEY = "a key of the benchmarks and of no other server"


@dataclass(frozen=True, slots=True)
class Request:
    """A call; ``status`` is the expected status."""

    path: str
    method: str = "GET"
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


class Client:
    """Calls one server sequentially on a keep-alive connection."""

    def __init__(self, address: str, token: str) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
        # Like browsers.
        self._headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "gzip, deflate, br"}

    def __call__(self, request: Request) -> bytes:
        """Send the request and return the body of the answer."""
        body = None if request.body is None else json.dumps(request.body).encode()
        headers = self._headers | dict(request.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(request.method, request.path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != request.status:
            raise RuntimeError(f"{request.method} {request.path}: {answer.status} {content[:500]!r}")
        return gzip.decompress(content) if answer.headers.get("Content-Encoding") == "gzip" else content


def milliseconds_per_call(client: Client, asked: Sequence[Request], *, warming: int = 0) -> float:
    """Return the median time of the requests, without the first ones."""
    requests = iter(asked)
    return milliseconds(lambda: client(next(requests)), len(asked) - warming, warming=warming)


@contextmanager
def durable_postgresql(**settings: str) -> Iterator[Cluster]:
    """Run PostgreSQL as hospitals have it: durable, and over TCP."""
    folder = Path(tempfile.mkdtemp(prefix="consumo-pg-"))
    try:
        make_cluster(folder)
        with reserved_port() as port:
            chosen = {"listen_addresses": "127.0.0.1", "port": str(port), "shared_buffers": "512MB"} | settings
            server = run_cluster(folder, **chosen)
            try:
                yield Cluster(
                    URL.create("postgresql+psycopg", "postgres", host="127.0.0.1", port=port, database="postgres")
                )
            finally:
                stop(server, signal.SIGINT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def ours(database_url: str, folder: Path, **settings: str) -> Iterator[Server]:
    """Run `consumo serve`."""
    with serving(database_url, folder, {"CONSUMO_SECRET_KEY": SECRET_KEY, **settings}) as server:
        yield server


@contextmanager
def baseline(database_url: str, folder: Path) -> Iterator[Server]:
    """Run the baseline (baseline.py) on the same server program."""
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--log-level", "warning"]
    settings = {"CONSUMO_SECRET_KEY": SECRET_KEY}
    with run_on_free_port(
        lambda port: [*command, "--port", str(port), "tools.benchmarks.baseline:app"], database_url, folder, settings
    ) as server:
        yield server


def processor_seconds(pid: int) -> float:
    """Return user and system time of the process and its children so far."""
    return sum(_nanoseconds(process) for process in _family(pid)) / 1e9


def processor_ticks(pid: int) -> float:
    """Return the same in hundredths of a second, with threads that have ended."""
    return sum(sum(map(int, _stat(each)[11:15])) for each in _family(pid)) / os.sysconf("SC_CLK_TCK")


def max_megabytes(pid: int) -> int:
    """Return the peak memory of the process or one of its children so far."""
    return max(map(_most_kilobytes, _family(pid))) // 1024


def own_megabytes(pid: int) -> list[float]:
    """Return the memory of the process, then of each of its children.

    Memory that processes share is divided among them.
    """
    return [_kilobytes(each, "smaps_rollup", "Pss:") / 1024 for each in sorted(_family(pid))]


def _most_kilobytes(pid: int) -> int:
    return _kilobytes(pid, "status", "VmHWM:")


def _kilobytes(pid: int, file: str, name: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def postmaster_of(backend: int) -> int:
    """Return the postmaster of this PostgreSQL backend."""
    return _parent(backend)


def _family(pid: int) -> set[int]:
    parents = {int(path.name): _parent(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["0"] * 50


def _nanoseconds(pid: int) -> int:
    # The scheduler's statistics are exact; utime and stime in /proc/PID/stat are in hundredths of a second.
    taken = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            taken += int(thread.read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return taken
