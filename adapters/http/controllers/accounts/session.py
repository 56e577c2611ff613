"""Routes of signing in and out, one's own account and staff profile."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypedDict

from litestar import Controller, Response
from litestar.exceptions import NotFoundException, TooManyRequestsException
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, PathParameter

from adapters.http.authentication import requires
from adapters.http.requests.client_address import client_address, client_name
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.wire import DecimalJSONResponse, PathId
from adapters.http.routes import Use, delete, get, post, put
from adapters.http.workers.fair_queue import HASHING
from application.accounts.sessions.ask_second_factor import SecondFactorAsked
from application.accounts.sessions.device_proof import BindDevice, DeviceDraft, MakeNonce
from application.accounts.sessions.lock_session import LockSession
from application.accounts.sessions.sessions import EndSessions, ListSessions
from application.accounts.sessions.sign_out import SignOut
from application.accounts.sign_in.badges import AddBadge, BadgeDraft, FindBadge, ListBadges, RemoveBadge, ScannedBadge
from application.accounts.sign_in.pins import PinDraft, RemovePin, SetPin
from application.accounts.sign_in.sign_in import Credentials, SignIn
from application.accounts.sign_in.unlock_session import UnlockDraft, UnlockSession
from application.accounts.users.choose_own_ward import ChooseOwnWard, OwnWardDraft
from application.accounts.users.complete_profile import CompleteProfile
from application.accounts.users.own_account import ReadOwnAccount, ReadOwnProfile
from application.accounts.views import (
    BadgeHolderView,
    BadgesView,
    BadgeView,
    NonceView,
    OwnAccountView,
    OwnWardView,
    SessionsView,
)
from application.people.staff import StaffDraft
from application.people.views import StaffView


class AccessToken(TypedDict):
    """The access token that the client sends with each request from now on."""

    access_token: str


class AskedSecondFactor(TypedDict):
    """A ticket that proves the password, and the options for the browser."""

    ticket: str
    options: dict[str, Any]


class SecondFactor(TypedDict):
    """The password was right, and a passkey of the account is asked for."""

    second_factor: AskedSecondFactor


ASKS_SECOND_FACTOR = {
    202: ResponseSpec(
        SecondFactor, generate_examples=False, description="Second factor required: continue with a passkey"
    )
}


async def admit(request: ApiRequest, sign_in: Callable[[], str]) -> Response[AccessToken]:
    """Return the access token, or 202 if a passkey is asked for."""
    try:
        admitted: Any = AccessToken(access_token=await HASHING.run(request.owner, sign_in))
        return DecimalJSONResponse(admitted, status_code=201)
    except SecondFactorAsked as asked:
        given: Any = SecondFactor(second_factor=AskedSecondFactor(ticket=asked.ticket, options=asked.options))
        return DecimalJSONResponse(given, status_code=202)


class OwnProfile(TypedDict):
    """The caller's staff profile; null while there is none."""

    data: StaffView | None


class SavedProfile(TypedDict):
    """The caller's staff profile as saved."""

    user_id: int
    data: StaffView


