"""Benchmark of a second server process.

Run ``python -m tools.benchmarks.two_processes``.

One PostgreSQL, one server with one process and one with two get the same requests in turn over 16 connections, for some
seconds each. The output has the requests a second, and the processor time per request of the server processes, of
PostgreSQL, and of the client, which has to run on the same machine. If these exceed the machine's processors together,
requests a second cannot double, even if the processes are independent. They are independent if the server's own time
per request stays the same.
"""

import argparse
import os
import secrets
import selectors
import socket
import tempfile
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple
from urllib.parse import urlsplit

import psycopg

from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from tests.servers import Server, postgresql
from tools.benchmarks.hot_calls import CALLS, analyze
from tools.benchmarks.servers import SECRET_KEY, Request, ours, postmaster_of, processor_seconds
from tools.benchmarks.ward import Furnished, furnish

CONNECTIONS = 16


class Load(NamedTuple):
    """Requests a second, and processor time per request in microseconds."""

    per_second: float
    server: float
    database: float
    client: float


class Connection:
    """A connection that sends one request after the other without pause."""

    def __init__(self, address: str, message: bytes) -> None:
        host, port = urlsplit(address).netloc.split(":")
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._message = message
        self._said = b""

    def ask(self) -> None:
        self.socket.sendall(self._message)

    def answered(self) -> bool:
        """Read available data; return whether the answer is complete."""
        self._said += self.socket.recv(262_144)
        head, blank, body = self._said.partition(b"\r\n\r\n")
        if not blank:
            return False
        if not head.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(self._said[:500])
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return False
        self._said = b""
        return True


def message_of(request: Request, token: str) -> bytes:
    """Encode the request, asking for compression as browsers do."""
    head = f"{request.method} {request.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
    return (head + "Accept-Encoding: gzip\r\n\r\n").encode()


def load(server: Server, message: bytes, postmaster: int, seconds: float) -> Load:
    """Send requests as fast as the server answers."""
    connections = [Connection(server.address, message) for _ in range(CONNECTIONS)]
    selector = selectors.DefaultSelector()
    for connection in connections:
        selector.register(connection.socket, selectors.EVENT_READ, connection)

    def taken() -> tuple[float, float, float]:
        return processor_seconds(server.process.pid), processor_seconds(postmaster), process_time()

    before, begun, answers = taken(), perf_counter(), 0
    for connection in connections:
        connection.ask()
    while perf_counter() - begun < seconds:
        for key, _ in selector.select(1):
            if key.data.answered():
                answers += 1
                key.data.ask()
    passed = perf_counter() - begun
    spent = [(now - then) / answers * 1e6 for now, then in zip(taken(), before, strict=True)]
    for connection in connections:
        connection.socket.close()
    selector.close()
    return Load(answers / passed, *spent)


def print_a_sheet(ward: Furnished) -> Request:
    """Request a sheet's PDF, which is mostly the server's own work."""
    return Request(f"/api/consumption-sheets/{ward.full[0]}/pdf")


ASKED: dict[str, Callable[[Furnished], Request]] = {
    "a sheet's 100 details": CALLS["a sheet's 100 details"].ask,
    "open sheets": CALLS["open sheets"].ask,
    "a sheet's PDF": print_a_sheet,
}


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=5)
    asked = options.parse_args()
    with postgresql() as cluster, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = cluster.create(f"consumo_bench_{secrets.token_hex(4)}")
        migrate(url)
        store = SqlStore(url, UTC)
        ward = furnish(store, SECRET_KEY)
        store.close()
        analyze(url)
        with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as connection:
            postmaster = postmaster_of(connection.info.backend_pid)
        print(f"{os.cpu_count()} processors")
        print()
        print(
            "| call | processes | requests/s | µs of the server's | of PostgreSQL's | of the client's "
            "| two to one | server's time, two to one |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        with ours(url, folder) as one, ours(url, folder, CONSUMO_WORKERS="2") as two:
            for name, ask in ASKED.items():
                message = message_of(ask(ward), ward.token)
                loads: tuple[list[Load], list[Load]] = ([], [])
                for number in range(-1, asked.rounds):
                    for server, those in ((one, loads[0]), (two, loads[1])):
                        measured = load(server, message, postmaster, asked.seconds if number >= 0 else 2)
                        if number >= 0:
                            those.append(measured)
                more = median(b.per_second / a.per_second for a, b in zip(*loads, strict=True))
                dearer = median(b.server / a.server for a, b in zip(*loads, strict=True))
                for processes, those, ratios in (
                    (1, loads[0], "| |"),
                    (2, loads[1], f"| **{more:.2f}** | {dearer:.2f} |"),
                ):
                    figures = " | ".join(f"{median(each):,.0f}" for each in zip(*those, strict=True))
                    print(f"| {name} | {processes} | {figures} {ratios}", flush=True)


if __name__ == "__main__":
    main()
