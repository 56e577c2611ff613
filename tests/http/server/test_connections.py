"""Thousands of idle connections of open pages delay no other request."""

import resource
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.server import serving
from adapters.server.open_connections import MAX_CONNECTIONS, connections_at, raise_fd_limit, room
from adapters.settings.read_settings import Settings, read_settings
from tests.pace import PATIENCE
from tests.servers import Server, reserved_port

TOKEN = "a token of those who watch over the server"
PAGES = 1_500
LIVE = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def open_pages(server: Server, count: int) -> Iterator[Sequence[socket.socket]]:
    """Open `count` connections without sending a request."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 2 * count), hard), hard))
    address = urlsplit(server.address)
    with ExitStack() as closed:
        yield [
            closed.enter_context(socket.create_connection((address.hostname, address.port), timeout=PATIENCE))
            for _ in range(count)
        ]


def metrics(server: Server, name: str) -> list[float]:
    """The values of a metric, one per process."""
    answer = httpx.get(
        f"{server.address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE, trust_env=False
    )
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return [sample.value for family in families for sample in family.samples if sample.name == name]


@pytest.mark.parametrize(
    ("database", "workers"),
    [
        pytest.param("sqlite", 1, marks=pytest.mark.walk),
        pytest.param("postgresql", 2, marks=pytest.mark.postgresql),
    ],
)
def test_requests_are_served_beside_1500_idle_connections(
    database: str, workers: int, request: pytest.FixtureRequest, serve: Callable[..., Server]
) -> None:
    server = serve(
        request.getfixturevalue(f"{database}_url"), CONSUMO_WORKERS=str(workers), CONSUMO_METRICS_TOKEN=TOKEN
    )
    with open_pages(server, PAGES) as pages:
        # New connections, which the kernel distributes over all processes, and some that were already open.
        for _ in range(20):
            assert httpx.get(f"{server.address}/health/live", timeout=PATIENCE, trust_env=False).is_success
        for page in pages[:: PAGES // 20]:
            page.sendall(LIVE)
            assert page.recv(1_000).startswith(b"HTTP/1.1 200 ")
        open_now = metrics(server, "consumo_connections")
        assert len(open_now) == workers
        assert sum(open_now) == PAGES + 1  # and the one of this request
        assert metrics(server, "consumo_connections_most") == [MAX_CONNECTIONS] * workers


def test_open_connections_are_counted_by_port() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as ours,
        socket.create_server(("127.0.0.1", 0)) as other,
        ExitStack() as s,
    ):
        ports = [listening.getsockname()[1] for listening in (ours, other)]
        assert connections_at(ports[0]) == 0
        for listening, count in ((ours, 3), (other, 1)):
            for _ in range(count):
                s.enter_context(socket.create_connection(listening.getsockname()))
                s.enter_context(listening.accept()[0])
        before = sorted(Path("/dev/fd").iterdir())
        assert [connections_at(port) for port in ports] == [3, 1]
        # Counting neither closes nor leaks a file descriptor.
        assert sorted(Path("/dev/fd").iterdir()) == before
        s.close()
        assert [connections_at(port) for port in ports] == [0, 0]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], list[int]]:
    """Fake the limits of open files of this process.

    Returns the list that `setrlimit` changes.
    """

    def set_to(soft: int, hard: int) -> list[int]:
        now = [soft, hard]

        def change(_: int, to: tuple[int, int]) -> None:
            now[:] = to

        monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(now))
        monkeypatch.setattr(resource, "setrlimit", change)
        return now

    return set_to


ENDLESS = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("soft", "hard", "files", "connections"),
    [
        (1_024, 524_288, 65_536, MAX_CONNECTIONS),
        (1_024, 4_096, 4_096, 3_584),
        (256, 256, 256, 128),
        (100_000, 524_288, 100_000, MAX_CONNECTIONS),
        (1_024, ENDLESS, 65_536, MAX_CONNECTIONS),
        (ENDLESS, ENDLESS, ENDLESS, MAX_CONNECTIONS),
    ],
)
def test_the_limit_of_open_files_is_raised_as_far_as_allowed(
    limits: Callable[[int, int], list[int]], soft: int, hard: int, files: int, connections: int
) -> None:
    now = limits(soft, hard)
    assert raise_fd_limit() == files
    assert now == [files, hard]
    assert room() == connections


@pytest.mark.parametrize(("files", "reported"), [(524_288, 2), (4_096, 3)])
def test_a_server_prints_its_address_and_a_low_file_limit(
    limits: Callable[[int, int], list[int]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: int, reported: int
) -> None:
    limits(1_024, files)
    served: list[Settings] = []
    monkeypatch.setattr(serving, "_serve", served.append)
    said: list[str] = []
    with reserved_port("::1") as port:
        settings = read_settings({"CONSUMO_HOST": "::1", "CONSUMO_PORT": str(port)}, folder=tmp_path)
        serving.run_server(settings, said.append)
    assert served == [settings]
    assert (
        said
        == [
            f"Consumo is at http://[::1]:{port} (Ctrl-C ends it)",
            f"Passkeys work at http://localhost:{port}: not by an IP address.",
            "This machine lets a process open 4,096 files: no more than 3,584 connections can be open at once in each. "
            "Raise that limit (ulimit -Hn, LimitNOFILE of a service).",
        ][:reported]
    )
