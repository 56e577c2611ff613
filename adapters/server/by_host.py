"""ASGI application of several hospitals, chosen by host name."""

import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Litestar
from litestar.types import LifeSpanReceive, LifeSpanScope, LifeSpanSend, Scope, Send

from adapters.http.responses.errors import Problem, problem_of
from adapters.i18n import messages
from adapters.observability.logs import HOSPITAL
from adapters.server.health import Readiness

log = logging.getLogger("consumo.server")

READY = "/health/ready"
_PROBLEM = b"application/problem+json"
# Paths at which any hospital answers for the process, so that balancers may use an IP address.
OF_THE_PROCESS = ("/health/live", "/metrics")


@dataclass(frozen=True, slots=True)
class ServedHospital:
    """A hospital with its application."""

    name: str
    host_names: frozenset[str]
    app: Litestar
    readiness: Readiness


class HospitalsByHost:
    """Hands each request to the hospital that its host name belongs to."""

    def __init__(self, hospitals: Sequence[ServedHospital]) -> None:
        self._hospitals = hospitals
        self._by_host = {host: hospital for hospital in hospitals for host in hospital.host_names}

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Any, send: Any) -> None:
        """Answer a request, or start and stop all applications."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        hospital = self._by_host.get(host_of(scope))
        if hospital is None and scope["path"] == READY:
            await self._answer_readiness(send)
            return
        if hospital is None and scope["path"] in OF_THE_PROCESS:
            hospital = self._hospitals[0]
        if hospital is None:
            await _send_json(send, HTTPStatus.MISDIRECTED_REQUEST, _unknown_host(scope), _PROBLEM)
            return
        HOSPITAL.set(hospital.name)
        await hospital.app(scope, receive, send)

    async def _live(self, receive: LifeSpanReceive, send: LifeSpanSend) -> None:
        """Start all applications, and stop them at the end."""
        async with AsyncExitStack() as running:
            await receive()
            try:
                for hospital in self._hospitals:
                    # The tasks that it starts inherit the name for their logs.
                    HOSPITAL.set(hospital.name)
                    await running.enter_async_context(hospital.app.lifespan())
            except Exception:
                log.exception("%s could not start", HOSPITAL.get())
                await send({"type": "lifespan.startup.failed", "message": ""})
                raise
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer_readiness(self, send: Send) -> None:
        """Answer for the process: it is ready while one hospital is.

        Otherwise the trouble of one would take all of them out of a load balancer. No hospital is named, because
        every caller may ask.
        """
        troubles = []
        for hospital in self._hospitals:
            HOSPITAL.set(hospital.name)
            troubles.append(await hospital.readiness())
        is_ready = None in troubles
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        await _send_json(send, status, {"status": "ok" if is_ready else troubles[0]})


def host_of(scope: Scope) -> str:
    """Return the host name of a request in lower case, without its port."""
    host = _header(scope, b"host").lower()
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host.removesuffix(":")


def _unknown_host(scope: Scope) -> Problem:
    """Return the problem of a host name that no hospital has."""
    language = messages.preferred_language(_header(scope, b"accept-language"))
    return problem_of(HTTPStatus.MISDIRECTED_REQUEST, "unknown_host", messages.problem(language, "unknown_host"))


def _header(scope: Scope, name: bytes) -> str:
    """Return a header that is there once; otherwise an empty text."""
    values = [value for key, value in scope["headers"] if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else ""


async def _send_json(send: Send, status: HTTPStatus, body: object, media_type: bytes = b"application/json") -> None:
    content = msgspec.json.encode(body)
    await send(
        {
            "type": "http.response.start",
            "status": status.value,
            "headers": [
                (b"content-type", media_type),
                (b"content-length", str(len(content)).encode()),
                (b"cache-control", b"no-store"),
            ],
        }
    )
    await send({"type": "http.response.body", "body": content, "more_body": False})
