"""Signing in and out, the own account and the own staff profile."""

from typing import Any, TypedDict

from litestar import Request

from adapters.http.body import Sent, takes
from adapters.http.calls import get, post, put
from adapters.http.client_address import client_address, client_name
from application.session.identify import SignedIn
from application.session.sign_in import Credentials
from application.staff import StaffDraft
from application.use_cases import UseCases
from application.views import OwnAccountView, StaffView
from domain.policy import Actor, Permission


class AccessToken(TypedDict):
    """What the client sends along from now on."""

    access_token: str


class OwnProfile(TypedDict):
    """The own staff profile, null while there is none."""

    data: StaffView | None


class SavedProfile(TypedDict):
    """The own staff profile as it was saved."""

    user_id: int
    data: StaffView


@post(
    "/api/auth/login",
    operation_id="signIn",
    operation_class=takes(Credentials, "email", "password"),
    summary="Sign in",
    tags=["session"],
    hashes=True,
)
def sign_in(request: Request[Any, Any, Any], use_cases: UseCases, sent: Sent) -> AccessToken:
    """Begin a session. 404 for an unknown email and a wrong password alike; 429 after too many failures."""
    credentials = sent.read(Credentials)
    return AccessToken(access_token=use_cases.sign_in(credentials, client_address(request), client_name(request)))


@post(
    "/api/auth/logout",
    operation_id="signOut",
    summary="Sign out",
    tags=["session"],
    status_code=204,
)
def sign_out(request: Request[Any, Any, Any], use_cases: UseCases, signed_in: SignedIn) -> None:
    """End the session: its token is dead at once."""
    use_cases.sign_out(signed_in, client_address(request), client_name(request))


@get(
    "/api/auth/profile",
    operation_id="readOwnAccount",
    may=Permission.KEEP_OWN_ACCOUNT,
    summary="Read the own account",
    tags=["session"],
)
def read_own_account(use_cases: UseCases, actor: Actor) -> OwnAccountView:
    """The signed-in user, with all that the user may do."""
    return use_cases.read_own_account(actor)


@get(
    "/api/staff/profile",
    operation_id="readOwnProfile",
    may=Permission.KEEP_OWN_PROFILE,
    summary="Read the own staff profile",
    tags=["session"],
)
def read_own_profile(use_cases: UseCases, actor: Actor) -> OwnProfile:
    """The staff profile of the signed-in user; data is null while there is none."""
    return OwnProfile(data=use_cases.read_own_profile(actor))


@put(
    "/api/staff/profile",
    operation_id="completeProfile",
    may=Permission.KEEP_OWN_PROFILE,
    operation_class=takes(StaffDraft, "name", "first_surname"),
    summary="Complete the own staff profile",
    tags=["session"],
)
def complete_profile(use_cases: UseCases, actor: Actor, sent: Sent) -> SavedProfile:
    """Save the own staff profile; the first time creates it."""
    saved = use_cases.complete_profile(actor, sent.read(StaffDraft))
    return SavedProfile(user_id=actor.user_id, data=saved)


ROUTES = [sign_in, sign_out, read_own_account, read_own_profile, complete_profile]
