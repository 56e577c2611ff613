"""Authentication and authorization: who calls, and whether they may. Settled with each request anew, before anything
that they sent is judged.
"""

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

# What it takes to call: a permission, or all of several; None for being signed in.
RequiredPermission = Permission | tuple[Permission, ...] | None

_AUTHENTICATED = "authenticated"
_TO_NOTE = "who acts, where that is to be noted"


def authenticate(request: Request[Any, Any, Any], right: RequiredPermission) -> SignedIn:
    """Who is signed in with this request's token. Raise ``Unauthenticated`` or ``Forbidden``."""
    request.scope["state"][_AUTHENTICATED] = True
    signed_in = _identify(request, request.app.state["use_cases"])
    for permission in (right,) if isinstance(right, Permission) else right or ():
        signed_in.actor.must(permission)
    return signed_in


def _identify(request: Request[Any, Any, Any], use_cases: UseCases) -> SignedIn:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated
    signed_in = use_cases.identify(token.strip(), client_address(request))
    request.scope["state"]["user_id"] = signed_in.actor.user_id
    # Who looks whether something changed looks by itself: nobody need be there.
    if not signed_in.use_is_noted and "if-none-match" not in request.headers:
        request.scope["state"][_TO_NOTE] = signed_in
    return signed_in


async def note_use(request: Request[Any, Any, Any]) -> None:
    """Note that the session or key is used, if that is due; after the answer, which does not wait for it."""
    signed_in: SignedIn | None = request.scope["state"].get(_TO_NOTE)
    if signed_in is None:
        return
    use_cases: UseCases = request.app.state["use_cases"]
    if signed_in.actor.api_key_id is not None:
        await sync_to_thread(use_cases.note_key_use, signed_in.actor.api_key_id)
    else:
        await sync_to_thread(use_cases.note_use, signed_in.session_id)


def told_once_authenticated(right: RequiredPermission, request: Request[Any, Any, Any], exception: Exception) -> Any:
    """The answer to whatever was raised.

    The framework reads the query before it calls us. What it cannot read is told to those alone who may call.
    """
    if request.scope["state"].get(_AUTHENTICATED):
        return answer_exception(request, exception)
    return _OnceAuthenticated(right, exception)


class _OnceAuthenticated:
    """The answer to something that was raised before it was settled who calls: that comes first."""

    def __init__(self, right: RequiredPermission, exception: Exception) -> None:
        self._right = right
        self._exception = exception

    def to_asgi_response(self, app: None, request: Request[Any, Any, Any], **options: Any) -> ASGIApp:
        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            told = self._exception
            try:
                await sync_to_thread(partial(authenticate, request, self._right))
            except Exception as error:  # noqa: BLE001 told instead
                told = error
            await answer_exception(request, told).to_asgi_response(app, request, **options)(scope, receive, send)

        return respond
