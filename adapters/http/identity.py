"""Who calls: the bearer token of each request, looked up anew."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency

from application.session.identify import SignedIn
from application.use_cases import UseCases
from domain.policy import Actor
from domain.refusal import NotSignedIn


def identify(request: Request[Any, Any, Any], use_cases: UseCases) -> SignedIn:
    """Who is signed in with this request's token. Raise ``NotSignedIn`` where nobody is."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotSignedIn
    signed_in = use_cases.identify(token.strip())
    request.scope["state"]["user_id"] = signed_in.actor.user_id
    return signed_in


def provide_actor(request: Request[Any, Any, Any], use_cases: NamedDependency[UseCases]) -> Actor:
    """The one who acts, for handlers that do not wait in a thread but on what arrives."""
    return identify(request, use_cases).actor
