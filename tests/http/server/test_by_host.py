"""Several hospitals in one server process, chosen by host name."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from litestar import Litestar, get
from litestar.testing import TestClient

from adapters.observability.logs import HOSPITAL
from adapters.server.by_host import HospitalsByHost, ServedHospital
from adapters.server.health import DRAINING, NO_DATABASE

HOSTS = {"norte": {"norte.test"}, "sur": {"sur.test", "[2001:db8::7]"}}


class Readiness:
    """A readiness check with a settable answer."""

    def __init__(self) -> None:
        self.trouble: str | None = None

    async def __call__(self) -> str | None:
        return self.trouble


class Network:
    """Two applications that answer with their name, behind one address."""

    def __init__(self) -> None:
        self.running: list[str] = []
        self.readiness = {name: Readiness() for name in HOSTS}
        served = [
            ServedHospital(name, frozenset(hosts), self._app(name), self.readiness[name])  # type: ignore[arg-type]
            for name, hosts in HOSTS.items()
        ]
        self.asgi = HospitalsByHost(served)

    def _app(self, name: str) -> Litestar:
        @get(["/", "/health/live", "/health/ready", "/metrics"])
        async def answer() -> dict[str, str]:
            return {"app": name, "hospital": HOSPITAL.get()}

        return Litestar(
            [answer],
            on_startup=[lambda: self.running.append(name)],
            on_shutdown=[lambda: self.running.remove(name)],
            openapi_config=None,
        )

    @contextmanager
    def client(self) -> Iterator[TestClient[Any]]:
        with TestClient(self.asgi, base_url="http://norte.test") as client:
            yield client


@pytest.fixture
def network() -> Network:
    return Network()


@pytest.mark.parametrize(
    ("host", "hospital"),
    [
        ("norte.test", "norte"),
        ("NORTE.Test", "norte"),
        ("norte.test:8443", "norte"),
        ("sur.test", "sur"),
        ("[2001:db8::7]", "sur"),
        ("[2001:DB8::7]:443", "sur"),
    ],
)
def test_the_host_name_chooses_the_hospital(network: Network, host: str, hospital: str) -> None:
    with network.client() as client:
        answer = client.get("/", headers={"Host": host})
    assert answer.json() == {"app": hospital, "hospital": hospital}


@pytest.mark.parametrize("host", ["este.test", "10.0.0.7", "norte.test.evil", "", "norte.test:x", "x@norte.test"])
def test_an_unknown_host_name_reaches_no_hospital(network: Network, host: str) -> None:
    with network.client() as client:
        answer = client.get("/", headers={"Host": host, "Accept-Language": "es"})
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "unknown_host"
    assert answer.json()["detail"].startswith("Ningún hospital tiene esta dirección.")


def test_two_host_headers_reach_no_hospital(network: Network) -> None:
    with network.client() as client:
        answer = client.get("/", headers=[("Host", "norte.test"), ("Host", "sur.test")])
    assert answer.status_code == 421


def test_all_hospitals_start_and_stop_with_the_process(network: Network) -> None:
    with network.client():
        assert network.running == ["norte", "sur"]
    assert network.running == []


def test_the_process_is_ready_while_one_hospital_is(network: Network) -> None:
    with network.client() as client:
        network.readiness["norte"].trouble = NO_DATABASE
        answer = client.get("/health/ready", headers={"Host": "10.0.0.7"})
        assert answer.status_code == 200
        assert answer.json() == {"status": "ok"}
        for readiness in network.readiness.values():
            readiness.trouble = DRAINING
        answer = client.get("/health/ready", headers={"Host": "10.0.0.7"})
        assert answer.status_code == 503
        assert answer.json()["status"] == "draining"


def test_balancers_and_prometheus_may_use_an_ip_address(network: Network) -> None:
    with network.client() as client:
        for path in ("/health/live", "/metrics"):
            assert client.get(path, headers={"Host": "10.0.0.7"}).status_code == 200
