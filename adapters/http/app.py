"""The Litestar application: all routes and shared configuration."""

import string
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes, urlsplit

from litestar import Litestar, Request, Router
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import ClientException, NotFoundException
from litestar.types import ASGIApp, Receive, Scope, Send

from adapters.hospital_profile import HospitalProfile
from adapters.http import (
    areas,
    audit,
    catalogue,
    categories,
    details,
    fhir,
    imports,
    inbound_messages,
    kits,
    late_entries,
    openapi,
    operations,
    outbound_messages,
    overview,
    patients,
    products,
    recalls,
    reports,
    rooms,
    service_accounts,
    session,
    sheets,
    staff,
    static_files,
    typed_names,
    unlisted_items,
    users,
)
from adapters.http.errors import answer_exception
from adapters.http.middleware import with_observability
from adapters.http.operations import Monitoring, PublicSettings
from adapters.http.wire import DecimalJSONResponse, DecimalSchema, NamedTupleSchema
from application.use_cases import UseCases
from domain.text import is_storable

# Body size limit of requests, except uploads.
MAX_BODY_BYTES = 1_000_000

CLIENT_IS_BUILT_TO = Path(__file__).resolve().parents[2] / "ui" / "dist"


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


def _is_host(value: bytes) -> bool:
    try:
        urlsplit(f"//{value.decode('latin-1')}").port  # noqa: B018
    except ValueError:
        return False
    return True


def create_app(
    use_cases: UseCases,
    settings: PublicSettings,
    monitoring: Monitoring,
    hospital: HospitalProfile,
    *,
    public_address: str,
    client: Path = CLIENT_IS_BUILT_TO,
) -> Litestar:
    """Create the application over ready-made use cases.

    ``client`` is the folder of the built web client. ``public_address`` is the base URL of links, as browsers and
    programs reach the server.
    """
    app = build_router()
    app.state.update(
        use_cases=use_cases,
        hospital=hospital,
        public_settings=settings,
        monitoring=monitoring,
        client=client,
        public_address=public_address,
    )
    # Outermost, so that requests without a matching route are observed too.
    app.asgi_handler = with_observability(
        app.asgi_handler, monitoring.on_request, https=public_address.startswith("https:")
    )
    return app


def _provide_state(name: str) -> Provide:
    async def provide(request: Request[Any, Any, Any]) -> object:
        return request.app.state[name]

    return Provide(provide)


def build_router() -> Litestar:
    """Create the application with every route, without its state."""
    routes = [
        *session.ROUTES,
        *sheets.ROUTES,
        *details.ROUTES,
        *audit.ROUTES,
        *areas.ROUTES,
        *catalogue.ROUTES,
        *categories.ROUTES,
        *products.ROUTES,
        *typed_names.ROUTES,
        *kits.ROUTES,
        *inbound_messages.ROUTES,
        *late_entries.ROUTES,
        *unlisted_items.ROUTES,
        *outbound_messages.ROUTES,
        *recalls.ROUTES,
        *service_accounts.ROUTES,
        *rooms.ROUTES,
        *patients.ROUTES,
        *staff.ROUTES,
        *users.ROUTES,
        *overview.ROUTES,
        *reports.ROUTES,
        *imports.ROUTES,
        *operations.ROUTES,
        *fhir.ROUTES,
        *openapi.ROUTES,
        *static_files.ROUTES,
    ]
    return Litestar(
        # Under one router: for each later handler on the same path, Litestar 2.25 wraps an earlier one again, and
        # breaks it, if they are registered with the application itself.
        route_handlers=[Router("/", route_handlers=routes)],
        dependencies={name: _provide_state(name) for name in ("public_settings", "monitoring", "client")},
        exception_handlers={Exception: answer_exception},
        middleware=[_reject_malformed],
        response_class=DecimalJSONResponse,
        plugins=[DecimalSchema(), NamedTupleSchema()],
        openapi_config=None,
        # The process has its own logging. Litestar's would log errors with their full messages.
        logging_config=None,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, gzip_compress_level=5, exclude_opt_key="compresses_itself"
        ),
        request_max_body_size=MAX_BODY_BYTES,
    )
