"""Who calls: the bearer token of each request, looked up anew."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency

from adapters.http.body import Sent, provide_sent
from application.session.identify import SignedIn
from application.use_cases import UseCases
from domain.policy import Actor
from domain.refusal import NotSignedIn


def provide_signed_in(request: Request[Any, Any, Any], use_cases: NamedDependency[UseCases]) -> SignedIn:
    """Who is signed in with this request's token. Raise ``NotSignedIn`` where nobody is."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotSignedIn
    signed_in = use_cases.identify(token.strip())
    request.scope["state"]["user_id"] = signed_in.actor.user_id
    return signed_in


async def provide_actor(signed_in: NamedDependency[SignedIn]) -> Actor:
    """The one who acts."""
    return signed_in.actor


async def provide_sent_by_actor(
    request: Request[Any, Any, Any],
    actor: NamedDependency[Actor],  # noqa: ARG001
) -> Sent:
    """What came with this request, looked at once it is known who sent it and not before."""
    return await provide_sent(request)
