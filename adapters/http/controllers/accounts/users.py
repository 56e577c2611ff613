"""Routes of users, one's own account and passwords."""

from datetime import datetime
from functools import partial
from typing import Any, TypedDict

from litestar import Controller, Request, Response, delete, get, post, put
from litestar.background_tasks import BackgroundTask
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from adapters.documents.lists import USERS
from adapters.http.authentication import requires
from adapters.http.controllers.accounts.session import ASKS_SECOND_FACTOR, AccessToken, admit
from adapters.http.requests.client_address import client_address, client_name
from adapters.http.requests.drafts import draft_dto, read_draft
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from adapters.http.workers.fair_queue import HASHING
from adapters.http.workers.letters import LETTERS
from adapters.i18n import messages
from application.accounts.ports.identity import PasswordScore
from application.accounts.users.change_own_account import AccountDraft
from application.accounts.users.choose_password import ChosenPassword
from application.accounts.users.draft import UserDraft
from application.accounts.users.first_administrator import FirstAdministratorDraft
from application.accounts.users.imported_links import ImportedLinksDraft
from application.accounts.users.judge_password import PasswordTypedOnLink, TypedPassword
from application.accounts.users.password_links import PasswordResetLink, ResetRequest
from application.accounts.users.read_link import LinkToken
from application.accounts.views import UserQuery, UserView
from application.common.paging import Page
from domain.common.errors import Reason
from domain.common.policy import Permission


class Link(TypedDict):
    """A single-use link for choosing a password or registering a passkey."""

    url: str
    expires_at: datetime


class UserLinkView(Link):
    """A user's new personal link; ``name`` is that of the profile."""

    user_id: int
    email: str
    name: str | None


class UserLinks(TypedDict):
    """Up to 200 new links, in the order of the users' ids."""

    items: list[UserLinkView]


class LinkAccount(TypedDict):
    """The account of a link for choosing a password, and the hospital's name."""

    email: str
    name: str | None
    hospital: str | None


class PasswordStrength(TypedDict):
    """Password strength from 0 to 4, with the reason if it is rejected."""

    score: int
    weakness: str | None


class InvitedUser(UserView):
    """A new user, the activation link, and whether it was also emailed."""

    activation: Link
    mailed: bool


