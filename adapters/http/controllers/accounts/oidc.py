"""Routes of signing in with the hospital's own account (OIDC)."""

from functools import partial
from typing import TypedDict
from urllib.parse import parse_qs

from litestar import Controller
from litestar.exceptions import NotFoundException, ServiceUnavailableException, TooManyRequestsException
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.controllers.accounts.session import AccessToken
from adapters.http.requests.client_address import client_address, client_name
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest, MalformedBody
from adapters.http.responses.errors import language_of
from adapters.http.responses.statuses import InsufficientStorageException, UnprocessableException
from adapters.http.responses.wire import PathId
from adapters.http.routes import Use, delete, get, post
from adapters.http.workers.fair_queue import IDENTITY_PROVIDER
from application.accounts.ports.identity_provider import BegunSignIn
from application.accounts.sign_in.begin_oidc_sign_in import BeginOidcSignIn
from application.accounts.sign_in.end_at_provider import EndSessionsByProvider, ReadLogoutUrl
from application.accounts.sign_in.finish_oidc_sign_in import FinishOidcSignIn
from application.accounts.sign_in.link_oidc import BeginLinkingOidc, LinkOidc
from application.accounts.sign_in.oidc_return import OidcReturn
from application.accounts.sign_in.unlink_oidc import UnlinkOidc
from domain.common.errors import Refused

# The provider sends one.
_MAX_LOGOUT_FIELDS = 10


class OidcTransaction(TypedDict):
    """The provider's page, and the transaction to send with its answer."""

    authorization_url: str
    transaction: str


class OidcAccessToken(AccessToken):
    """The access token; names of the provider if a profile is still missing."""

    given_name: str | None
    family_name: str | None


class LogoutUrl(TypedDict):
    """The provider's page for signing out there; null if there is none."""

    url: str | None


_OidcReturnDTO = draft_dto(OidcReturn, "state", "transaction")


class OidcController(Controller):
    path = "/api/auth/oidc"
    tags = ("session",)

    @post(
        "/start",
        exclude_from_auth=True,
        raises=[NotFoundException, UnprocessableException, ServiceUnavailableException, InsufficientStorageException],
    )
    async def begin_oidc_sign_in(
        self, request: ApiRequest, begin_oidc_sign_in: Use[BeginOidcSignIn]
    ) -> OidcTransaction:
        """Begin a sign-in at the hospital's identity provider.

        404 if none is configured, 503 (oidc.unreachable) if it does not answer.

        ``authorization_url`` is the provider's page; ``transaction`` is signed and valid for ten minutes. The provider
        sends the browser to /auth/oidc/callback.
        """
        return _transaction(await IDENTITY_PROVIDER.run(request.owner, begin_oidc_sign_in))

    @post("/exchange", exclude_from_auth=True, dto=_OidcReturnDTO, raises=[NotFoundException, TooManyRequestsException])
    async def finish_oidc_sign_in(
        self, request: ApiRequest, data: JSONBody[OidcReturn], finish_oidc_sign_in: Use[FinishOidcSignIn]
    ) -> OidcAccessToken:
        """Start a session with the provider's answer, which is valid once.

        The codes of its 422 begin with oidc.

        The body has the ``code``, ``state`` and ``iss`` of the provider (or its ``error``), and the ``transaction``.
        While a profile is missing, the answer has the provider's ``given_name`` and ``family_name``.
        """
        address, client, language = client_address(request), client_name(request), language_of(request)
        finish = partial(finish_oidc_sign_in, data, address, client, language)
        done = await IDENTITY_PROVIDER.run(request.owner, finish)
        return OidcAccessToken(access_token=done.token, given_name=done.given_name, family_name=done.family_name)

    @post("/link/start", guards=[requires(BeginLinkingOidc)], raises=[NotFoundException, UnprocessableException])
    async def begin_linking_oidc(
        self, request: ApiRequest, begin_linking_oidc: Use[BeginLinkingOidc]
    ) -> OidcTransaction:
        """Begin to link the own account; the password was confirmed just now."""
        return _transaction(await IDENTITY_PROVIDER.run(request.owner, partial(begin_linking_oidc, request.auth)))

    @post(
        "/link",
        guards=[requires(LinkOidc)],
        dto=_OidcReturnDTO,
        status_code=204,
        raises=[NotFoundException, TooManyRequestsException],
    )
    async def link_oidc(self, request: ApiRequest, data: JSONBody[OidcReturn], link_oidc: Use[LinkOidc]) -> None:
        """Link the own account with the provider's answer."""
        address, client, language = client_address(request), client_name(request), language_of(request)
        link = partial(link_oidc, request.auth, data, address, client, language)
        await IDENTITY_PROVIDER.run(request.owner, link)

    @get("/logout-url", guards=[requires(ReadLogoutUrl)])
    async def read_logout_url(self, request: ApiRequest, read_logout_url: Use[ReadLogoutUrl]) -> LogoutUrl:
        """Return the page for signing out at the provider too.

        Read it before signing out. It is null for a session that began with a password.
        """
        return LogoutUrl(url=await IDENTITY_PROVIDER.run(request.owner, partial(read_logout_url, request.auth)))

    @post("/backchannel-logout", exclude_from_auth=True, status_code=200, include_in_schema=False)
    async def end_sessions_by_provider(
        self, request: ApiRequest, end_sessions_by_provider: Use[EndSessionsByProvider]
    ) -> None:
        """End the sessions that the identity provider names.

        Only the provider calls it. A token that is not the provider's is a 400.
        """
        end_by_provider = end_sessions_by_provider
        end_by_provider.raise_unless_set_up()
        body, address, client = await request.body(), client_address(request), client_name(request)
        try:
            await IDENTITY_PROVIDER.run(request.owner, lambda: end_by_provider(_logout_token(body), address, client))
        except Refused:
            raise MalformedBody from None


def _logout_token(body: bytes) -> str:
    """Return the token of a form. Raise ``MalformedBody`` for too many fields."""
    try:
        form = parse_qs(body.decode(errors="replace"), max_num_fields=_MAX_LOGOUT_FIELDS)
    except ValueError:
        raise MalformedBody from None
    return form.get("logout_token", [""])[0]


class UserOidcController(Controller):
    path = "/api/users/{user_id:int}/oidc"
    tags = ("users",)

    @delete(guards=[requires(UnlinkOidc)], sync_to_thread=True)
    def unlink_oidc(self, request: ApiRequest, user_id: PathId, unlink_oidc: Use[UnlinkOidc]) -> None:
        """Unlink another user's account from the hospital's own one.

        Sessions that began at the identity provider end.
        """
        unlink_oidc(request.user, user_id, client_address(request), client_name(request))


def _transaction(begun: BegunSignIn) -> OidcTransaction:
    return OidcTransaction(authorization_url=begun.authorization_url, transaction=begun.transaction)
