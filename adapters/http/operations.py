"""What operators and the client's start ask for: health, figures, settings."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, TypedDict

from litestar import Request, Response, get
from litestar.di import NamedDependency

from adapters.http.wire import DecimalJSONResponse
from adapters.observability.logs import AnsweredRequest
from domain.errors import NotFound, Unauthenticated


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """What those who watch over this process are told, and who they are.

    Without a token the figures are for this machine alone, and only where nobody comes through a proxy.
    """

    why_not_ready: Callable[[], Awaitable[str | None]]
    metrics: Callable[[], bytes]
    metrics_token: str | None = field(default=None, repr=False)
    metrics_on_this_machine: bool = False
    tell: Callable[[AnsweredRequest], None]


class PublicSettings(TypedDict):
    """What the client needs to show money and moments: an ISO 4217 currency and an IANA time zone.

    ``record_authority`` is who gives the hospital's record numbers, as wristbands name it; null if not set.
    After ``idle_minutes`` without a key or touch it covers the screen; 0 stands for never. Where it is not to work
    ``offline``, devices keep nothing but what they have yet to send.
    """

    currency: str
    time_zone: str
    record_authority: str | None
    idle_minutes: int
    offline: bool


class Health(TypedDict):
    """Whether the server is well."""

    status: str


@get("/api/settings", operation_id="readSettings", summary="Read the public settings", tags=["operations"])
async def read_settings(public_settings: NamedDependency[PublicSettings]) -> PublicSettings:
    """Currency and time zone of this hospital, when its screens are covered, whether devices work without network."""
    return public_settings


@get("/health/live", operation_id="isLive", summary="Is the process alive?", tags=["operations"])
async def is_live() -> Health:
    """The process answers."""
    return Health(status="ok")


@get("/health/ready", operation_id="isReady", summary="Can it serve?", tags=["operations"])
async def is_ready(monitoring: NamedDependency[Monitoring]) -> Response[Health]:
    """The database answers and has the tables that this version needs; 503 otherwise, or when the process is ending."""
    why_not = await monitoring.why_not_ready()
    return DecimalJSONResponse(Health(status=why_not or "ok"), status_code=503 if why_not else 200)


@get("/metrics", include_in_schema=False, sync_to_thread=True)
def read_metrics(request: Request[Any, Any, Any], monitoring: NamedDependency[Monitoring]) -> Response[bytes]:
    """The figures of all processes of this installation's host, in Prometheus' text format."""
    if monitoring.metrics_token:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not secrets.compare_digest(sent.encode(), monitoring.metrics_token.encode()):
            raise Unauthenticated
    elif not (monitoring.metrics_on_this_machine and _is_from_this_machine(request)):
        raise NotFound
    return Response(monitoring.metrics(), media_type="text/plain; version=0.0.4")


def _is_from_this_machine(request: Request[Any, Any, Any]) -> bool:
    if any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via")):
        return False
    try:
        return ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


ROUTES = [read_settings, is_live, is_ready, read_metrics]
