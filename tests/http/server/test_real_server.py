"""A real server: killed during writes, and sent malformed HTTP."""

import json
import os
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC
from decimal import Decimal
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from sqlalchemy import create_engine, text

from adapters.sql.engine.connections import to_url
from adapters.sql.store import SqlStore
from domain.hospital.settings import HospitalSettings
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, SECRET_KEY, SHEETS, exact, hospital_on
from tests.pace import PATIENCE
from tests.servers import Server, serving

Serve = Callable[..., Server]

WRITERS = 8
ACKNOWLEDGED = 100


@dataclass
class Writer:
    """A client that records details in a loop and keeps what was acknowledged."""

    name: str
    path: str
    body: dict[str, object]
    acknowledged: dict[str, bytes] = field(default_factory=dict)
    unanswered: str = ""
    refused: str = ""

    def record(self, client: httpx.Client, key: str) -> httpx.Response:
        return client.post(self.path, json=self.body, headers={"Idempotency-Key": key})

    def write(self, client: httpx.Client, enough: threading.Semaphore) -> None:
        for number in count():
            self.unanswered = f"{self.name}-{number}"
            try:
                answer = self.record(client, self.unanswered)
            except httpx.HTTPError:
                return
            if answer.status_code != 201:
                self.refused = answer.text
            self.acknowledged[self.unanswered] = answer.content
            enough.release()


