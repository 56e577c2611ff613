"""Routes of passkeys: sign in, second factor, unlock, register and manage."""

from typing import Any, TypedDict

from litestar import Controller
from litestar.exceptions import NotFoundException, TooManyRequestsException
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.controllers.accounts.session import AccessToken
from adapters.http.controllers.accounts.users import Link, link_view
from adapters.http.requests.client_address import client_address, client_name
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import PathId
from adapters.http.routes import Use, delete, get, post, put
from application.accounts.sign_in.manage_passkeys import ListPasskeys, PasskeyName, RemovePasskey, RenamePasskey
from application.accounts.sign_in.passkey_links import HandOutPasskeyLink, LostPasskeys
from application.accounts.sign_in.register_passkey import (
    BeginPasskeyRegistration,
    LinkedPasskeyDraft,
    PasskeyDraft,
    PasskeyLinkToken,
    RegisterPasskey,
)
from application.accounts.sign_in.second_factor import GivenSecondFactor, GiveSecondFactor
from application.accounts.sign_in.sign_in_with_passkey import BeginPasskeySignIn, GivenPasskey, SignInWithPasskey
from application.accounts.sign_in.unlock_with_passkey import BeginPasskeyUnlock
from application.accounts.views import PasskeysView, PasskeyView

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

    @post("/passkey-sign-in/options", exclude_from_auth=True, sync_to_thread=True, raises=[UnprocessableException])
    def begin_passkey_sign_in(self, begin_passkey_sign_in: Use[BeginPasskeySignIn]) -> PasskeyOptions:
        """Return the options for signing in with a passkey; they name no account."""
        return PasskeyOptions(options=begin_passkey_sign_in())

    @post(
        "/passkey-sign-in",
        exclude_from_auth=True,
        dto=draft_dto(GivenPasskey, "credential"),
        sync_to_thread=True,
        raises=[NotFoundException, TooManyRequestsException],
    )
    def sign_in_with_passkey(
        self, request: ApiRequest, data: JSONBody[GivenPasskey], sign_in_with_passkey: Use[SignInWithPasskey]
    ) -> AccessToken:
        """Start a session with a passkey.

        Every failure is the same 404; too many failures are a 429.

        ``credential`` is what PublicKeyCredential.toJSON() returns. The code of the 404 is passkey.unknown.
        """
        sign_in = sign_in_with_passkey
        return AccessToken(
            access_token=sign_in(data, client_address(request), client_name(request), language_of(request))
        )

    @post(
        "/second-factor",
        exclude_from_auth=True,
        dto=draft_dto(GivenSecondFactor, "ticket", "credential"),
        sync_to_thread=True,
        raises=[TooManyRequestsException],
    )
    def give_second_factor(
        self, request: ApiRequest, data: JSONBody[GivenSecondFactor], give_second_factor: Use[GiveSecondFactor]
    ) -> AccessToken:
        """Start a session with the ticket of a right password, and a passkey.

        422: passkey.challenge, passkey.of_another, passkey.refused.
        """
        give = give_second_factor
        return AccessToken(access_token=give(data, client_address(request), client_name(request), language_of(request)))

    @post(
        "/unlock/options", guards=[requires(BeginPasskeyUnlock)], sync_to_thread=True, raises=[UnprocessableException]
    )
    def begin_passkey_unlock(
        self, request: ApiRequest, begin_passkey_unlock: Use[BeginPasskeyUnlock]
    ) -> PasskeyOptions:
        """Return the options for unlocking the session with a passkey."""
        return PasskeyOptions(options=begin_passkey_unlock(request.auth))


class OwnPasskeyController(Controller):
    path = "/api/auth/passkeys"
    tags = ("passkeys",)
    request_max_body_size = MAX_CREDENTIAL_BYTES

    @post(
        "/options",
        guards=[requires(BeginPasskeyRegistration.own)],
        sync_to_thread=True,
        raises=[UnprocessableException],
    )
    def begin_passkey_registration(
        self, request: ApiRequest, begin_passkey_registration: Use[BeginPasskeyRegistration]
    ) -> PasskeyOptions:
        """Return the options for registering a passkey of one's own account.

        The session was confirmed within the last five minutes.
        """
        return PasskeyOptions(options=begin_passkey_registration.own(request.auth))

    @post(
        guards=[requires(RegisterPasskey.own)],
        dto=draft_dto(PasskeyDraft, "credential", "name"),
        sync_to_thread=True,
    )
    def register_passkey(
        self, request: ApiRequest, data: JSONBody[PasskeyDraft], register_passkey: Use[RegisterPasskey]
    ) -> PasskeyView:
        """Register a passkey of one's own account.

        An account has up to ten. The first one of an account whose role needs one takes a link (422,
        passkey.link_required), except in the session in which a new account was activated.
        """
        register = register_passkey.own
        return register(request.auth, data, client_address(request), client_name(request), language_of(request))