class UserController(Controller):
    path = "/api/users"
    tags = ("users",)

    @get(guards=[requires(Permission.MANAGE_USERS)], dependencies={"asked": Provide(provide_list)})
    async def list_users(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[UserView]:
        """List the users whose accounts the caller manages, by email."""
        return await list_response(request, USERS, UserQuery(**asked))

    @get("/{user_id:int}", guards=[requires(Permission.EDIT_OWN_ACCOUNT)], sync_to_thread=True)
    def read_user(self, request: ApiRequest, user_id: PathId) -> UserView:
        """Read a user. Every user may read their own account."""
        return request.use_cases.users.reader.one(request.user, user_id)

    @put(
        "/{user_id:int}", guards=[requires(Permission.EDIT_OWN_ACCOUNT)], dto=draft_dto(UserDraft, also=(AccountDraft,))
    )
    async def update_user(self, request: ApiRequest, data: JSONBody[UserDraft], user_id: PathId) -> UserView:
        """Update another user's email, role and profile.

        Users change their own email and password here too, with their current password.
        """

        def update() -> UserView:
            use_cases, language = request.use_cases, language_of(request)
            if user_id == request.user.user_id:
                draft = read_draft(AccountDraft, request.fields)
                address, client = client_address(request), client_name(request)
                return use_cases.account.change(request.user, draft, address, language, client)
            use_cases.users.update(request.user, user_id, data, language)
            return use_cases.users.reader.changed(request.user, user_id)

        return await HASHING.run(request.owner, update)

    @delete("/{user_id:int}", guards=[requires(Permission.MANAGE_USERS)], sync_to_thread=True)
    def delete_user(self, request: ApiRequest, user_id: PathId) -> None:
        """Delete another user's account. What the user recorded keeps the name."""
        request.use_cases.users.delete(request.user, user_id)

    @post("/{user_id:int}/reset-link", guards=[requires(Permission.MANAGE_USERS)], sync_to_thread=True)
    def create_password_link(self, request: ApiRequest, user_id: PathId) -> Link:
        """Create a link on which the user chooses a new password."""
        return link_view(request.use_cases.users.create_reset_link(request.user, user_id))

    @post(
        "/imported-links",
        guards=[requires(Permission.MANAGE_USERS)],
        dto=draft_dto(ImportedLinksDraft, "import_id"),
        sync_to_thread=True,
    )
    def create_imported_links(self, request: ApiRequest, data: JSONBody[ImportedLinksDraft]) -> UserLinks:
        """Create links for the users of an import who have no password yet.

        Earlier links of these users become invalid. A request creates up to 200; the next one starts ``after_id``.
        """
        made = request.use_cases.users.create_imported_links(request.user, data)
        return UserLinks(
            items=[
                UserLinkView(user_id=one.user_id, email=one.email, name=one.name, **link_view(one.link)) for one in made
            ]
        )


class InvitationController(Controller):
    path = "/api/auth/register-by-admin"
    tags = ("users",)

    @post(
        guards=[requires(Permission.MANAGE_USERS)],
        dto=draft_dto(UserDraft, "email", "role", leaves_out=("password",)),
        sync_to_thread=True,
    )
    def invite_user(self, request: ApiRequest, data: JSONBody[UserDraft]) -> Response[InvitedUser]:
        """Invite a user, who chooses a password on the activation link.

        The link is in the response and, if mail is set up, also sent by email.
        """
        invited = request.use_cases.users.invite(request.user, data, language_of(request))
        answer = InvitedUser(**invited.user, activation=link_view(invited.activation), mailed=invited.mailed)
        return created(answer, "/api/users")


class PasswordController(Controller):
    path = "/api/auth"
    tags = ("session",)

    @post(
        "/password-reset",
        exclude_from_auth=True,
        dto=draft_dto(ResetRequest, "email"),
        status_code=202,
        sync_to_thread=True,
    )
    def request_password_reset(self, request: ApiRequest, data: JSONBody[ResetRequest]) -> Response[None]:
        """Email a reset link if the account exists.

        Neither the response nor its duration reveals whether the account exists (user enumeration).
        """
        letter = request.use_cases.account.request_password_reset(data, client_address(request))
        send = partial(request.use_cases.account.request_password_reset.send, letter, language_of(request))
        return Response(None, status_code=202, background=BackgroundTask(LETTERS.submit, send))

    @post(
        "/password-reset/confirm",
        exclude_from_auth=True,
        dto=draft_dto(ChosenPassword, "token", "password", "password_confirmation"),
        responses=ASKS_SECOND_FACTOR,
    )
    async def choose_password(self, request: ApiRequest, data: JSONBody[ChosenPassword]) -> Response[AccessToken]:
        """Set the password of the link's user, and sign in; the link works once.

        The answer is a 202 if the account has a passkey, as when signing in.
        """
        address, client, language = client_address(request), client_name(request), language_of(request)
        choose = partial(request.use_cases.account.choose_password, data, address, client, language)
        return await admit(request, choose)

    @post(
        "/password-reset/account",
        exclude_from_auth=True,
        dto=draft_dto(LinkToken, "token"),
        status_code=200,
        sync_to_thread=True,
    )
    def read_password_link(self, request: ApiRequest, data: JSONBody[LinkToken]) -> LinkAccount:
        """Return for whom a link is. It stays valid."""
        holder = request.use_cases.account.read_link(data)
        return LinkAccount(email=holder.email, name=holder.name, hospital=holder.hospital)

    @post(
        "/first-administrator",
        exclude_from_auth=True,
        dto=draft_dto(FirstAdministratorDraft, "token", "email", "password", "password_confirmation"),
    )
    async def create_first_administrator(
        self, request: ApiRequest, data: JSONBody[FirstAdministratorDraft]
    ) -> AccessToken:
        """Create the first administrator by the server's setup link, and sign in."""
        address, client = client_address(request), client_name(request)
        create = partial(request.use_cases.users.create_first_administrator, data, address, client)
        return AccessToken(access_token=await HASHING.run(request.owner, create))

    @post(
        "/password-strength",
        guards=[requires(Permission.EDIT_OWN_ACCOUNT)],
        dto=draft_dto(TypedPassword, "password"),
        status_code=200,
    )
    async def check_own_password(self, request: ApiRequest, data: JSONBody[TypedPassword]) -> PasswordStrength:
        """Rate the strength of a password for one's own account; store nothing."""
        judge = partial(request.use_cases.account.check_password.own, request.user, data)
        return _strength(request, await HASHING.run(request.owner, judge))

    @post(
        "/password-reset/strength",
        exclude_from_auth=True,
        dto=draft_dto(PasswordTypedOnLink, "token", "password"),
        status_code=200,
    )
    async def check_password_on_link(
        self, request: ApiRequest, data: JSONBody[PasswordTypedOnLink]
    ) -> PasswordStrength:
        """Rate the strength of a password for a link's user; store nothing."""
        judge = partial(request.use_cases.account.check_password.on_link, data)
        return _strength(request, await HASHING.run(request.owner, judge))


def _strength(request: Request[Any, Any, Any], judgement: PasswordScore) -> PasswordStrength:
    weakness = judgement.weakness
    why = messages.refusal(language_of(request), Reason(weakness, "password")) if weakness else None
    return PasswordStrength(score=judgement.score, weakness=why)


def link_view(link: PasswordResetLink) -> Link:
    """Return a link for an answer."""
    return Link(url=link.url, expires_at=link.expires_at)
