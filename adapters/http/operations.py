"""What operators and the client's start ask for: health, settings."""

from collections.abc import Callable
from typing import Any, TypedDict

from litestar import Response, get
from litestar.di import NamedDependency

from adapters.http.wire import ExactResponse

IsReady = Callable[[], bool]


class PublicSettings(TypedDict):
    """What the client needs to show money and moments: an ISO 4217 currency and an IANA time zone."""

    currency: str
    time_zone: str


class Health(TypedDict):
    """Whether the server is well."""

    status: str


@get("/api/settings", operation_id="readSettings", summary="Read the public settings", tags=["operations"])
async def read_settings(public_settings: NamedDependency[PublicSettings]) -> PublicSettings:
    """Currency and time zone of this hospital."""
    return public_settings


@get("/health/live", operation_id="isLive", summary="Is the process alive?", tags=["operations"])
async def is_live() -> Health:
    """The process answers."""
    return Health(status="ok")


@get("/health/ready", operation_id="isReady", summary="Can it serve?", tags=["operations"], sync_to_thread=True)
def is_ready(ready: NamedDependency[Any]) -> Response[Health]:
    """The database answers too; 503 when it does not."""
    return (
        ExactResponse(Health(status="ok")) if ready() else ExactResponse(Health(status="no database"), status_code=503)
    )


ROUTES = [read_settings, is_live, is_ready]
