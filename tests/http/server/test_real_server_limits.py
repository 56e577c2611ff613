"""Timeouts of a real server: slow bodies, idle connections, shutdown."""

import json
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from sqlalchemy import make_url

from adapters.http.requests.request import BODY_TIMEOUT_SECONDS
from adapters.server.serving import IDLE_TIMEOUT_SECONDS
from tests.http.accounts.signed_in import LOGIN, REGISTER
from tests.http.hospital import SECRET_KEY, hospital_on
from tests.pace import PATIENCE
from tests.servers import Server

LENGTH = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 64\r\n\r\n"
CHUNKED = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


@contextmanager
def begun(server: Server, head: bytes = LENGTH) -> Iterator[socket.socket]:
    """A connection with an unfinished request."""
    address = urlsplit(server.address)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=PATIENCE) as connection:
        connection.sendall(head % LOGIN.encode())
        yield connection


def send_a_byte_a_second(server: Server, head: bytes, piece: bytes) -> tuple[float, bytes]:
    """Send a byte per second; returns the seconds until the answer, and it."""
    started = time.monotonic()
    with begun(server, head) as connection:
        while time.monotonic() - started < PATIENCE:
            connection.sendall(piece)
            connection.settimeout(1)
            try:
                answer = connection.recv(65_536)
            except TimeoutError:
                continue
            return time.monotonic() - started, answer
    raise AssertionError("the server waited for the slow one")


def end_in_mid_request(server: Server) -> None:
    """Stop the server, which does not wait for unfinished requests."""
    with ExitStack() as requests:
        for head in (LENGTH, LENGTH, CHUNKED):
            requests.enter_context(begun(server, head))
        # When this is answered, the requests above have been accepted.
        assert httpx.get(f"{server.address}/health/ready", trust_env=False).is_success
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(PATIENCE)


def test_a_slow_body_is_408_and_sigterm_ends_a_busy_server(
    sqlite_url: str, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    with hospital_on(sqlite_url, tmp_path) as hospital:
        admin = dict(hospital.admin.headers)
    # Each server has a database of its own.
    other = tmp_path / "other.db"
    with (
        closing(sqlite3.connect(str(make_url(sqlite_url).database))) as source,
        closing(sqlite3.connect(other)) as copy,
    ):
        source.backup(copy)
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor() as threads:
        # A mail server that accepts connections and never answers.
        smtp_url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        patient, ending = (
            serve(url, CONSUMO_SECRET_KEY=SECRET_KEY, CONSUMO_SMTP_URL=smtp_url)
            for url in (sqlite_url, f"sqlite:///{other}")
        )
        letter = {"email": "marta@hospital.test", "role": "1"}
        invited = httpx.post(
            f"{ending.address}{REGISTER}", json=letter, headers=admin, trust_env=False, timeout=PATIENCE
        )
        assert invited.status_code == 201

        slow = [
            threads.submit(send_a_byte_a_second, patient, LENGTH, b" "),
            threads.submit(send_a_byte_a_second, patient, CHUNKED, b"1\r\n \r\n"),
        ]
        ended = threads.submit(end_in_mid_request, ending)
        for waiting in slow:
            seconds, answer = waiting.result()
            assert seconds > BODY_TIMEOUT_SECONDS - 1
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "too_slow"
        ended.result()
        assert ending.process.returncode in (0, -signal.SIGTERM)
        # Other requests were served meanwhile, and still are.
        quick = httpx.post(f"{patient.address}{LOGIN}", json={}, trust_env=False)
        assert quick.status_code == 422


def until_closed(server: Server, sent: bytes) -> float:
    """Seconds until the server closes a connection that sent only these bytes."""
    address = urlsplit(server.address)
    started = time.monotonic()
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        while connection.recv(65_536):
            pass
        return time.monotonic() - started


def test_idle_and_unfinished_heads_are_closed(sqlite_url: str, serve: Callable[..., Server]) -> None:
    server = serve(sqlite_url)
    nothing, half, whole = b"", b"GET /health/live HTTP/1.1\r\nHos", b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    with ThreadPoolExecutor() as threads:
        for seconds in threads.map(lambda sent: until_closed(server, sent), [nothing, half, whole]):
            assert seconds > IDLE_TIMEOUT_SECONDS - 2
