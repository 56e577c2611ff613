"""Routes for operators and the client's start: health, metrics, settings."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, TypedDict

from litestar import Request, Response, get
from litestar.di import NamedDependency

from adapters.http.responses.wire import DecimalJSONResponse
from adapters.observability.logs import AnsweredRequest
from domain.common.errors import NotFound, Unauthenticated


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """Health check, metrics and their access token.

    Without a token, metrics are available only from this machine, and only if there is no proxy.
    """

    why_not_ready: Callable[[], Awaitable[str | None]]
    metrics: Callable[[], bytes]
    metrics_token: str | None = field(default=None, repr=False)
    metrics_on_this_machine: bool = False
    on_request: Callable[[AnsweredRequest], None]


class OidcSettings(TypedDict):
    """The sign-in with the hospital's own account; ``name`` is on its button.

    With ``only``, passwords of Consumo are for administrators. With ``logout``, signing out goes on at the provider.
    """

    name: str
    only: bool
    logout: bool


class PublicSettings(TypedDict):
    """Settings of the client: ISO 4217 currency, IANA time zone and more.

    ``hospital_name`` is null if not set. ``logo_version`` changes with the logo; null without one. ``number_format`` is
    ``comma`` (1.250,00), ``point`` (1,250.00), or ``language`` if the user's language decides. A browser that does not
    know the time zone uses ``utc_offset_minutes``, its offset now. ``shifts`` are the starts of the shifts on the
    hospital's clock, in order. ``record_authority`` is the issuer of the hospital's record numbers, as on wristbands;
    null if not set. The screen locks after ``idle_minutes`` without input; 0 disables it. Without ``offline``, devices
    store only unsent entries. ``demonstration`` data is fictional, and no real data belongs beside it. ``oidc`` is null
    if only passwords and passkeys sign in. ``passkey_host`` is the host at which browsers allow passkeys; null if the
    installation's address allows none.
    """

    hospital_name: str | None
    logo_version: int | None
    currency: str
    number_format: str
    time_zone: str
    utc_offset_minutes: int
    shifts: list[str]
    record_authority: str | None
    idle_minutes: int
    offline: bool
    demonstration: bool
    oidc: OidcSettings | None
    passkey_host: str | None


class Health(TypedDict):
    """Health of the server."""

    status: str


@get("/api/settings", exclude_from_auth=True, tags=["operations"])
async def read_settings(public_settings: NamedDependency[PublicSettings]) -> PublicSettings:
    """Read the public settings.

    They are the hospital's name, the version of its logo, currency, number format, time zone with its present offset
    from UTC (``utc_offset_minutes``, for a browser that is older than the zone), the starts of the shifts, the minutes
    until the screen locks, whether devices work without network, whether the data is that of the demonstration, and how
    the hospital's own account signs in (``oidc``). No sign-in is needed.
    """
    return public_settings


@get("/health/live", exclude_from_auth=True, tags=["operations"])
async def is_live() -> Health:
    """Liveness: the process answers."""
    return Health(status="ok")


@get("/health/ready", exclude_from_auth=True, tags=["operations"])
async def is_ready(monitoring: NamedDependency[Monitoring]) -> Response[Health]:
    """Readiness: the database answers and has this version's tables.

    Otherwise, or while the process is ending, 503.
    """
    why_not = await monitoring.why_not_ready()
    return DecimalJSONResponse(Health(status=why_not or "ok"), status_code=503 if why_not else 200)


@get("/metrics", exclude_from_auth=True, include_in_schema=False, sync_to_thread=True)
def read_metrics(request: Request[Any, Any, Any], monitoring: NamedDependency[Monitoring]) -> Response[bytes]:
    """Return the metrics of all processes of this host for Prometheus."""
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
