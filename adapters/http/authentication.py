"""Authenticate and authorize each request before parsing its input."""

from functools import partial
from typing import Any

from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.types import ASGIApp, Receive, Scope, Send

from adapters.http.client_address import client_address
from adapters.http.errors import answer_exception
from application.session.identify import SignedIn
from application.use_cases import UseCases
from domain.errors import Unauthenticated
from domain.policy import Permission

# What a route requires: a permission, all of several, or None for any signed-in user.
RequiredPermission = Permission | tuple[Permission, ...] | None

_AUTHENTICATED = "authenticated"
_PENDING_TOUCH = "who acts, where that is to be noted"


def authenticate(request: Request[Any, Any, Any], right: RequiredPermission) -> SignedIn:
    """Authenticate the token. Raise ``Unauthenticated`` or ``Forbidden``."""
    request.scope["state"][_AUTHENTICATED] = True
    signed_in = _identify(request, request.app.state["use_cases"])
    for permission in (right,) if isinstance(right, Permission) else right or ():
        signed_in.actor.require(permission)
    return signed_in


def _identify(request: Request[Any, Any, Any], use_cases: UseCases) -> SignedIn:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated
    signed_in = use_cases.identify(token.strip(), client_address(request))
    request.scope["state"]["user_id"] = signed_in.actor.user_id
    # Conditional requests are polling, which is no sign of a user's activity.
    if not signed_in.use_is_noted and "if-none-match" not in request.headers:
        request.scope["state"][_PENDING_TOUCH] = signed_in
    return signed_in


async def touch_session(request: Request[Any, Any, Any]) -> None:
    """Update the last use of the session or key, if due; after the response."""
    signed_in: SignedIn | None = request.scope["state"].get(_PENDING_TOUCH)
    if signed_in is None:
        return
    use_cases: UseCases = request.app.state["use_cases"]
    if signed_in.actor.api_key_id is not None:
        await sync_to_thread(use_cases.note_key_use, signed_in.actor.api_key_id)
    else:
        await sync_to_thread(use_cases.note_use, signed_in.session_id)


def told_once_authenticated(right: RequiredPermission, request: Request[Any, Any, Any], exception: Exception) -> Any:
    """Map an exception to a response, for authorized callers only.

    Litestar parses the query before the handler runs. Parse errors are withheld until the caller is authorized.
    """
    if request.scope["state"].get(_AUTHENTICATED):
        return answer_exception(request, exception)
    return _AuthenticatedFirst(right, exception)


class _AuthenticatedFirst:
    """A response to an early exception, which authenticates the caller first."""

    def __init__(self, right: RequiredPermission, exception: Exception) -> None:
        self._right = right
        self._exception = exception

    def to_asgi_response(self, app: None, request: Request[Any, Any, Any], **options: Any) -> ASGIApp:
        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            raised = self._exception
            try:
                await sync_to_thread(partial(authenticate, request, self._right))
            except Exception as error:  # noqa: BLE001 - the response instead
                raised = error
            await answer_exception(request, raised).to_asgi_response(app, request, **options)(scope, receive, send)

        return respond
