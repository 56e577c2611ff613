"""A new server: the link in its log creates the first administrator."""

import re
import subprocess
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx

from tests.pace import PATIENCE
from tests.servers import CONSUMO, Server, environment
from tests.use_cases.accounts.signed_in import NEW_PASSWORD


def test_the_printed_link_creates_the_first_administrator(sqlite_url: str, serve: Callable[..., Server]) -> None:
    server = serve(sqlite_url)
    (token,) = re.findall(r"/auth/first-administrator\?token=([\w-]+)\n", server.log.read_text())
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        assert client.get("/worklist").headers["location"] == "/auth/first-administrator"
        body = {"token": token, "email": "ada@hospital.test"}
        body |= {"password": NEW_PASSWORD, "password_confirmation": NEW_PASSWORD}
        created = client.post("/api/auth/first-administrator", json=body)
        assert created.status_code == 201
        signed_in = {"Authorization": f"Bearer {created.json()['access_token']}"}
        assert client.get("/api/auth/profile", headers=signed_in).json()["role"] == "10"
        assert client.get("/worklist").status_code in {200, 404}, "404 where the client is not built"
        again = client.post("/api/auth/first-administrator", json=body | {"email": "eva@hospital.test"})
        assert (again.status_code, again.json()["code"]) == (422, "setup_link.invalid")
    assert token not in server.log.read_text().partition(token)[2]


def test_a_server_that_cannot_start_leaves_the_link_as_it_is(sqlite_url: str, serve: Callable[..., Server]) -> None:
    server = serve(sqlite_url)
    (token,) = re.findall(r"/auth/first-administrator\?token=([\w-]+)\n", server.log.read_text())
    settings = environment(sqlite_url, CONSUMO_PORT=str(urlsplit(server.address).port))
    second = subprocess.run([CONSUMO, "serve"], env=settings, capture_output=True, text=True, timeout=PATIENCE)
    assert second.returncode != 0
    assert "first-administrator" not in second.stderr
    body = {"token": token, "email": "ada@hospital.test"}
    body |= {"password": NEW_PASSWORD, "password_confirmation": NEW_PASSWORD}
    created = httpx.post(f"{server.address}/api/auth/first-administrator", json=body, timeout=PATIENCE)
    assert created.status_code == 201
