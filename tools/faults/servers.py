"""Servers that can be killed and restarted at the same address."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from adapters.security.tokens import JwtTokens
from adapters.sql.store import SqlStore
from application.accounts.ports.identity import Session
from domain.common.policy import Actor
from tests.builders import ZONE, Ward, a_ward
from tests.servers import ROOT, dying_with_us, stop
from tools.faults.alerts import RECORDING

SECRET_KEY = secrets.token_hex(32)


class ForkServer:
    """The process that starts servers (`tools/faults/fork_server.py`).

    All servers end with the block.
    """

    def __init__(self, mutant: str | None = None, environment: Mapping[str, str] | None = None) -> None:
        command = [
            *dying_with_us("KILL"),
            sys.executable,
            "-m",
            "tools.faults.fork_server",
            *([mutant] if mutant else []),
        ]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | dict(environment or {}), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        stop(self._process, signal.SIGCONT)  # type: ignore[arg-type]
        assert self._process.stdout
        self._process.stdout.close()

    def ask(self, command: str) -> str:
        """Send a command and return the answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        if not answer:
            raise RuntimeError(f"the fork server did not answer to: {command}")
        return answer


class Server:
    """A server at its own address."""

    def __init__(
        self, fork_server: ForkServer, database_url: str, folder: Path, settings: Mapping[str, str] | None = None
    ) -> None:
        self._fork_server = fork_server
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.log = folder / f"serve-{port}.log"
        self._settings = {
            "CONSUMO_DATABASE_URL": database_url,
            "CONSUMO_SECRET_KEY": SECRET_KEY,
            "CONSUMO_HOST": "127.0.0.1",
            "CONSUMO_PORT": str(port),
            "CONSUMO_TIME_ZONE": ZONE.key,
            "CONSUMO_LOG_FORMAT": "json",
            # A killed server leaves temporary files behind.
            "TMPDIR": str(folder),
        } | dict(settings or {})
        self._pid = ""
        self.start()

    def start(self) -> None:
        """Start it without waiting until it is ready."""
        self._pid = self._fork_server.ask(f"start {self.log} {json.dumps(self._settings)}")

    def wait(self) -> None:
        """Wait until it is ready."""
        until = time.monotonic() + 60
        while not self.is_ready():
            if time.monotonic() > until:
                raise RuntimeError(f"the server does not get ready:\n{self.log.read_text(errors='replace')[-4000:]}")
            time.sleep(0.05)

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/health/ready", timeout=5, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """SIGKILL it and its workers: no handler runs, nothing is flushed."""
        self._fork_server.ask(f"kill {self._pid}")

    def stop(self) -> None:
        """SIGTERM it and wait for its end."""
        self._fork_server.ask(f"stop {self._pid}")


class Sender:
    """The process that sends messages to billing."""

    def __init__(self, fork_server: ForkServer, settings: Mapping[str, str], log: Path) -> None:
        self._fork_server = fork_server
        self._command = f"send {log} {json.dumps(dict(settings))}"
        self._pid = ""
        self.start()

    def start(self) -> None:
        """Start it without waiting."""
        self._pid = self._fork_server.ask(self._command)

    def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        self._fork_server.ask(f"kill {self._pid}")


@contextmanager
def sender_of(database_url: str, destination: str, mutant: str | None = None) -> Iterator[Sender]:
    """Yield a sender on that database."""
    settings = {
        "CONSUMO_DATABASE_URL": database_url,
        "CONSUMO_SECRET_KEY": SECRET_KEY,
        "CONSUMO_DFT_DESTINATION": destination,
    }
    with tempfile.TemporaryDirectory(prefix="consumo-faults-") as folder, ForkServer(mutant) as fork_server:
        yield Sender(fork_server, settings, Path(folder) / "send.log")


@contextmanager
def servers(
    database_url: str,
    *,
    many: int = 1,
    mutant: str | None = None,
    settings: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[list[Server]]:
    """Yield running servers on one database."""
    with (
        tempfile.TemporaryDirectory(prefix="consumo-faults-") as folder,
        ForkServer(mutant, environment) as fork_server,
    ):
        started = [Server(fork_server, database_url, Path(folder), settings) for _ in range(many)]
        for server in started:
            server.wait()
        recording = RECORDING.get()
        with recording.of([server.address for server in started]) if recording else nullcontext():
            yield started


def furnish(database_url: str, secret_key: str = SECRET_KEY) -> tuple[Ward, str]:
    """Create a ward; return it and the token of a long-running session.

    The session is that of a supervisor.
    """
    store = SqlStore(database_url, ZONE)
    try:
        ward = a_ward(store)
        return ward, token_of(store, ward.supervisor, secret_key=secret_key)
    finally:
        store.close()


def token_of(
    store: SqlStore, actor: Actor, lasts: timedelta = timedelta(days=3650), *, secret_key: str = SECRET_KEY
) -> str:
    """Return a token for a new session of that user."""
    session = Session(
        id=secrets.token_hex(8), user_id=actor.user_id, expires_at=datetime.now(UTC) + lasts, used_at=datetime.now(UTC)
    )
    with store.begin() as work:
        work.sessions.add(session)
    return JwtTokens(secret_key).issue(session)
