"""Two PostgreSQL nodes under Patroni and etcd, in one local folder."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.servers import as_its_owner, dying_with_us, postgresql_binaries, stop
from tools.faults.databases import a_folder
from tools.faults.load import wait_for
from tools.faults.proxy import FaultyProxy
from tools.faults.scenario import CannotRun

_HERE = "127.0.0.1/32"

# Time without a primary before failover; the minimum in Patroni is 20.
TTL_SECONDS, LOOP_SECONDS, RETRY_SECONDS = 20, 3, 5


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Node:
    """PostgreSQL with Patroni.

    The other node replicates through a proxy that can be paused.
    """

    name: str
    folder: Path
    etcd: int
    synchronous: bool
    port: int = field(default_factory=free_port)
    rest: int = field(default_factory=free_port)
    proxy: FaultyProxy = field(init=False)
    _patroni: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.proxy = FaultyProxy(self.port, random.Random(0))
        self.folder.mkdir()
        self._settings.write_text(json.dumps(self._patroni_config(), indent=1))
        as_its_owner(self.folder)
        self.start()

    @property
    def _settings(self) -> Path:
        return self.folder / "patroni.yml"

    def start(self) -> None:
        """Start Patroni, which starts PostgreSQL."""
        with (self.folder / "log").open("ab") as output:
            self._patroni = subprocess.Popen(
                [*as_its_owner(self.folder), *dying_with_us("INT"), str(shutil.which("patroni")), str(self._settings)],
                cwd=self.folder, env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"},
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """SIGKILL Patroni and all PostgreSQL processes, as in a power failure."""
        with suppress(OSError, IndexError):
            postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
            listed = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
            self._patroni.kill()
            for pid in (postmaster, *map(int, listed)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self._patroni.kill()
        self._patroni.wait()

    def stop(self) -> None:
        """Stop Patroni and PostgreSQL."""
        stop(self._patroni, signal.SIGTERM, 30)
        self.proxy.close()

    def _patroni_config(self) -> dict[str, Any]:
        return {
            "scope": "consumo",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            "etcd3": {"host": f"127.0.0.1:{self.etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL_SECONDS,
                    "loop_wait": LOOP_SECONDS,
                    "retry_timeout": RETRY_SECONDS,
                    "maximum_lag_on_failover": 1_048_576,
                    "synchronous_mode": self.synchronous,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "use_slots": True,
                        "parameters": {"max_connections": 100, "wal_sender_timeout": "10s"},
                    },
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums", "no-sync"],
                "pg_hba": ["local all all trust", f"host all all {_HERE} trust", f"host replication all {_HERE} trust"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.proxy.port}",
                "data_dir": str(self.folder / "data"),
                "bin_dir": str(postgresql_binaries()),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres", "password": "x"},
                    "replication": {"username": "replicator", "password": "x"},
                    "rewind": {"username": "rewinder", "password": "x"},
                },
                "parameters": {"unix_socket_directories": str(self.folder)},
            },
        }  # fmt: skip


class Pair:
    """Both nodes."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes

    def url(self, database: str, *, prefer: str = "read-write") -> str:
        """Return a URL with both hosts; by default the primary is used."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self._nodes.values())
        return f"postgresql://postgres@{hosts}/{database}?target_session_attrs={prefer}"

    def roles(self) -> dict[str, str]:
        """Return the role of each node, from any node that answers."""
        for node in self._nodes.values():
            with suppress(httpx.HTTPError, KeyError):
                cluster = httpx.get(f"http://127.0.0.1:{node.rest}/cluster", timeout=2, trust_env=False).json()
                return {
                    member["role"]: member["name"]
                    for member in cluster["members"]
                    if member["state"] in ("running", "streaming")
                }
        return {}

    def wait_until_whole(self, follower: str, seconds: float = 90) -> None:
        """Wait for a primary and a node that follows it in that role."""
        if not wait_for(lambda: {"leader", follower} <= set(self.roles()), seconds, between=0.3):
            logs = "\n".join((node.folder / "log").read_text(errors="replace")[-1500:] for node in self._nodes.values())
            raise RuntimeError(f"the two nodes do not come together: {self.roles()}\n{logs}")

    def leader(self) -> Node:
        """Return the primary."""
        return self._nodes[self.roles()["leader"]]

    def other(self, node: Node) -> Node:
        return next(each for each in self._nodes.values() if each is not node)


@contextmanager
def a_pair(*, synchronous: bool) -> Iterator[Pair]:
    """Run a primary and a standby, and stop them at the end."""
    for command in ("patroni", "etcd"):
        if shutil.which(command) is None:
            raise CannotRun(f"{command} is not on this machine (`.ci/need faults` installs it)")
    with a_folder() as folder, ExitStack() as stack:
        etcd, peers = free_port(), free_port()
        here, between = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{peers}"
        with (folder / "etcd.log").open("wb") as output:
            agreeing = subprocess.Popen(
                [
                    *dying_with_us("KILL"), "etcd", "--name", "one", "--data-dir", str(folder / "etcd"),
                    "--listen-client-urls", here, "--advertise-client-urls", here, "--listen-peer-urls", between,
                    "--initial-advertise-peer-urls", between, "--initial-cluster", f"one={between}",
                ],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        stack.callback(stop, agreeing, signal.SIGTERM)
        nodes: dict[str, Node] = {}
        for name in ("n1", "n2"):
            nodes[name] = Node(name, folder / name, etcd, synchronous)
            stack.callback(nodes[name].stop)
        pair = Pair(nodes)
        pair.wait_until_whole("sync_standby" if synchronous else "replica")
        yield pair
