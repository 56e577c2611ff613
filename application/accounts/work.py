"""What the use cases of accounts read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from application.accounts.ports.identity import (
    ActiveKey,
    ActiveSession,
    FailedAttempts,
    PasswordLinks,
    Session,
    Sessions,
    SetupLinks,
)
from application.accounts.ports.passkeys import PasskeySecrets, PasskeyStore
from application.accounts.ports.stores import ApiKeys, Users
from application.accounts.ports.unlocking import UnlockState, UserPins
from application.accounts.views import ExpiringKeyView, OwnWardView, ServiceAccountView, UserQuery, UserView
from application.catalogue import work as below
from application.common.stores import Store
from application.common.views import View
from domain.accounts.badge import Badge


class Views(below.Views, Protocol):
    """Everything that they read."""

    @property
    def users(self) -> View[UserView, UserQuery]: ...
    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Return the user of a session, or None if it has ended."""

    def own_ward(self, user_id: int) -> OwnWardView | None:
        """Return where the user works, or None until it is chosen."""

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """Return a user's active sessions, the oldest first."""

    def sessions_on_device(self, device: str, at: datetime) -> list[Session]:
        """Return the active sessions on a device, by user."""

    def unlock_state(self, user_id: int) -> UnlockState:
        """Return what a user can unlock with."""

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the program of an API key by digest, or None.

        None if there is no such key, or it is revoked or expired.
        """

    def service_accounts(self) -> list[ServiceAccountView]:
        """Return the active service accounts with their keys.

        The accounts are sorted by name, the keys by age, the latest first.
        """

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """Return unrevoked keys that expire before that moment, the soonest first."""


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def users(self) -> Users: ...
    @property
    def api_keys(self) -> ApiKeys: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def pins(self) -> UserPins: ...
    @property
    def badges(self) -> Store[Badge]: ...
    @property
    def password_links(self) -> PasswordLinks: ...
    @property
    def setup_links(self) -> SetupLinks: ...
    @property
    def passkeys(self) -> PasskeyStore: ...
    @property
    def passkey_secrets(self) -> PasskeySecrets: ...
    @property
    def failed_attempts(self) -> FailedAttempts: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
BeginReadOnly = Begin
Read = Callable[[], AbstractContextManager[Views]]
