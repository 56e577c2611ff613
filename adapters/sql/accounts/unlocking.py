"""PINs and badges of users."""

from sqlalchemy import Connection, bindparam, select

from adapters.sql.accounts.tables import badges, passkeys, pins, users
from adapters.sql.engine.table_mapping import TableMapping
from application.accounts.ports.unlocking import StoredPin, UnlockState
from domain.accounts.badge import Badge

BADGES = TableMapping[Badge](badges, Badge, keys={"digest": badges.c.digest, "user_id": badges.c.user_id})

_PIN = select(pins).where(pins.c.user_id == bindparam("of_user"))
_REMOVE_PIN = pins.delete().where(pins.c.user_id == bindparam("of_user"))
_STATE = select(
    users.c.password_hash.is_not(None),
    select(pins.c.user_id).where(pins.c.user_id == users.c.id).exists(),
    select(badges.c.id).where(badges.c.user_id == users.c.id).exists(),
    select(passkeys.c.id).where(passkeys.c.user_id == users.c.id).exists(),
).where(users.c.id == bindparam("of_user"))


class SqlPins:
    """PINs within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, user_id: int) -> StoredPin | None:
        """Return the PIN of a user."""
        row = self._connection.execute(_PIN, {"of_user": user_id}).one_or_none()
        return None if row is None else StoredPin(row.user_id, row.pin_hash, row.set_at)

    def save(self, pin: StoredPin) -> None:
        """Store the PIN in place of the earlier one."""
        self.remove(pin.user_id)
        row = {"user_id": pin.user_id, "pin_hash": pin.pin_hash, "set_at": pin.set_at}
        self._connection.execute(pins.insert(), row)

    def remove(self, user_id: int) -> None:
        """Delete the PIN of a user."""
        self._connection.execute(_REMOVE_PIN, {"of_user": user_id})


def read_unlock_state(connection: Connection, user_id: int) -> UnlockState:
    """Return what a user can unlock with."""
    row = connection.execute(_STATE, {"of_user": user_id}).one_or_none()
    return UnlockState() if row is None else UnlockState(*map(bool, row))
