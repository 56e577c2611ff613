"""Views and list queries of users, sessions and service accounts."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import TypedDict

from application.accounts.ports.identity import SignInMethod
from application.audit.views import AuditUserView
from application.catalogue.views import AreaView
from application.common.paging import ListQuery
from application.people.views import StaffView
from domain.common.policy import Permission


class UnlockWay(StrEnum):
    """A way to unlock a session."""

    PASSWORD = "password"  # noqa: S105 - a name, not a secret
    PIN = "pin"
    BADGE = "badge"
    PASSKEY = "passkey"


class UserView(TypedDict):
    """A user; ``role`` is "1", "2" or "10".

    ``oidc_linked`` says whether the person may sign in with the hospital's own account. Without a password it is the
    only way.
    """

    id: int
    email: str
    role: str
    staff_id: int | None
    profile: StaffView | None
    has_password: bool
    oidc_linked: bool


class ManagedRoleView(TypedDict):
    """A role that the user may grant and withdraw.

    ``has_profile`` says whether users with it have a staff profile.
    """

    role: str
    has_profile: bool


class OwnWardView(TypedDict):
    """Where the user works: an area, or the whole hospital (null)."""

    area: AreaView | None


class OwnAccountView(UserView):
    """The signed-in user, with permissions and managed roles.

    ``ward`` is null until the user has chosen one, and again after its area was deleted. ``unlock_by`` are the ways in
    which the account can unlock a session; a PIN and a badge only on a device that is bound to the session.
    ``quick_unlock`` says whether the hospital allows PINs and badges for the role. With ``second_factor_required`` the
    session only reaches the own account, until a passkey is used. ``passkey_due_on`` is the day from which the account
    needs a passkey, while it has none; null if it needs none.
    """

    ward: OwnWardView | None
    permissions: list[Permission]
    managed_roles: list[ManagedRoleView]
    profile_required: bool
    unlock_by: list[UnlockWay]
    quick_unlock: bool
    second_factor_required: bool
    passkey_due_on: date | None


class PasskeyView(TypedDict):
    """A passkey.

    ``backed_up`` says whether it is synchronized between devices. A ``suspected`` one is no longer accepted, because
    there may be a copy of it.
    """

    id: int
    name: str
    made_at: datetime
    used_at: datetime | None
    backed_up: bool
    suspected: bool


class PasskeysView(TypedDict):
    """The passkeys of an account, the oldest first."""

    items: list[PasskeyView]


class NonceView(TypedDict):
    """A text that the device signs within a minute, for this session."""

    nonce: str


class BadgeView(TypedDict):
    """A badge of a user; ``used_at`` is null until it is used."""

    id: int
    name: str | None
    made_at: datetime
    used_at: datetime | None


class BadgesView(TypedDict):
    """The badges of a user, the oldest first."""

    items: list[BadgeView]


class BadgeHolderView(TypedDict):
    """The user whose badge was read."""

    user_id: int


class SessionView(TypedDict):
    """A session: network address and program, with its name for a browser.

    ``current`` marks the session of the request. ``used_at`` is accurate to a few minutes. ``how`` says how it began.
    ``device`` is the thumbprint of the device's key; sessions with the same one are on the same device. Unknown values
    are null.
    """

    id: str
    address: str
    client: str
    browser: str | None
    system: str | None
    began_at: datetime | None
    used_at: datetime | None
    current: bool
    how: SignInMethod
    locked: bool
    device: str | None


class SessionsView(TypedDict):
    """The sessions of an account, the latest used first."""

    items: list[SessionView]


class ApiKeyView(TypedDict):
    """A key of a service account, without its secret.

    ``prefix`` is the part by which people recognize it. ``refused_at`` is the last time when it was used from outside
    its networks, and ``refused_address`` the address.
    """

    id: int
    name: str
    prefix: str
    scopes: list[Permission]
    networks: list[str]
    created_at: datetime
    created_by: AuditUserView
    expires_at: datetime | None
    used_at: datetime | None
    refused_at: datetime | None
    refused_address: str | None
    revoked_at: datetime | None


class OwnKeyView(TypedDict):
    """What the calling program's key may do.

    ``expires_on`` is the last day on which it is valid, or null. Without ``networks`` it is valid from everywhere.
    """

    name: str
    service_account: str
    permissions: list[Permission]
    networks: list[str]
    expires_on: date | None


class ServiceAccountView(TypedDict):
    """A service account with its keys, the latest first."""

    id: int
    name: str
    keys: list[ApiKeyView]


class ServiceAccountsView(TypedDict):
    """All service accounts by name, with the available scopes."""

    items: list[ServiceAccountView]
    scopes: list[Permission]


class MadeKeyView(TypedDict):
    """A new key with its ``secret``, which is only returned once."""

    key: ApiKeyView
    secret: str


class ExpiringKeyView(TypedDict):
    """A key that expires soon or has expired recently."""

    id: int
    name: str
    service_account: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UserQuery(ListQuery):
    """A query for users. Without ``roles`` all are listed."""

    roles: frozenset[int] | None = None


USER_SORTS = frozenset({"id", "email", "role"})
