"""Authentication by token, and guards for permissions.

Litestar runs the middleware and the guards before it parses query and body. Unauthorized callers therefore learn
nothing about what they sent.
"""

from typing import Any

from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from adapters.http.requests.client_address import client_address
from application.accounts.sessions.identify import SignedIn
from application.common.use_case import permissions_of
from application.use_cases import UseCases
from domain.common.errors import Unauthenticated
from domain.common.policy import Permission

Connection = ASGIConnection[Any, Any, Any, Any]

_PENDING_TOUCH = "pending touch"


class TokenAuthentication(AbstractAuthenticationMiddleware):
    """Authenticates the bearer token of every route but public ones.

    A route is public with ``exclude_from_auth=True``.
    """

    async def authenticate_request(self, connection: Connection) -> AuthenticationResult:
        """Return the actor as user and the session as auth.

        Raise ``Unauthenticated``.
        """
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated
        use_cases: UseCases = connection.app.state["use_cases"]()
        signed_in = await sync_to_thread(use_cases.session.identify, token.strip(), client_address(connection))
        connection.scope["state"]["user_id"] = signed_in.actor.user_id
        # Conditional requests are polling, which is no sign of a user's activity.
        if not signed_in.use_is_noted and "if-none-match" not in connection.headers:
            connection.scope["state"][_PENDING_TOUCH] = signed_in
        return AuthenticationResult(user=signed_in.actor, auth=signed_in)


class requires:  # noqa: N801 - reads as a function: guards=[requires(CreateArea)]
    """Guard that requires the permissions of a use case, or a permission.

    Use cases check their permissions again, for any caller.
    """

    def __init__(self, required: Any) -> None:
        self.permissions = (required,) if isinstance(required, Permission) else permissions_of(required)

    async def __call__(self, connection: Connection, _: BaseRouteHandler) -> None:
        """Raise ``Forbidden`` unless the actor has all permissions."""
        for permission in self.permissions:
            connection.user.require(permission)


async def touch_session(request: Request[Any, Any, Any]) -> None:
    """Update the last use of the session or key, if due; after the response."""
    signed_in: SignedIn | None = request.scope["state"].get(_PENDING_TOUCH)
    if signed_in is None:
        return
    use_cases: UseCases = request.app.state["use_cases"]()
    if signed_in.actor.api_key_id is not None:
        await sync_to_thread(use_cases.session.touch_key, signed_in.actor.api_key_id)
    else:
        await sync_to_thread(use_cases.session.touch, signed_in.session_id)