@ON_EVERY_DATABASE
def test_a_killed_server_loses_no_acknowledged_line(database: str, tmp_path: Path, serve: Serve) -> None:
    with hospital_on(database, tmp_path) as hospital:
        sheets = [hospital.open_sheet(), hospital.open_sheet()]
    headers = dict(hospital.supervisor.headers)
    writers = [
        Writer(
            name=f"writer-{number}",
            path=f"{SHEETS}/{sheets[number % len(sheets)]}/consumption-details",
            body={"product_id": (hospital.gauze, hospital.cannula)[number % 2], "quantity": 1 + number / 8},
        )
        for number in range(WRITERS)
    ]

    server = serve(database, CONSUMO_SECRET_KEY=SECRET_KEY)
    enough = threading.Semaphore(0)
    with talking_to(server, headers) as client:
        threads = [threading.Thread(target=writer.write, args=[client, enough]) for writer in writers]
        for thread in threads:
            thread.start()
        for _ in range(ACKNOWLEDGED):
            assert enough.acquire(timeout=PATIENCE)
        os.killpg(server.process.pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
    assert [writer.refused for writer in writers] == [""] * WRITERS

    with talking_to(serve(database, CONSUMO_SECRET_KEY=SECRET_KEY), headers) as client:
        acknowledged = {key: content for writer in writers for key, content in writer.acknowledged.items()}
        assert len(acknowledged) >= ACKNOWLEDGED
        for content in acknowledged.values():
            reported = json.loads(content)
            # Only the answer to recording has warnings about possible duplicates.
            reported.pop("warnings", None)
            assert client.get(f"{DETAILS}/{reported['id']}").json() == reported
        assert 0 <= agreeing(client, database, sheets) - len(acknowledged) <= WRITERS

        # The unanswered requests are repeated: each is done once, whether or not it had been stored.
        for writer in writers:
            answer = writer.record(client, writer.unanswered)
            while answer.status_code == 409:  # the database still holds the transactions of the killed server
                answer = writer.record(client, writer.unanswered)
            assert answer.status_code == 201, answer.text
        assert agreeing(client, database, sheets) == len(acknowledged) + WRITERS
        for sheet in sheets:
            assert client.delete(f"{SHEETS}/{sheet}/close").status_code == 200


def talking_to(server: Server, headers: dict[str, str]) -> httpx.Client:
    return httpx.Client(base_url=server.address, headers=headers, timeout=PATIENCE, trust_env=False)


def agreeing(client: httpx.Client, database: str, sheets: list[int]) -> int:
    """Check totals, audit log and keys; returns the number of details."""
    written = Counter[int]()
    for sheet in sheets:
        details = list(details_of(client, sheet))
        written[sheet] = len(details)
        answer = exact(client.get(f"{SHEETS}/{sheet}"))
        assert answer["total"] == sum((detail["total"] for detail in details), Decimal(0))
        assert answer["version"] == 1 + len(details)
        for detail in details:
            assert detail["total"] == (detail["unit_price"] * detail["quantity"]).quantize(
                Decimal("0.01"), "ROUND_HALF_UP"
            )
    engine = create_engine(to_url(database))
    with engine.connect() as connection:
        audit_log = connection.execute(
            text("SELECT count(*) FROM audit_trail WHERE action = 'detail.added'")
        ).scalar_one()
        answers = connection.execute(text("SELECT count(*) FROM idempotent_answers")).scalar_one()
        if engine.dialect.name == "sqlite":
            assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
    engine.dispose()
    assert audit_log == answers == written.total()
    return written.total()


def details_of(client: httpx.Client, sheet: int) -> Iterator[dict[str, Decimal]]:
    cursor = ""
    while True:
        page = exact(client.get(f"{SHEETS}/{sheet}/consumption-details?limit=100{cursor}"))
        yield from page["items"]
        if "next" not in page["meta"]:
            return
        cursor = f"&cursor={page['meta']['next']}"


def test_a_server_exits_cleanly_on_sigterm(sqlite_url: str, serve: Serve) -> None:
    server = serve(sqlite_url)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(PATIENCE) == 0
    assert "Traceback" not in server.log.read_text()


def test_malformed_http_is_refused_and_the_server_keeps_serving(sqlite_url: str, serve: Serve) -> None:
    server = serve(sqlite_url)
    address = urlsplit(server.address)
    page = b"GET / HTTP/1.1\r\nHost: x\r\n"
    login = b"POST /api/auth/login HTTP/1.1\r\nHost: x\r\n"
    for said in (
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # the start of a TLS handshake
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /%00%ff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        page + b"X: " + b"x" * 1_000_000 + b"\r\n\r\n",
        page + b"X: y\r\n" * 50_000 + b"\r\n",
        page + b"X\x00Y: z\r\n\r\n",
        page + b"Host: y\r\n\r\n",
        login + b"Content-Length: -1\r\n\r\n",
        login + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n",
        login + b"Content-Length: 2000000\r\n\r\n",
        login + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        login + b"Content-Length: 20\r\n\r\n{",  # followed by a disconnect
        login + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        login + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    ):
        with closing(socket.create_connection((address.hostname, address.port), timeout=PATIENCE)) as connection:
            answer = exchanged(connection, said)
        assert answer == b"" or answer.split()[1][:1] in (b"2", b"4"), (said[:60], answer[:200])
        assert httpx.get(f"{server.address}/health/live", trust_env=False).status_code == 200
    assert "Traceback" not in server.log.read_text()


def test_every_log_line_is_json_without_error_messages(sqlite_url: str, tmp_path: Path, serve: Serve) -> None:
    """Including lines about an unexpected error and about the shutdown."""
    with hospital_on(sqlite_url, tmp_path) as hospital:
        headers = dict(hospital.supervisor.headers)
    server = serve(sqlite_url, CONSUMO_SECRET_KEY=SECRET_KEY, CONSUMO_LOG_FORMAT="json")
    engine = create_engine(to_url(sqlite_url))
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE areas RENAME TO juana_rios"))
    engine.dispose()
    with talking_to(server, headers) as client:
        answer = client.get("/api/areas?q=juana")
        assert answer.status_code == 500
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(PATIENCE)
    written = server.log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert any(line["event"].startswith("Consumo is at") for line in lines)
    assert [line["request_id"] for line in lines if "raised" in line] == [answer.headers["x-request-id"]]
    assert "no such table" not in written
    assert "juana" not in written


def exchanged(connection: socket.socket, said: bytes) -> bytes:
    """The first bytes of the answer; empty if the server disconnects."""
    try:
        connection.sendall(said)
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(1_000)
    except OSError:
        return b""


def test_a_server_reads_settings_that_another_process_changed(sqlite_url: str, tmp_path: Path) -> None:
    with serving(sqlite_url, tmp_path) as server, httpx.Client(base_url=server.address) as client:
        assert client.get("/api/settings").json()["time_zone"] == "UTC"
        with closing(SqlStore(sqlite_url, UTC)) as store, store.begin() as work:
            stored = work.hospital_settings.lock()
            settings = HospitalSettings(time_zone="America/Lima")
            work.hospital_settings.save(replace(stored, settings=settings, version=1))
        until = time.monotonic() + PATIENCE
        while client.get("/api/settings").json()["time_zone"] != "America/Lima":
            assert time.monotonic() < until
