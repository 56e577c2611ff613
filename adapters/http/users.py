"""Routes of users, one's own account and passwords."""

from datetime import datetime
from functools import partial
from typing import Any, TypedDict

from litestar import Request, Response
from litestar.background_tasks import BackgroundTask
from litestar.di import NamedDependency, Provide

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.client_address import client_address
from adapters.http.errors import language_of
from adapters.http.letters import LETTERS
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, PathId, provide_list
from adapters.i18n import messages
from application.paging import Page
from application.ports.identity import PasswordScore
from application.session.change_own_account import AccountDraft
from application.session.choose_password import ChosenPassword
from application.session.judge_password import PasswordTypedOnLink, TypedPassword
from application.use_cases import UseCases
from application.users.draft import UserDraft
from application.users.password_links import PasswordResetLink, ResetRequest
from application.views import UserQuery, UserView
from domain.errors import Reason
from domain.policy import Actor, Permission


class Link(TypedDict):
    """A single-use link for choosing a password."""

    url: str
    expires_at: datetime


class PasswordStrength(TypedDict):
    """Password strength from 0 to 4, with the reason if it is rejected."""

    score: int
    weakness: str | None


class InvitedUser(UserView):
    """A new user, the activation link, and whether it was also emailed."""

    activation: Link
    mailed: bool


@get(
    "/api/users",
    operation_id="listUsers",
    may=Permission.MANAGE_USERS,
    summary="List users",
    tags=["users"],
    dependencies={"asked": Provide(provide_list)},
)
def list_users(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
) -> Page[UserView]:
    """List the users whose accounts the caller manages, by email."""
    query = UserQuery(**asked)
    page: Page[UserView] = list_response(request, "users", use_cases, actor, query, hospital)
    return page


@get(
    "/api/users/{user_id:int}",
    operation_id="readUser",
    may=Permission.EDIT_OWN_ACCOUNT,
    summary="Read a user",
    tags=["users"],
)
def read_user(use_cases: UseCases, actor: Actor, user_id: PathId) -> UserView:
    """Return one user. Every user may read their own account."""
    return use_cases.users.one(actor, user_id)


@post(
    "/api/auth/register-by-admin",
    operation_id="inviteUser",
    may=Permission.MANAGE_USERS,
    operation_class=request_body_schema(UserDraft, "email", "role", leaves_out=("password",)),
    summary="Register a user",
    tags=["users"],
)
def invite_user(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
) -> Response[InvitedUser]:
    """Invite a user, who chooses a password on the activation link.

    The link is in the response and, if mail is set up, also sent by email.
    """
    invited = use_cases.invite_user(actor, body.read(UserDraft), language_of(request))
    answer = InvitedUser(**invited.user, activation=_link(invited.activation), mailed=invited.mailed)
    return DecimalJSONResponse(answer, headers={"Location": f"/api/users/{invited.user['id']}"})


@put(
    "/api/users/{user_id:int}",
    operation_id="updateUser",
    may=Permission.EDIT_OWN_ACCOUNT,
    operation_class=request_body_schema(UserDraft, also=(AccountDraft,)),
    summary="Update a user or the own account",
    tags=["users"],
    hashes=True,
)
def update_user(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    user_id: PathId,
) -> UserView:
    """Update another user's email, role and profile.

    Users change their own email and password here too, with their current password.
    """
    if user_id == actor.user_id:
        draft = body.read(AccountDraft)
        return use_cases.change_own_account(actor, draft, client_address(request), language_of(request))
    use_cases.update_user(actor, user_id, body.read(UserDraft), language_of(request))
    return use_cases.users.changed(actor, user_id)


@delete(
    "/api/users/{user_id:int}",
    operation_id="deleteUser",
    may=Permission.MANAGE_USERS,
    summary="Delete a user",
    tags=["users"],
)
def delete_user(use_cases: UseCases, actor: Actor, user_id: PathId) -> None:
    """Delete another user's account. What the user recorded keeps the name."""
    use_cases.delete_user(actor, user_id)


@post(
    "/api/users/{user_id:int}/reset-link",
    operation_id="createPasswordLink",
    may=Permission.MANAGE_USERS,
    summary="Hand out a reset link",
    tags=["users"],
)
def hand_out_reset_link(use_cases: UseCases, actor: Actor, user_id: PathId) -> Link:
    """Create a link on which the user chooses a new password."""
    return _link(use_cases.hand_out_reset_link(actor, user_id))


@post(
    "/api/auth/password-reset",
    operation_id="requestPasswordReset",
    operation_class=request_body_schema(ResetRequest, "email"),
    summary="Ask for a new password",
    tags=["session"],
    status_code=202,
)
def request_password_reset(request: Request[Any, Any, Any], use_cases: UseCases, body: JsonBody) -> Response[None]:
    """Email a reset link if the account exists.

    Neither the response nor its duration reveals whether the account exists (user enumeration).
    """
    letter = use_cases.request_password_reset(body.read(ResetRequest), client_address(request))
    send = partial(use_cases.request_password_reset.send, letter, language_of(request))
    return Response(None, status_code=202, background=BackgroundTask(LETTERS.submit, send))


@post(
    "/api/auth/password-reset/confirm",
    operation_id="choosePassword",
    operation_class=request_body_schema(ChosenPassword, "token", "password", "password_confirmation"),
    summary="Choose a password on a link",
    tags=["session"],
    status_code=204,
    hashes=True,
)
def choose_password(request: Request[Any, Any, Any], use_cases: UseCases, body: JsonBody) -> None:
    """Set the password of the link's user. The link works once."""
    use_cases.choose_password(body.read(ChosenPassword), client_address(request), language_of(request))


@post(
    "/api/auth/password-strength",
    operation_id="checkOwnPassword",
    may=Permission.EDIT_OWN_ACCOUNT,
    operation_class=request_body_schema(TypedPassword, "password"),
    summary="Judge a password for the own account",
    tags=["session"],
    status_code=200,
    hashes=True,
)
def judge_own_password(
    request: Request[Any, Any, Any], use_cases: UseCases, actor: Actor, body: JsonBody
) -> PasswordStrength:
    """Rate the strength of a password for one's own account; store nothing."""
    return _strength(request, use_cases.judge_password.own(actor, body.read(TypedPassword)))


@post(
    "/api/auth/password-reset/strength",
    operation_id="checkPasswordOnLink",
    operation_class=request_body_schema(PasswordTypedOnLink, "token", "password"),
    summary="Judge a password for whose link it is",
    tags=["session"],
    status_code=200,
    hashes=True,
)
def judge_password_on_link(request: Request[Any, Any, Any], use_cases: UseCases, body: JsonBody) -> PasswordStrength:
    """Rate the strength of a password for a link's user; store nothing."""
    return _strength(request, use_cases.judge_password.on_link(body.read(PasswordTypedOnLink), client_address(request)))


def _strength(request: Request[Any, Any, Any], judgement: PasswordScore) -> PasswordStrength:
    weakness = judgement.weakness
    why = messages.refusal(language_of(request), Reason(weakness, "password")) if weakness else None
    return PasswordStrength(score=judgement.score, weakness=why)


def _link(link: PasswordResetLink) -> Link:
    return Link(url=link.url, expires_at=link.expires_at)


ROUTES = [
    list_users,
    read_user,
    invite_user,
    update_user,
    delete_user,
    hand_out_reset_link,
    request_password_reset,
    choose_password,
    judge_own_password,
    judge_password_on_link,
]
