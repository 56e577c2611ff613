"""The HTTP application: every route, what they share, and how the browser is kept safe."""

import string
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote_from_bytes, urlsplit

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import ClientException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from adapters.http import (
    areas,
    categories,
    client_files,
    details,
    history,
    openapi,
    operations,
    overview,
    patients,
    products,
    reports,
    rooms,
    session,
    sheets,
    staff,
    users,
)
from adapters.http.errors import answer_exception
from adapters.http.identity import provide_actor, provide_sent_by_actor, provide_signed_in
from adapters.http.operations import PublicSettings
from adapters.http.wire import DecimalSchema, ExactResponse
from application.use_cases import UseCases

LARGEST_BODY = 1_000_000

_CLIENT_IS_BUILT_TO = Path(__file__).resolve().parents[2] / "ui" / "dist"

# The component library sets its theme's variables in a style element: inline styles are allowed, scripts are not.
_CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types default"
)


async def _keep_browser_safe(message: Message, scope: Scope) -> None:
    """Add what keeps a browser from running, framing, sniffing or keeping what it should not."""
    if message["type"] != "http.response.start":
        return
    headers = [
        (b"content-security-policy", _CONTENT_SECURITY_POLICY.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
    ]
    if scope["path"].startswith("/api/"):
        headers.append((b"cache-control", b"no-store"))
    message["headers"] = [*message["headers"], *headers]


def _tidied(app: ASGIApp) -> ASGIApp:
    """Refuse what HTTP does not allow and Litestar stumbles over when it puts the request's URL together.

    That is a Host with an impossible port. A query that is not in UTF-8 becomes one with odd letters.
    """

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if not all(_is_host(value) for name, value in scope["headers"] if name == b"host"):
            raise ClientException
        scope["query_string"] = quote_from_bytes(scope["query_string"], safe=string.printable).encode()
        await app(scope, receive, send)

    return call


def _is_host(value: bytes) -> bool:
    try:
        urlsplit(f"//{value.decode('latin-1')}").port  # noqa: B018
    except ValueError:
        return False
    return True


def create_app(
    use_cases: UseCases, settings: PublicSettings, ready: Callable[[], bool], *, client: Path = _CLIENT_IS_BUILT_TO
) -> Litestar:
    """The application over ready-made use cases; ``client`` is the folder of the built web client."""

    def given(value: object) -> Provide:
        async def provide() -> object:
            return value

        return Provide(provide)

    routes = [
        *session.ROUTES,
        *sheets.ROUTES,
        *details.ROUTES,
        *history.ROUTES,
        *areas.ROUTES,
        *categories.ROUTES,
        *products.ROUTES,
        *rooms.ROUTES,
        *patients.ROUTES,
        *staff.ROUTES,
        *users.ROUTES,
        *overview.ROUTES,
        *reports.ROUTES,
        *operations.ROUTES,
        *openapi.ROUTES,
        *client_files.ROUTES,
    ]
    return Litestar(
        # Under one router: Litestar 2.25 wraps a handler anew, and breaks it, each time another one on its path is
        # registered with the application itself.
        route_handlers=[Router("/", route_handlers=routes)],
        dependencies={
            "use_cases": given(use_cases),
            "public_settings": given(settings),
            "ready": given(ready),
            "client": given(client),
            "sent": Provide(provide_sent_by_actor),
            "signed_in": Provide(provide_signed_in, sync_to_thread=True),
            "actor": Provide(provide_actor),
        },
        exception_handlers={Exception: answer_exception},
        before_send=[_keep_browser_safe],
        middleware=[_tidied],
        response_class=ExactResponse,
        plugins=[DecimalSchema()],
        openapi_config=None,
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000, gzip_compress_level=5),
        request_max_body_size=LARGEST_BODY,
    )