class SessionController(Controller):
    path = "/api/auth"
    tags = ("session",)

    @post(
        "/login",
        exclude_from_auth=True,
        dto=draft_dto(Credentials, "email", "password"),
        responses=ASKS_SECOND_FACTOR,
        raises=[NotFoundException, TooManyRequestsException],
    )
    async def sign_in(
        self, request: ApiRequest, data: JSONBody[Credentials], sign_in: Use[SignIn]
    ) -> Response[AccessToken]:
        """Start a session.

        Unknown email and wrong password are the same 404; too many failures are a 429. The answer is a 202 if the
        account has a passkey, which the client gives next.
        """
        address = client_address(request)
        return await admit(request, partial(sign_in, data, address, client_name(request)))

    @post("/logout", guards=[requires(SignOut)], status_code=204, sync_to_thread=True)
    def sign_out(self, request: ApiRequest, sign_out: Use[SignOut]) -> None:
        """End the session; its token is invalid immediately."""
        sign_out(request.auth, client_address(request), client_name(request))

    @post("/lock", guards=[requires(LockSession)], status_code=204, sync_to_thread=True)
    def lock_session(self, request: ApiRequest, lock_session: Use[LockSession]) -> None:
        """Lock the session until it is unlocked.

        Meanwhile the token only sends entries; every other call is a 403 with the code session_locked.
        """
        lock_session(request.auth)

    @post(
        "/unlock",
        guards=[requires(UnlockSession)],
        dto=draft_dto(UnlockDraft),
        status_code=204,
        raises=[TooManyRequestsException],
    )
    async def unlock_session(
        self, request: ApiRequest, data: JSONBody[UnlockDraft], unlock_session: Use[UnlockSession]
    ) -> None:
        """Unlock the session by ``password``, ``pin``, ``badge`` or ``passkey``.

        Exactly one of them is given. A PIN and a badge need a nonce and the device's signature of
        ``consumo-unlock``, the nonce and the user's id, each on a line. A password and a passkey count as a
        sign-in attempt, and confirm the session for five minutes.

        Refusals: password.wrong, pin.wrong with the tries ``left``, pin.exhausted after five wrong ones in a row,
        pin.none, pin.not_here (no device is bound), nonce.expired, device.signature, unlock.not_for_role,
        badge.unknown, badge.needs_pin.

        A passkey gives a session that began with the password its second factor.
        """
        address = client_address(request)
        unlock = partial(unlock_session, request.auth, data, address, client_name(request), language_of(request))
        await HASHING.run(request.owner, unlock)

    @post("/nonce", guards=[requires(MakeNonce)], sync_to_thread=True)
    def make_nonce(self, request: ApiRequest, make_nonce: Use[MakeNonce]) -> NonceView:
        """Make a nonce for the device's signature, valid for a minute."""
        return make_nonce(request.auth)

    @put(
        "/device",
        guards=[requires(BindDevice)],
        dto=draft_dto(DeviceDraft, "public_key", "nonce", "signature"),
        status_code=204,
        sync_to_thread=True,
    )
    def bind_device(self, request: ApiRequest, data: JSONBody[DeviceDraft], bind_device: Use[BindDevice]) -> None:
        """Bind the session to the device's key, a JSON Web Key of P-256.

        The key signs ``consumo-device``, the nonce and the user's id, each on a line. Older sessions of the user on the
        same device end.

        A first or another key needs a confirmed session (session.unconfirmed). Refusals: device.key_invalid,
        device.signature, nonce.expired. The signature is ECDSA on P-256 with SHA-256: r and s, 64 bytes in base64url.
        """
        bind_device(request.auth, data, client_address(request), client_name(request))

    @put(
        "/pin",
        guards=[requires(SetPin)],
        dto=draft_dto(PinDraft, "pin", "pin_confirmation"),
        status_code=204,
    )
    async def set_pin(self, request: ApiRequest, data: JSONBody[PinDraft], set_pin: Use[SetPin]) -> None:
        """Set the own PIN: six digits. The session must be confirmed.

        422: pin.invalid, pin.weak, pin.mismatch, session.unconfirmed, unlock.not_for_role.
        """
        await HASHING.run(request.owner, partial(set_pin, request.auth, data))

    @delete("/pin", guards=[requires(RemovePin)], sync_to_thread=True)
    def remove_pin(self, request: ApiRequest, remove_pin: Use[RemovePin]) -> None:
        """Remove the own PIN, if there is one."""
        remove_pin(request.user)

    @post(
        "/badge",
        guards=[requires(FindBadge)],
        dto=draft_dto(ScannedBadge, "badge", "nonce", "signature"),
        status_code=200,
        sync_to_thread=True,
        raises=[NotFoundException, TooManyRequestsException],
    )
    def find_badge(
        self, request: ApiRequest, data: JSONBody[ScannedBadge], find_badge: Use[FindBadge]
    ) -> BadgeHolderView:
        """Return whose badge it is, if that user has a session on this device.

        The device signs ``consumo-badge``, the nonce and the user's id of the token, each on a line. Everything else is
        the same 404.
        """
        return find_badge(request.auth, data)

    @get("/profile", guards=[requires(ReadOwnAccount)], sync_to_thread=True)
    def read_own_account(self, request: ApiRequest, read_own_account: Use[ReadOwnAccount]) -> OwnAccountView:
        """Return the signed-in user with all permissions.

        ``managed_roles`` are those that the caller may give and take. ``unlock_by`` are the ways to unlock that the
        account has (password, pin, badge), and ``quick_unlock`` says whether its role may use PIN and badges. ``ward``
        is null until it is chosen, and again after the area was deleted. ``passkey_due_on`` is the day from which the
        role needs a passkey, while the account has none.
        """
        return read_own_account(request.user)