class PasskeyLinkController(Controller):
    path = "/api/auth/passkey-link"
    tags = ("passkeys",)
    request_max_body_size = MAX_CREDENTIAL_BYTES

    @post("/options", exclude_from_auth=True, dto=draft_dto(PasskeyLinkToken, "token"), sync_to_thread=True)
    def read_passkey_link(
        self,
        data: JSONBody[PasskeyLinkToken],
        begin_passkey_registration: Use[BeginPasskeyRegistration],
    ) -> PasskeyLinkOptions:
        """Return for whom a link is, and the options for registering a passkey.

        The link stays valid.
        """
        read = begin_passkey_registration.by_link(data)
        return PasskeyLinkOptions(email=read.email, name=read.name, options=read.options)

    @post(
        exclude_from_auth=True,
        dto=draft_dto(LinkedPasskeyDraft, "token", "credential", "name"),
        sync_to_thread=True,
    )
    def register_passkey_by_link(
        self, request: ApiRequest, data: JSONBody[LinkedPasskeyDraft], register_passkey: Use[RegisterPasskey]
    ) -> PasskeyView:
        """Register a passkey by a link, which works once."""
        return register_passkey.by_link(data, client_address(request), client_name(request), language_of(request))


class UserPasskeyController(Controller):
    path = "/api/users/{user_id:int}"
    tags = ("passkeys",)

    @get("/passkeys", guards=[requires(ListPasskeys)], sync_to_thread=True)
    def list_passkeys(self, request: ApiRequest, user_id: PathId, list_passkeys: Use[ListPasskeys]) -> PasskeysView:
        """List the passkeys of one's own or a managed account, the oldest first.

        A ``suspected`` one is no longer accepted: its counter says that there may be a copy.
        """
        return list_passkeys(request.user, user_id)

    @put(
        "/passkeys/{passkey_id:int}",
        guards=[requires(RenamePasskey)],
        dto=draft_dto(PasskeyName, "name"),
        sync_to_thread=True,
    )
    def rename_passkey(
        self,
        request: ApiRequest,
        data: JSONBody[PasskeyName],
        user_id: PathId,
        passkey_id: PathId,
        rename_passkey: Use[RenamePasskey],
    ) -> PasskeyView:
        """Rename a passkey of one's own account."""
        return rename_passkey(request.user, user_id, passkey_id, data)

    @delete("/passkeys/{passkey_id:int}", guards=[requires(RemovePasskey)], sync_to_thread=True)
    def remove_passkey(
        self, request: ApiRequest, user_id: PathId, passkey_id: PathId, remove_passkey: Use[RemovePasskey]
    ) -> None:
        """Remove a passkey of one's own or a managed account.

        For one's own account the session was confirmed within the last five minutes.

        422, code passkey.last, if the role needs one.
        """
        remove_passkey(
            request.auth, user_id, passkey_id, client_address(request), client_name(request), language_of(request)
        )

    @post(
        "/passkey-link",
        guards=[requires(HandOutPasskeyLink)],
        dto=draft_dto(LostPasskeys),
        sync_to_thread=True,
    )
    def create_passkey_link(
        self,
        request: ApiRequest,
        data: JSONBody[LostPasskeys],
        user_id: PathId,
        hand_out_passkey_link: Use[HandOutPasskeyLink],
    ) -> Link:
        """Create a link on which a user who lost a passkey registers another one.

        The user's sessions end, and the passkeys in ``removed_ids`` are removed.

        The link is valid once and for an hour, or until another link of the user is made, for a password or for a
        passkey, or the email, the password or the role changes.
        """
        return link_view(
            hand_out_passkey_link(
                request.user, user_id, data, client_address(request), client_name(request), language_of(request)
            )
        )
