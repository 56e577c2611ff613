"""Databases for fault injection: files, and a PostgreSQL of our own.

The PostgreSQL can be killed and started again.
"""

import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL

from adapters.sql.migrate import migrate
from tests.servers import Cluster, make_cluster, run_cluster, stop
from tools.faults.scenario import SQLITE, ScenarioRun


class Postgresql:
    """PostgreSQL with default durability, in its own folder."""

    def __init__(self, folder: Path, *initdb: str) -> None:
        self.folder = folder
        make_cluster(folder, *initdb)
        self._server: subprocess.Popen[bytes] = run_cluster(folder)

    @property
    def cluster(self) -> Cluster:
        return Cluster(
            URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(self.folder)})
        )

    @property
    def runs(self) -> bool:
        """Return whether it is running."""
        return self._server.poll() is None

    def start(self) -> None:
        self._server = run_cluster(self.folder)

    def kill(self) -> None:
        """SIGKILL all its processes at once."""
        children = self._children()
        for pid in (self._server.pid, *children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._server.wait()
        # PostgreSQL refuses to start while one of them is left.
        while any(Path(f"/proc/{pid}").exists() for pid in children):
            time.sleep(0.01)

    def kill_a_backend(self, chance: random.Random) -> bool:
        """SIGKILL a backend: PostgreSQL closes all connections and recovers."""
        serving = [pid for pid in self._children() if b"consumo" in _command_of(pid)]
        if not serving:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(serving), signal.SIGKILL)
        return True

    def stop(self) -> None:
        stop(self._server, signal.SIGINT)

    def _children(self) -> list[int]:
        listed = Path(f"/proc/{self._server.pid}/task/{self._server.pid}/children")
        with suppress(OSError):
            return [int(pid) for pid in listed.read_text().split()]
        return []


def _command_of(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@contextmanager
def a_folder() -> Iterator[Path]:
    """Yield a temporary folder that PostgreSQL's user can access."""
    folder = Path(tempfile.mkdtemp(prefix="consumo-faults-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def a_postgresql() -> Iterator[Postgresql]:
    """Run PostgreSQL and stop it at the end."""
    with a_folder() as folder:
        running = Postgresql(folder)
        try:
            yield running
        finally:
            running.stop()


@contextmanager
def a_database(run: ScenarioRun) -> Iterator[str]:
    """Yield an empty, migrated database of the run's kind."""
    if run.kind == SQLITE:
        with a_folder() as folder:
            url = f"sqlite:///{folder / 'consumo.db'}"
            migrate(url)
            yield url
    else:
        with a_postgresql() as running:
            url = running.cluster.create("consumo")
            migrate(url)
            yield url
