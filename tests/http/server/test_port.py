"""Only one server can use a port; a restart finds the port free."""

import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from adapters.server.serving import CannotServe, _reserve_port, reserve_database
from adapters.sql.migrate import migrate
from tests.pace import PATIENCE
from tests.servers import CONSUMO, ROOT, Server, environment, serving

EVERYWHERE = "0.0.0.0"  # noqa: S104
TAKEN = "another server is there already. End that one, or set another CONSUMO_PORT."
# TIME_WAIT in Linux's /proc/net/tcp.
TIME_WAIT = "06"


def port_of(server: Server) -> int:
    return urlsplit(server.address).port or 0


def refused(database_url: str, host: str, port: int, **settings: str) -> str:
    """Run `consumo serve` until it fails; returns its message in one line."""
    ended = subprocess.run(
        [CONSUMO, "serve"],
        env=environment(database_url, CONSUMO_HOST=host, CONSUMO_PORT=str(port), **settings),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    return sentence(ended.stderr)


def sentence(stderr: str) -> str:
    assert "Traceback" not in stderr
    assert stderr.startswith("╭─ Error"), stderr
    return " ".join(stderr.replace("╭─ Error", "").translate(dict.fromkeys(map(ord, "╭╮╰╯│─"))).split())


@contextmanager
def listening(host: str, *, shares: bool, port: int = 0) -> Iterator[int]:
    """Another program's listener; ``shares`` sets SO_REUSEPORT."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shares))
        other.bind((host, port))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.walk
@pytest.mark.postgresql
def test_a_server_with_workers_refuses_a_second_one_on_its_port(
    postgresql_url: str, blank_postgresql_url: str, tmp_path: Path
) -> None:
    migrate(blank_postgresql_url)
    with serving(postgresql_url, tmp_path, {"CONSUMO_WORKERS": "2"}) as server:
        port = port_of(server)
        reported = refused(blank_postgresql_url, EVERYWHERE, port, CONSUMO_WORKERS="2")
        assert reported == f"Cannot serve at {EVERYWHERE}, port {port}: {TAKEN}"


@pytest.mark.parametrize("shares", [False, True])
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", EVERYWHERE),
        (EVERYWHERE, "127.0.0.1"),
        ("::1", "::"),
        ("::", "::1"),
        ("127.0.0.1", "::"),
        ("::", "127.0.0.1"),
    ],
)
def test_another_listener_on_the_port_is_reported(theirs: str, ours: str, shares: bool) -> None:
    with (
        listening(theirs, shares=shares) as port,
        pytest.raises(CannotServe, match=TAKEN),
        _reserve_port(ours, port, patience=0),
    ):
        pass


def test_a_reserved_port_is_open_to_own_processes_only(
    port: int,
) -> None:
    with _reserve_port("127.0.0.1", port):
        for host in ("127.0.0.1", EVERYWHERE, "::"):
            with pytest.raises(CannotServe, match=TAKEN), _reserve_port(host, port, patience=0):
                pass
        with listening("127.0.0.1", shares=True, port=port), listening("127.0.0.1", shares=True, port=port):
            socket.create_connection(("127.0.0.1", port)).close()
    with _reserve_port("127.0.0.1", port):
        pass


def test_a_port_that_is_released_late_is_waited_for() -> None:
    def take(port: int) -> bool:
        with _reserve_port("127.0.0.1", port, patience=60):
            return True

    with ThreadPoolExecutor() as thread:
        with listening("127.0.0.1", shares=True) as port:
            taking = thread.submit(take, port)
            with pytest.raises(CannotServe), _reserve_port("127.0.0.1", port, patience=0):
                pass
            assert not taking.done()
        assert taking.result()


def test_an_address_of_another_machine_is_reported() -> None:
    with pytest.raises(CannotServe, match="this machine has no such address"), _reserve_port("192.0.2.7", 8000):
        pass


def test_a_second_server_is_refused_and_a_restart_succeeds(
    sqlite_url: str, demo_file: Path, tmp_path: Path, port: int
) -> None:
    with serving(sqlite_url, tmp_path, port=port) as server:
        reported = refused(f"sqlite:///{demo_file}", "127.0.0.1", port)
        assert reported == f"Cannot serve at 127.0.0.1, port {port}: {TAKEN}"
        # The server closes first, so its side of the connection stays in TIME_WAIT for a minute.
        for _ in range(3):
            answer = httpx.get(f"{server.address}/health/live", headers={"Connection": "close"}, trust_env=False)
            assert answer.is_success
        open_still = socket.create_connection(("127.0.0.1", port))
    states = [line.split()[3] for line in Path("/proc/net/tcp").read_text().splitlines() if f":{port:04X}" in line]
    assert TIME_WAIT in states, "nothing is left of the connections: this test shows nothing"
    with open_still, serving(sqlite_url, tmp_path, port=port) as server:
        assert httpx.get(f"{server.address}/health/live", trust_env=False).is_success


def test_a_second_server_on_an_sqlite_file_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/consumo.db"
    refused = pytest.raises(CannotServe, match="another server is working on it")
    with reserve_database(url), reserve_database(f"{url}-2"), refused, reserve_database(url, patience=0):
        pass
    with reserve_database(url, patience=0), reserve_database("postgresql://h/d"):
        pass