class OwnWardController(Controller):
    path = "/api/users/account/ward"
    tags = ("session",)

    @put(
        guards=[requires(ChooseOwnWard)],
        dto=draft_dto(OwnWardDraft, "area_id"),
        sync_to_thread=True,
    )
    def choose_own_ward(
        self, request: ApiRequest, data: JSONBody[OwnWardDraft], choose_own_ward: Use[ChooseOwnWard]
    ) -> OwnWardView:
        """Choose the area in which the caller works.

        An ``area_id`` of null means the whole hospital.

        It must be sent. The audit log has it as user.account_changed; deleting an area does not wait for it.
        """
        return choose_own_ward(request.user, data)


class UserSessionController(Controller):
    path = "/api/users/{user_id:int}/sessions"
    tags = ("sessions",)

    @get(guards=[requires(ListSessions)], sync_to_thread=True)
    def list_sessions(self, request: ApiRequest, user_id: PathId, list_sessions: Use[ListSessions]) -> SessionsView:
        """List the sessions of one's own or a managed account, last used first.

        ``device`` is the thumbprint of the key of the device (RFC 7638); ``how`` is how the session began.
        """
        return list_sessions(request.auth, user_id)

    @delete("/{session_id:str}", guards=[requires(EndSessions.one)], sync_to_thread=True)
    def end_session(
        self,
        request: ApiRequest,
        user_id: PathId,
        session_id: Annotated[str, PathParameter()],
        end_sessions: Use[EndSessions],
    ) -> None:
        """End one session of one's own or a managed account.

        Its token is invalid immediately.
        """
        end_sessions.one(request.auth, user_id, session_id, client_address(request), client_name(request))

    @delete(guards=[requires(EndSessions.others)], sync_to_thread=True)
    def end_other_sessions(self, request: ApiRequest, user_id: PathId, end_sessions: Use[EndSessions]) -> None:
        """End all other sessions of one's own account, or all of a managed one."""
        end_sessions.others(request.auth, user_id, client_address(request), client_name(request))


class BadgeController(Controller):
    path = "/api/users/{user_id:int}/badges"
    tags = ("badges",)

    @get(guards=[requires(ListBadges)], sync_to_thread=True)
    def list_badges(self, request: ApiRequest, user_id: PathId, list_badges: Use[ListBadges]) -> BadgesView:
        """List the badges of one's own or a managed account."""
        return list_badges(request.user, user_id)

    @post(
        guards=[requires(AddBadge)],
        dto=draft_dto(BadgeDraft, "badge"),
        sync_to_thread=True,
        raises=[TooManyRequestsException],
    )
    def add_badge(
        self, request: ApiRequest, data: JSONBody[BadgeDraft], user_id: PathId, add_badge: Use[AddBadge]
    ) -> BadgeView:
        """Add a badge to one's own or a managed account, 3 at most.

        For one's own account the session must be confirmed.

        It has at least 6 characters and belongs to one account (badge.taken); more than 3 are badges.too_many.
        """
        return add_badge(request.auth, user_id, data)

    @delete("/{badge_id:int}", guards=[requires(RemoveBadge)], sync_to_thread=True)
    def remove_badge(
        self, request: ApiRequest, user_id: PathId, badge_id: PathId, remove_badge: Use[RemoveBadge]
    ) -> None:
        """Remove a badge from one's own or a managed account."""
        remove_badge(request.user, user_id, badge_id)


class OwnProfileController(Controller):
    path = "/api/staff/profile"
    tags = ("session",)

    @get(guards=[requires(ReadOwnProfile)], sync_to_thread=True)
    def read_own_profile(self, request: ApiRequest, read_own_profile: Use[ReadOwnProfile]) -> OwnProfile:
        """Return the caller's staff profile; data is null while there is none."""
        return OwnProfile(data=read_own_profile(request.user))

    @put(
        guards=[requires(CompleteProfile)],
        dto=draft_dto(StaffDraft, "name", "first_surname"),
        sync_to_thread=True,
    )
    def complete_profile(
        self, request: ApiRequest, data: JSONBody[StaffDraft], complete_profile: Use[CompleteProfile]
    ) -> SavedProfile:
        """Save the caller's staff profile; create it the first time."""
        saved = complete_profile(request.user, data)
        return SavedProfile(user_id=request.user.user_id, data=saved)
