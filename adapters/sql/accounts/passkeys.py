"""Passkeys, and their single-use secrets."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from adapters.sql.accounts.tables import passkey_secrets, passkeys
from adapters.sql.engine.row_mapping import RowMapping
from adapters.sql.engine.row_shape import Computed
from domain.accounts.passkey import Passkey, PasskeySecret, SecretPurpose

_MAPPING = RowMapping[Passkey](
    passkeys,
    Passkey,
    written={"transports": lambda passkey: ",".join(passkey.transports)},
    read={"transports": Computed(lambda text: tuple(filter(None, text.split(","))), passkeys.c.transports)},
)
_ADD = passkeys.insert().returning(passkeys.c.id)
_OF_USER = select(passkeys).where(passkeys.c.user_id == bindparam("this_user")).order_by(passkeys.c.id)
_LOCK = select(passkeys).where(passkeys.c.credential_id == bindparam("this_credential")).with_for_update(key_share=True)
_SAVE = passkeys.update().where(passkeys.c.id == bindparam("this_id"))
_REMOVE = passkeys.delete().where(passkeys.c.id.in_(bindparam("ids", expanding=True)))
_REMOVE_ALL = passkeys.delete().where(passkeys.c.user_id == bindparam("this_user"))


class SqlPasskeys:
    """Passkeys within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, passkey: Passkey) -> None:
        """Insert a passkey and set its id."""
        [(passkey.id,)] = self._connection.execute(_ADD, _MAPPING.to_row(passkey))

    def of_user(self, user_id: int) -> list[Passkey]:
        """Return the passkeys of an account, the oldest first."""
        return [_MAPPING.to_entity(row) for row in self._connection.execute(_OF_USER, {"this_user": user_id})]

    def lock(self, credential_id: bytes) -> Passkey | None:
        """Return a passkey, locked until the end of the unit of work."""
        row = self._connection.execute(_LOCK, {"this_credential": credential_id}).one_or_none()
        return None if row is None else _MAPPING.to_entity(row)

    def save(self, passkey: Passkey) -> None:
        """Update a passkey."""
        self._connection.execute(_SAVE, {"this_id": passkey.id, **_MAPPING.to_row(passkey)})

    def remove(self, ids: Sequence[int]) -> None:
        """Delete passkeys."""
        self._connection.execute(_REMOVE, {"ids": list(ids)})

    def remove_all(self, user_id: int) -> None:
        """Delete all passkeys of an account."""
        self._connection.execute(_REMOVE_ALL, {"this_user": user_id})


class SqlPasskeySecrets:
    """Challenges and registration links within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, secret: PasskeySecret) -> None:
        """Insert a secret."""
        self._connection.execute(
            passkey_secrets.insert(),
            {
                "digest": secret.digest,
                "purpose": secret.purpose,
                "user_id": secret.user_id,
                "expires_at": secret.expires_at,
                "made_by": secret.made_by,
            },
        )

    def get(self, digest: str, purpose: SecretPurpose) -> PasskeySecret | None:
        """Return the secret with this digest and purpose."""
        return self._one(_GET_SECRET, digest, purpose)

    def consume(self, digest: str, purpose: SecretPurpose) -> PasskeySecret | None:
        """Delete a secret and return it."""
        return self._one(_TAKE_SECRET, digest, purpose)

    def revoke_all(self, user_id: int, purpose: SecretPurpose | None = None) -> None:
        """Delete the secrets of an account: all, or those for one purpose."""
        purposes = list(SecretPurpose) if purpose is None else [purpose]
        self._connection.execute(_DROP_ALL, {"this_user": user_id, "purposes": purposes})

    def purge(self, before: datetime) -> None:
        """Delete secrets that expired before a moment."""
        self._connection.execute(_FORGET, {"before": before})

    def _one(self, statement: Any, digest: str, purpose: SecretPurpose) -> PasskeySecret | None:
        found = self._connection.execute(statement, {"this_digest": digest, "this_purpose": purpose})
        return _to_secret(found.one_or_none())


def _to_secret(row: Row[Any] | None) -> PasskeySecret | None:
    if row is None:
        return None
    return PasskeySecret(row.digest, SecretPurpose(row.purpose), row.user_id, row.expires_at, row.made_by)


_THIS_SECRET = (
    passkey_secrets.c.digest == bindparam("this_digest"),
    passkey_secrets.c.purpose == bindparam("this_purpose"),
)
_GET_SECRET = select(passkey_secrets).where(*_THIS_SECRET)
_TAKE_SECRET = passkey_secrets.delete().where(*_THIS_SECRET).returning(passkey_secrets)
_DROP_ALL = passkey_secrets.delete().where(
    passkey_secrets.c.user_id == bindparam("this_user"),
    passkey_secrets.c.purpose.in_(bindparam("purposes", expanding=True)),
)
_FORGET = passkey_secrets.delete().where(
    passkey_secrets.c.expires_at < bindparam("before", type_=passkey_secrets.c.expires_at.type)
)
