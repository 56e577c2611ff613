"""Routes of passkeys: sign in, second factor, unlock, register and manage."""

from typing import Any, TypedDict

from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.controllers.accounts.session import AccessToken
from adapters.http.controllers.accounts.users import Link, link_view
from adapters.http.requests.client_address import client_address, client_name
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.wire import PathId
from application.accounts.sign_in.manage_passkeys import PasskeyName
from application.accounts.sign_in.passkey_links import LostPasskeys
from application.accounts.sign_in.register_passkey import LinkedPasskeyDraft, PasskeyDraft, PasskeyLinkToken
from application.accounts.sign_in.second_factor import GivenSecondFactor
from application.accounts.sign_in.sign_in_with_passkey import GivenPasskey
from application.accounts.views import PasskeysView, PasskeyView
from domain.common.policy import Permission

# An answer of a device has a few kilobytes.
MAX_CREDENTIAL_BYTES = 64_000


class PasskeyOptions(TypedDict):
    """Options for the browser, in the JSON form of WebAuthn."""

    options: dict[str, Any]


class PasskeyLinkOptions(PasskeyOptions):
    """For whom a link is, and the options for the browser."""

    email: str
    name: str | None


class PasskeySignInController(Controller):
    path = "/api/auth"
    tags = ("passkeys",)
    request_max_body_size = MAX_CREDENTIAL_BYTES

    @post("/passkey-sign-in/options", exclude_from_auth=True, sync_to_thread=True)
    def begin_passkey_sign_in(self, request: ApiRequest) -> PasskeyOptions:
        """Return the options for signing in with a passkey; they name no account."""
        return PasskeyOptions(options=request.use_cases.passkeys.begin_sign_in())

    @post("/passkey-sign-in", exclude_from_auth=True, dto=draft_dto(GivenPasskey, "credential"), sync_to_thread=True)
    def sign_in_with_passkey(self, request: ApiRequest, data: JSONBody[GivenPasskey]) -> AccessToken:
        """Start a session with a passkey.

        Every failure is the same 404; too many failures are a 429.
        """
        sign_in = request.use_cases.passkeys.sign_in
        return AccessToken(
            access_token=sign_in(data, client_address(request), client_name(request), language_of(request))
        )

    @post(
        "/second-factor",
        exclude_from_auth=True,
        dto=draft_dto(GivenSecondFactor, "ticket", "credential"),
        sync_to_thread=True,
    )
    def give_second_factor(self, request: ApiRequest, data: JSONBody[GivenSecondFactor]) -> AccessToken:
        """Start a session with the ticket of a right password, and a passkey."""
        give = request.use_cases.passkeys.give_second_factor
        return AccessToken(access_token=give(data, client_address(request), client_name(request), language_of(request)))

    @post("/unlock/options", guards=[requires(Permission.UNLOCK_SESSION)], sync_to_thread=True)
    def begin_passkey_unlock(self, request: ApiRequest) -> PasskeyOptions:
        """Return the options for unlocking the session with a passkey."""
        return PasskeyOptions(options=request.use_cases.passkeys.begin_unlock(request.auth))


class OwnPasskeyController(Controller):
    path = "/api/auth/passkeys"
    tags = ("passkeys",)
    request_max_body_size = MAX_CREDENTIAL_BYTES

    @post("/options", guards=[requires(Permission.EDIT_OWN_ACCOUNT)], sync_to_thread=True)
    def begin_passkey_registration(self, request: ApiRequest) -> PasskeyOptions:
        """Return the options for registering a passkey of one's own account.

        The session was confirmed within the last five minutes.
        """
        return PasskeyOptions(options=request.use_cases.passkeys.begin_registration.own(request.auth))

    @post(
        guards=[requires(Permission.EDIT_OWN_ACCOUNT)],
        dto=draft_dto(PasskeyDraft, "credential", "name"),
        sync_to_thread=True,
    )
    def register_passkey(self, request: ApiRequest, data: JSONBody[PasskeyDraft]) -> PasskeyView:
        """Register a passkey of one's own account."""
        register = request.use_cases.passkeys.register.own
        return register(request.auth, data, client_address(request), client_name(request), language_of(request))


class PasskeyLinkController(Controller):
    path = "/api/auth/passkey-link"
    tags = ("passkeys",)
    request_max_body_size = MAX_CREDENTIAL_BYTES

    @post("/options", exclude_from_auth=True, dto=draft_dto(PasskeyLinkToken, "token"), sync_to_thread=True)
    def read_passkey_link(self, request: ApiRequest, data: JSONBody[PasskeyLinkToken]) -> PasskeyLinkOptions:
        """Return for whom a link is, and the options for registering a passkey.

        The link stays valid.
        """
        read = request.use_cases.passkeys.begin_registration.by_link(data)
        return PasskeyLinkOptions(email=read.email, name=read.name, options=read.options)

    @post(
        exclude_from_auth=True,
        dto=draft_dto(LinkedPasskeyDraft, "token", "credential", "name"),
        sync_to_thread=True,
    )
    def register_passkey_by_link(self, request: ApiRequest, data: JSONBody[LinkedPasskeyDraft]) -> PasskeyView:
        """Register a passkey by a link, which works once."""
        register = request.use_cases.passkeys.register.by_link
        return register(data, client_address(request), client_name(request), language_of(request))


class UserPasskeyController(Controller):
    path = "/api/users/{user_id:int}"
    tags = ("passkeys",)

    @get("/passkeys", guards=[requires(Permission.EDIT_OWN_ACCOUNT)], sync_to_thread=True)
    def list_passkeys(self, request: ApiRequest, user_id: PathId) -> PasskeysView:
        """List the passkeys of one's own or a managed account, the oldest first."""
        return request.use_cases.passkeys.list(request.user, user_id)

    @put(
        "/passkeys/{passkey_id:int}",
        guards=[requires(Permission.EDIT_OWN_ACCOUNT)],
        dto=draft_dto(PasskeyName, "name"),
        sync_to_thread=True,
    )
    def rename_passkey(
        self, request: ApiRequest, data: JSONBody[PasskeyName], user_id: PathId, passkey_id: PathId
    ) -> PasskeyView:
        """Rename a passkey of one's own account."""
        return request.use_cases.passkeys.rename(request.user, user_id, passkey_id, data)

    @delete("/passkeys/{passkey_id:int}", guards=[requires(Permission.EDIT_OWN_ACCOUNT)], sync_to_thread=True)
    def remove_passkey(self, request: ApiRequest, user_id: PathId, passkey_id: PathId) -> None:
        """Remove a passkey of one's own or a managed account.

        For one's own account the session was confirmed within the last five minutes.
        """
        request.use_cases.passkeys.remove(
            request.auth, user_id, passkey_id, client_address(request), client_name(request), language_of(request)
        )

    @post(
        "/passkey-link",
        guards=[requires(Permission.MANAGE_USERS)],
        dto=draft_dto(LostPasskeys),
        sync_to_thread=True,
    )
    def create_passkey_link(self, request: ApiRequest, data: JSONBody[LostPasskeys], user_id: PathId) -> Link:
        """Create a link on which a user who lost a passkey registers another one.

        The user's sessions end, and the passkeys in ``removed_ids`` are removed.
        """
        return link_view(
            request.use_cases.passkeys.hand_out_link(
                request.user, user_id, data, client_address(request), client_name(request), language_of(request)
            )
        )
