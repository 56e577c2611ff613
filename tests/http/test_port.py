"""A port has one server: a second one ends with a sentence, whatever database it has, and a restart finds it free."""

import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from adapters.server.serving import CannotServe, _reserve_port
from adapters.sql.migrate import migrate
from tests.servers import CONSUMO, ROOT, Server, environment, serving

EVERYWHERE = "0.0.0.0"  # noqa: S104
TAKEN = "another server is there already. End that one, or set another CONSUMO_PORT."
# As Linux tells it of each connection.
TIME_WAIT = "06"


def port_of(server: Server) -> int:
    return urlsplit(server.address).port or 0


def refused(database_url: str, host: str, port: int, **settings: str) -> str:
    """What `consumo serve` says that ends by itself, in one line and without the frame around it."""
    ended = subprocess.run(
        [CONSUMO, "serve"],
        env=environment(database_url, CONSUMO_HOST=host, CONSUMO_PORT=str(port), **settings),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    return sentence(ended.stderr)


def sentence(stderr: str) -> str:
    assert "Traceback" not in stderr
    assert stderr.startswith("╭─ Error"), stderr
    return " ".join(stderr.replace("╭─ Error", "").translate(dict.fromkeys(map(ord, "╭╮╰╯│─"))).split())


@contextmanager
def listening(host: str, *, shares: bool, port: int = 0) -> Iterator[int]:
    """Some other program, at a port of its own; ``shares`` where it lets others of its user listen there too."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shares))
        other.bind((host, port))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.walk
@pytest.mark.postgresql
def test_beside_several_processes_others_with_another_database_end_with_a_sentence(
    postgresql_url: str, blank_postgresql_url: str, tmp_path: Path
) -> None:
    migrate(blank_postgresql_url)
    with serving(postgresql_url, tmp_path, {"CONSUMO_WORKERS": "2"}) as server:
        port = port_of(server)
        told = refused(blank_postgresql_url, EVERYWHERE, port, CONSUMO_WORKERS="2")
        assert told == f"Cannot serve at {EVERYWHERE}, port {port}: {TAKEN}"


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
def test_whatever_listens_where_we_would_listen_too_is_told(theirs: str, ours: str, shares: bool) -> None:
    with (
        listening(theirs, shares=shares) as port,
        pytest.raises(CannotServe, match=TAKEN),
        _reserve_port(ours, port, patience=0),
    ):
        pass


def test_whoever_holds_a_port_and_does_not_listen_yet_keeps_all_others_away_and_its_own_processes_in(
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


def test_who_listened_a_moment_ago_is_waited_for() -> None:
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


def test_an_address_that_is_not_this_machines_is_told() -> None:
    with pytest.raises(CannotServe, match="this machine has no such address"), _reserve_port("192.0.2.7", 8000):
        pass


def test_a_second_server_ends_with_a_sentence_and_a_restart_finds_the_port_free(
    sqlite_url: str, demo_file: Path, tmp_path: Path, port: int
) -> None:
    with serving(sqlite_url, tmp_path, port=port) as server:
        told = refused(f"sqlite:///{demo_file}", "127.0.0.1", port)
        assert told == f"Cannot serve at 127.0.0.1, port {port}: {TAKEN}"
        # The server hangs up first, and so its side of the connection stays for a minute.
        for _ in range(3):
            answer = httpx.get(f"{server.address}/health/live", headers={"Connection": "close"}, trust_env=False)
            assert answer.is_success
        open_still = socket.create_connection(("127.0.0.1", port))
    states = [line.split()[3] for line in Path("/proc/net/tcp").read_text().splitlines() if f":{port:04X}" in line]
    assert TIME_WAIT in states, "nothing is left of the connections: this test shows nothing"
    with open_still, serving(sqlite_url, tmp_path, port=port) as server:
        assert httpx.get(f"{server.address}/health/live", trust_env=False).is_success
