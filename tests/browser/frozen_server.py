"""A server on which it is always the same moment.

``python -m tests.browser.frozen_server demo`` fills its database with demonstration data of that moment, ``serve``
serves it. Pictures of screens show the same dates, times and ages on every day.
"""

import sys
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial

from granian import Granian
from granian.constants import Interfaces
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from adapters import demo
from adapters.server import asgi
from adapters.settings.read_settings import read_settings
from adapters.wiring.container import Container

NOW = datetime(2026, 3, 12, 13, 40, tzinfo=UTC)


def now() -> datetime:
    return NOW


def create() -> ASGIApp:
    """Create the application with that clock, also in the `Date` header."""
    asgi.Container = partial(Container, clock=now)  # type: ignore[assignment, attr-defined]
    app = asgi.create()
    date = (b"date", format_datetime(NOW, usegmt=True).encode())

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], date]
            await send(message)

        await app(scope, receive, send_dated)

    return answer


def fill() -> None:
    """Fill the database with the demonstration hospital of that moment."""
    container = Container(settings=read_settings(), clock=now)
    demo.fill(container.use_cases(), container.begin(), now, container.hospital().zone())
    container.store().close()


def serve() -> None:
    settings = read_settings()
    Granian(
        "tests.browser.frozen_server:create",
        factory=True,
        interface=Interfaces.ASGI,
        address=settings.host,
        port=settings.port,
        websockets=False,
        log_access=False,
    ).serve()


if __name__ == "__main__":
    {"demo": fill, "serve": serve}[sys.argv[1]]()
