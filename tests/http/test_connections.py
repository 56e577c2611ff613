"""Whoever has a page open keeps a connection: thousands of idle ones keep nobody else from being answered."""

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
from adapters.server.open_connections import MOST_CONNECTIONS, connections_at, raise_fd_limit, room
from adapters.settings import Settings, read_settings
from tests.servers import Server, reserved_port

TOKEN = "a token of those who watch over the server"
PAGES = 1_500
LIVE = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def open_pages(server: Server, count: int) -> Iterator[Sequence[socket.socket]]:
    """So many people with a page open, who ask nothing right now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 2 * count), hard), hard))
    address = urlsplit(server.address)
    with ExitStack() as closed:
        yield [
            closed.enter_context(socket.create_connection((address.hostname, address.port), timeout=30))
            for _ in range(count)
        ]


def metrics(server: Server, name: str) -> list[float]:
    """That figure of each process."""
    answer = httpx.get(
        f"{server.address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30, trust_env=False
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
def test_with_thousands_of_idle_connections_everybody_is_answered(
    database: str, workers: int, request: pytest.FixtureRequest, serve: Callable[..., Server]
) -> None:
    server = serve(
        request.getfixturevalue(f"{database}_url"), CONSUMO_WORKERS=str(workers), CONSUMO_METRICS_TOKEN=TOKEN
    )
    with open_pages(server, PAGES) as pages:
        # New connections, which the kernel deals to all processes; and some that were open all the while.
        for _ in range(20):
            assert httpx.get(f"{server.address}/health/live", timeout=30, trust_env=False).is_success
        for page in pages[:: PAGES // 20]:
            page.sendall(LIVE)
            assert page.recv(1_000).startswith(b"HTTP/1.1 200 ")
        open_now = metrics(server, "consumo_connections")
        assert len(open_now) == workers
        assert sum(open_now) == PAGES + 1  # and the one that asks
        assert metrics(server, "consumo_connections_most") == [MOST_CONNECTIONS] * workers


def test_connections_are_counted_that_somebody_has_opened_to_a_port() -> None:
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
        # Looking closes nothing, and leaves nothing open.
        assert sorted(Path("/dev/fd").iterdir()) == before
        s.close()
        assert [connections_at(port) for port in ports] == [0, 0]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], list[int]]:
    """Sets how many files this process may have open, as far as it knows; gives what it is set to."""

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
        (1_024, 524_288, 65_536, MOST_CONNECTIONS),
        (1_024, 4_096, 4_096, 3_584),
        (256, 256, 256, 128),
        (100_000, 524_288, 100_000, MOST_CONNECTIONS),
        (1_024, ENDLESS, 65_536, MOST_CONNECTIONS),
        (ENDLESS, ENDLESS, ENDLESS, MOST_CONNECTIONS),
    ],
)
def test_a_process_makes_room_for_as_many_connections_as_the_machine_allows(
    limits: Callable[[int, int], list[int]], soft: int, hard: int, files: int, connections: int
) -> None:
    now = limits(soft, hard)
    assert raise_fd_limit() == files
    assert now == [files, hard]
    assert room() == connections


@pytest.mark.parametrize(("files", "told"), [(524_288, 1), (4_096, 2)])
def test_where_a_server_is_and_whether_the_machine_allows_it_too_few_files_is_told(
    limits: Callable[[int, int], list[int]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: int, told: int
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
            "This machine lets a process open 4,096 files: no more than 3,584 connections can be open at once in each. "
            "Raise that limit (ulimit -Hn, LimitNOFILE of a service).",
        ][:told]
    )
