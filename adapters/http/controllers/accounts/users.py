"""Routes of users, one's own account and passwords."""

from datetime import datetime
from functools import partial
from typing import Any, TypedDict

from litestar import Controller, Request, Response
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
from adapters.http.routes import Use, delete, get, post, put
from adapters.http.workers.fair_queue import HASHING
from adapters.http.workers.letters import LETTERS
from adapters.i18n import messages
from application.accounts.ports.identity import PasswordScore
from application.accounts.sessions.browse_users import BrowseUsers, ListOwnAccount, ListUsers
from application.accounts.users.change_own_account import AccountDraft, ChangeOwnAccount
from application.accounts.users.choose_password import ChoosePassword, ChosenPassword
from application.accounts.users.delete_user import DeleteUser
from application.accounts.users.draft import UserDraft
from application.accounts.users.first_administrator import CreateFirstAdministrator, FirstAdministratorDraft
from application.accounts.users.imported_links import CreateImportedLinks, ImportedLinksDraft
from application.accounts.users.invite_user import InviteUser
from application.accounts.users.judge_password import CheckPasswordStrength, PasswordTypedOnLink, TypedPassword
from application.accounts.users.password_links import (
    CreateResetLink,
    PasswordResetLink,
    RequestPasswordReset,
    ResetRequest,
)
from application.accounts.users.read_link import LinkToken, ReadPasswordLink
from application.accounts.views import UserQuery, UserView
from application.common.paging import Page
from domain.common.errors import Reason


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

    @get(guards=[requires(ListUsers)], dependencies={"asked": Provide(provide_list)})
    async def list_users(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[UserView]:
        """List the users whose accounts the caller manages, by email."""
        return await list_response(request, USERS, UserQuery(**asked))

    @get("/{user_id:int}", guards=[requires(ListOwnAccount)], sync_to_thread=True)
    def read_user(self, request: ApiRequest, user_id: PathId, browse_users: Use[BrowseUsers]) -> UserView:
        """Read a user. Every user may read their own account."""
        return browse_users.one(request.user, user_id)

    @put("/{user_id:int}", guards=[requires(ChangeOwnAccount)], dto=draft_dto(UserDraft, also=(AccountDraft,)))
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

    @delete("/{user_id:int}", guards=[requires(DeleteUser)], sync_to_thread=True)
    def delete_user(self, request: ApiRequest, user_id: PathId, delete_user: Use[DeleteUser]) -> None:
        """Delete another user's account. What the user recorded keeps the name."""
        delete_user(request.user, user_id)

    @post("/{user_id:int}/reset-link", guards=[requires(CreateResetLink)], sync_to_thread=True)
    def create_password_link(
        self, request: ApiRequest, user_id: PathId, create_reset_link: Use[CreateResetLink]
    ) -> Link:
        """Create a link on which the user chooses a new password."""
        return link_view(create_reset_link(request.user, user_id))

    @post(
        "/imported-links",
        guards=[requires(CreateImportedLinks)],
        dto=draft_dto(ImportedLinksDraft, "import_id"),
        sync_to_thread=True,
    )
    def create_imported_links(
        self, request: ApiRequest, data: JSONBody[ImportedLinksDraft], create_imported_links: Use[CreateImportedLinks]
    ) -> UserLinks:
        """Create links for the users of an import who have no password yet.

        Earlier links of these users become invalid. A request creates up to 200; the next one starts ``after_id``.
        """
        made = create_imported_links(request.user, data)
        return UserLinks(
            items=[
                UserLinkView(user_id=one.user_id, email=one.email, name=one.name, **link_view(one.link)) for one in made
            ]
        )


class InvitationController(Controller):
    path = "/api/auth/register-by-admin"
    tags = ("users",)

    @post(
        guards=[requires(InviteUser)],
        dto=draft_dto(UserDraft, "email", "role", leaves_out=("password",)),
        sync_to_thread=True,
    )
    def invite_user(
        self, request: ApiRequest, data: JSONBody[UserDraft], invite_user: Use[InviteUser]
    ) -> Response[InvitedUser]:
        """Invite a user, who chooses a password on the activation link.

        The link is in the response and, if mail is set up, also sent by email.
        """
        invited = invite_user(request.user, data, language_of(request))
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
    def request_password_reset(
        self, request: ApiRequest, data: JSONBody[ResetRequest], request_password_reset: Use[RequestPasswordReset]
    ) -> Response[None]:
        """Email a reset link if the account exists.

        Neither the response nor its duration reveals whether the account exists (user enumeration).
        """
        letter = request_password_reset(data, client_address(request))
        send = partial(request_password_reset.send, letter, language_of(request))
        return Response(None, status_code=202, background=BackgroundTask(LETTERS.submit, send))

    @post(
        "/password-reset/confirm",
        exclude_from_auth=True,
        dto=draft_dto(ChosenPassword, "token", "password", "password_confirmation"),
        responses=ASKS_SECOND_FACTOR,
    )
    async def choose_password(
        self, request: ApiRequest, data: JSONBody[ChosenPassword], choose_password: Use[ChoosePassword]
    ) -> Response[AccessToken]:
        """Set the password of the link's user, and sign in; the link works once.

        The answer is a 202 if the account has a passkey, as when signing in.
        """
        address, client, language = client_address(request), client_name(request), language_of(request)
        choose = partial(choose_password, data, address, client, language)
        return await admit(request, choose)

    @post(
        "/password-reset/account",
        exclude_from_auth=True,
        dto=draft_dto(LinkToken, "token"),
        status_code=200,
        sync_to_thread=True,
    )
    def read_password_link(self, data: JSONBody[LinkToken], read_password_link: Use[ReadPasswordLink]) -> LinkAccount:
        """Return for whom a link is. It stays valid.

        The answer has ``email``, ``name`` and ``hospital``.
        """
        holder = read_password_link(data)
        return LinkAccount(email=holder.email, name=holder.name, hospital=holder.hospital)

    @post(
        "/first-administrator",
        exclude_from_auth=True,
        dto=draft_dto(FirstAdministratorDraft, "token", "email", "password", "password_confirmation"),
    )
    async def create_first_administrator(
        self,
        request: ApiRequest,
        data: JSONBody[FirstAdministratorDraft],
        create_first_administrator: Use[CreateFirstAdministrator],
    ) -> AccessToken:
        """Create the first administrator by the server's setup link, and sign in.

        The server prints the link at each start while no account exists; it works once and for an hour.
        """
        address, client = client_address(request), client_name(request)
        create = partial(create_first_administrator, data, address, client)
        return AccessToken(access_token=await HASHING.run(request.owner, create))

    @post(
        "/password-strength",
        guards=[requires(CheckPasswordStrength.own)],
        dto=draft_dto(TypedPassword, "password"),
        status_code=200,
    )
    async def check_own_password(
        self, request: ApiRequest, data: JSONBody[TypedPassword], check_password_strength: Use[CheckPasswordStrength]
    ) -> PasswordStrength:
        """Rate the strength of a password for one's own account; store nothing."""
        judge = partial(check_password_strength.own, request.user, data)
        return _strength(request, await HASHING.run(request.owner, judge))

    @post(
        "/password-reset/strength",
        exclude_from_auth=True,
        dto=draft_dto(PasswordTypedOnLink, "token", "password"),
        status_code=200,
    )
    async def check_password_on_link(
        self,
        request: ApiRequest,
        data: JSONBody[PasswordTypedOnLink],
        check_password_strength: Use[CheckPasswordStrength],
    ) -> PasswordStrength:
        """Rate the strength of a password for a link's user; store nothing."""
        judge = partial(check_password_strength.on_link, data)
        return _strength(request, await HASHING.run(request.owner, judge))


def _strength(request: Request[Any, Any, Any], judgement: PasswordScore) -> PasswordStrength:
    weakness = judgement.weakness
    why = messages.refusal(language_of(request), Reason(weakness, "password")) if weakness else None
    return PasswordStrength(score=judgement.score, weakness=why)


def link_view(link: PasswordResetLink) -> Link:
    """Return a link for an answer."""
    return Link(url=link.url, expires_at=link.expires_at)
