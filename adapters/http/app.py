"""The Litestar application: all routes and shared configuration."""

import string
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any
from urllib.parse import quote_from_bytes, urlsplit

from litestar import Controller, HttpMethod, Litestar, Request, Router
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import ClientException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.types import ASGIApp, ControllerRouterHandler, Message, Receive, Scope, Send

from adapters.hospital.profile import HospitalProfile
from adapters.http import controllers, openapi, static_files
from adapters.http.authentication import TokenAuthentication, touch_session
from adapters.http.controllers.operations import Monitoring, PublicSettings
from adapters.http.middleware import LazyCompression, with_observability
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import answer_exception
from adapters.http.responses.wire import DecimalJSONResponse, DecimalSchema, NamedTupleSchema
from adapters.http.static_files import Setup
from application.use_cases import UseCases
from domain.common.text import is_storable

# Body size limit of requests, except uploads.
MAX_BODY_BYTES = 1_000_000

_IN_WHEEL = Path(__file__).resolve().with_name("client")
_IN_CHECKOUT = Path(__file__).resolve().parents[2] / "ui" / "dist"
CLIENT_FOLDER = _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT


def _reject_malformed(app: ASGIApp) -> ASGIApp:
    """Reject requests that HTTP forbids and that break Litestar's URL parsing.

    These are a Host header with an impossible port, or several Host headers. Invalid UTF-8 in a query is replaced. A
    path with characters that cannot be stored, such as NUL, is a 404.
    """

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) > 1 or not all(map(_is_host, hosts)):
            raise ClientException
        if not is_storable(scope["path"]):
            raise NotFoundException
        scope["query_string"] = quote_from_bytes(scope["query_string"], safe=string.printable).encode()
        await app(scope, receive, send)

    return call


def _answer_head(app: ASGIApp) -> ASGIApp:
    """Answer HEAD as GET, without the body."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != HttpMethod.HEAD:
            await app(scope, receive, send)
            return
        # The server compares what is sent with the method of its own scope.
        as_get: Any = {**scope, "method": HttpMethod.GET}

        async def send_without_body(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
            elif not message.get("more_body"):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        try:
            await app(as_get, receive, send_without_body)
        finally:
            scope.update({name: value for name, value in as_get.items() if name != "method"})  # type: ignore[typeddict-item]

    return call


def _is_host(value: bytes) -> bool:
    try:
        urlsplit(f"//{value.decode('latin-1')}").port  # noqa: B018
    except ValueError:
        return False
    return True


def create_app(
    use_cases: Callable[[], UseCases],
    settings: Callable[[], PublicSettings],
    monitoring: Monitoring,
    hospital: Callable[[], HospitalProfile],
    *,
    public_address: str,
    client: Path = CLIENT_FOLDER,
) -> Litestar:
    """Create the application over ready-made use cases.

    Use cases and settings are functions, because an administrator may change the settings. ``client`` is the folder of
    the built web client. ``public_address`` is the base URL of links, as browsers and programs reach the server.
    """
    app = build_router()
    app.state.update(
        use_cases=use_cases,
        hospital=hospital,
        public_settings=settings,
        monitoring=monitoring,
        client=client,
        setup=Setup(lambda: use_cases().users.check_setup()),
        public_address=public_address,
        # Of a second application, which serves nothing: only openapi.read_document is served here.
        openapi_document=cache(lambda: openapi.document(build_router(openapi.CONFIG))),
    )
    # Outermost, so that requests without a matching route are observed too.
    app.asgi_handler = with_observability(
        _answer_head(app.asgi_handler), monitoring.on_request, https=public_address.startswith("https:")
    )
    return app


async def _provide_public_settings(request: Request[Any, Any, Any]) -> PublicSettings:
    settings: PublicSettings = request.app.state["public_settings"]()
    return settings


def _provide_state(name: str) -> Provide:
    async def provide(request: Request[Any, Any, Any]) -> object:
        return request.app.state[name]

    return Provide(provide)


def find_controllers() -> Iterator[ControllerRouterHandler]:
    """Yield the controllers and handlers of all modules in their folder."""
    for module in walk_packages(controllers.__path__, f"{controllers.__name__}."):
        for value in vars(import_module(module.name)).values():
            is_controller = isinstance(value, type) and issubclass(value, Controller) and value is not Controller
            if is_controller or isinstance(value, HTTPRouteHandler):
                yield value


def build_router(openapi_config: OpenAPIConfig | None = None) -> Litestar:
    """Create the application with every route, without its state.

    With an ``openapi_config`` it has an OpenAPI document, and Litestar's own pages of it.
    """
    routes = [*find_controllers(), openapi.read_document, static_files.client_file]
    return Litestar(
        # Under one router: for each later handler on the same path, Litestar 2.25 wraps an earlier one again, and
        # breaks it, if they are registered with the application itself.
        route_handlers=[Router("/", route_handlers=routes)],
        request_class=ApiRequest,
        dependencies={
            "public_settings": Provide(_provide_public_settings),
            **{name: _provide_state(name) for name in ("monitoring", "client", "setup")},
        },
        exception_handlers={Exception: answer_exception},
        middleware=[_reject_malformed, TokenAuthentication],
        after_response=touch_session,
        response_class=DecimalJSONResponse,
        plugins=[DecimalSchema(), NamedTupleSchema()],
        openapi_config=openapi_config,
        # The process has its own logging. Litestar's would log errors with their full messages.
        logging_config=None,
        compression_config=CompressionConfig(
            backend="gzip",
            minimum_size=1000,
            gzip_compress_level=5,
            exclude_opt_key="compresses_itself",
            middleware_class=LazyCompression,
        ),
        request_max_body_size=MAX_BODY_BYTES,
    )
