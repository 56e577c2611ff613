"""Routes of signing in and out, one's own account and staff profile."""

from typing import Annotated, Any, TypedDict

from litestar import Request
from litestar.params import PathParameter

from adapters.http.body import JsonBody, request_body_schema
from adapters.http.client_address import client_address, client_name
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import PathId
from application.session.confirm_password import GivenPassword
from application.session.identify import SignedIn
from application.session.sign_in import Credentials
from application.staff import StaffDraft
from application.use_cases import UseCases
from application.views import OwnAccountView, SessionsView, StaffView
from domain.policy import Actor, Permission


class AccessToken(TypedDict):
    """The access token that the client sends with each request from now on."""

    access_token: str


class OwnProfile(TypedDict):
    """The caller's staff profile; null while there is none."""

    data: StaffView | None


class SavedProfile(TypedDict):
    """The caller's staff profile as saved."""

    user_id: int
    data: StaffView


@post(
    "/api/auth/login",
    operation_id="signIn",
    operation_class=request_body_schema(Credentials, "email", "password"),
    summary="Sign in",
    tags=["session"],
    hashes=True,
)
def sign_in(request: Request[Any, Any, Any], use_cases: UseCases, body: JsonBody) -> AccessToken:
    """Start a session.

    Unknown email and wrong password are the same 404; too many failures are a 429.
    """
    credentials = body.read(Credentials)
    return AccessToken(access_token=use_cases.sign_in(credentials, client_address(request), client_name(request)))


@post(
    "/api/auth/logout",
    operation_id="signOut",
    may=Permission.EDIT_OWN_ACCOUNT,
    summary="Sign out",
    tags=["session"],
    status_code=204,
)
def sign_out(request: Request[Any, Any, Any], use_cases: UseCases, signed_in: SignedIn) -> None:
    """End the session; its token is invalid immediately."""
    use_cases.sign_out(signed_in, client_address(request), client_name(request))


@post(
    "/api/auth/unlock",
    operation_id="confirmPassword",
    may=Permission.EDIT_OWN_ACCOUNT,
    operation_class=request_body_schema(GivenPassword, "password"),
    summary="Confirm the own password",
    tags=["session"],
    status_code=204,
    hashes=True,
)
def confirm_password(request: Request[Any, Any, Any], use_cases: UseCases, actor: Actor, body: JsonBody) -> None:
    """Unlock the lock screen with the password; counts as a sign-in attempt."""
    given = body.read(GivenPassword)
    use_cases.confirm_password(actor, given, client_address(request), client_name(request))


@get(
    "/api/users/{user_id:int}/sessions",
    operation_id="listSessions",
    may=Permission.EDIT_OWN_ACCOUNT,
    summary="List where an account is signed in",
    tags=["sessions"],
)
def list_sessions(use_cases: UseCases, signed_in: SignedIn, user_id: PathId) -> SessionsView:
    """List the sessions of one's own or a managed account, last used first."""
    return use_cases.list_sessions(signed_in, user_id)


@delete(
    "/api/users/{user_id:int}/sessions/{session_id:str}",
    operation_id="endSession",
    may=Permission.EDIT_OWN_ACCOUNT,
    summary="End a session",
    tags=["sessions"],
)
def end_session(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    signed_in: SignedIn,
    user_id: PathId,
    session_id: Annotated[str, PathParameter()],
) -> None:
    """End one session of one's own or a managed account.

    Its token is invalid immediately.
    """
    use_cases.end_sessions.one(signed_in, user_id, session_id, client_address(request), client_name(request))


@delete(
    "/api/users/{user_id:int}/sessions",
    operation_id="endOtherSessions",
    may=Permission.EDIT_OWN_ACCOUNT,
    summary="End all other sessions",
    tags=["sessions"],
)
def end_other_sessions(
    request: Request[Any, Any, Any], use_cases: UseCases, signed_in: SignedIn, user_id: PathId
) -> None:
    """End all other sessions of one's own account, or all of a managed one."""
    use_cases.end_sessions.others(signed_in, user_id, client_address(request), client_name(request))


@get(
    "/api/auth/profile",
    operation_id="readOwnAccount",
    may=Permission.EDIT_OWN_ACCOUNT,
    summary="Read the own account",
    tags=["session"],
)
def read_own_account(use_cases: UseCases, actor: Actor) -> OwnAccountView:
    """Return the signed-in user with all permissions."""
    return use_cases.read_own_account(actor)


@get(
    "/api/staff/profile",
    operation_id="readOwnProfile",
    may=Permission.MANAGE_OWN_PROFILE,
    summary="Read the own staff profile",
    tags=["session"],
)
def read_own_profile(use_cases: UseCases, actor: Actor) -> OwnProfile:
    """Return the caller's staff profile; data is null while there is none."""
    return OwnProfile(data=use_cases.read_own_profile(actor))


@put(
    "/api/staff/profile",
    operation_id="completeProfile",
    may=Permission.MANAGE_OWN_PROFILE,
    operation_class=request_body_schema(StaffDraft, "name", "first_surname"),
    summary="Complete the own staff profile",
    tags=["session"],
)
def complete_profile(use_cases: UseCases, actor: Actor, body: JsonBody) -> SavedProfile:
    """Save the caller's staff profile; create it the first time."""
    saved = use_cases.complete_profile(actor, body.read(StaffDraft))
    return SavedProfile(user_id=actor.user_id, data=saved)


ROUTES = [
    sign_in,
    sign_out,
    confirm_password,
    list_sessions,
    end_session,
    end_other_sessions,
    read_own_account,
    read_own_profile,
    complete_profile,
]
