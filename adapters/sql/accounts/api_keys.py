"""API keys of service accounts."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select, update

from adapters.sql.accounts.tables import api_keys, users
from adapters.sql.audit.audit_log import USER_EMAIL
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from application.accounts.ports.identity import ActiveKey
from application.accounts.views import ApiKeyView, ExpiringKeyView, ServiceAccountView
from domain.accounts.api_key import ApiKey
from domain.common.policy import Actor, Permission, Role

# The last use and the last refusal are written alone.
MAPPING = TableMapping[ApiKey](
    api_keys,
    ApiKey,
    keys={"user_id": api_keys.c.user_id},
    written={"scopes": lambda key: " ".join(key.scopes), "networks": lambda key: " ".join(key.networks)},
    read={
        "scopes": Computed(lambda text: tuple(map(Permission, text.split())), api_keys.c.scopes),
        "networks": Computed(lambda text: tuple(text.split()), api_keys.c.networks),
    },
    omitted={"used_at", "refused_at", "refused_address"},
)

_CHANGED = update(api_keys).where(api_keys.c.id == bindparam("this_id"))
_MAKER = users.alias("maker")
_ACTIVE = (
    select(api_keys.c.id, api_keys.c.user_id, api_keys.c.scopes, api_keys.c.networks, api_keys.c.used_at)
    .join_from(api_keys, users, users.c.id == api_keys.c.user_id)
    .where(
        api_keys.c.digest == bindparam("digest"),
        api_keys.c.revoked_at.is_(None),
        func.coalesce(api_keys.c.expires_at > bindparam("at", type_=api_keys.c.expires_at.type), True),
        users.c.deleted.is_(False),
    )
)
_ACCOUNT = RowShape[ServiceAccountView](
    ServiceAccountView, users, names={"name": users.c.email, "keys": Computed(list)}
)
_ACCOUNTS = (
    select(*_ACCOUNT.columns)
    .where(users.c.role == Role.SERVICE_ACCOUNT, users.c.deleted.is_(False))
    .order_by(users.c.email_key)
)
_KEY = RowShape[ApiKeyView](
    ApiKeyView,
    api_keys,
    names={
        "scopes": Computed(lambda text: list(map(Permission, text.split())), api_keys.c.scopes),
        "networks": Computed(str.split, api_keys.c.networks),
        "created_by": USER_EMAIL.of(_MAKER),
    },
)
_KEYS = (
    select(*_KEY.columns, api_keys.c.user_id)
    .join_from(api_keys, _MAKER, _MAKER.c.id == api_keys.c.created_by)
    .order_by(api_keys.c.id.desc())
)
_EXPIRING_KEY = RowShape[ExpiringKeyView](ExpiringKeyView, api_keys, names={"service_account": users.c.email})
EXPIRING = (
    select(*_EXPIRING_KEY.columns)
    .join_from(api_keys, users, users.c.id == api_keys.c.user_id)
    .where(
        api_keys.c.revoked_at.is_(None),
        api_keys.c.expires_at < bindparam("before", type_=api_keys.c.expires_at.type),
    )
    .order_by(api_keys.c.expires_at, api_keys.c.id)
    .limit(bindparam("most"))
)


class SqlApiKeys(TableStore[ApiKey]):
    """API keys within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def record_refusal(self, id: int, address: str, at: datetime) -> None:
        """Set the time and address of the last use from outside the networks."""
        self._connection.execute(_CHANGED, {"this_id": id, "refused_at": at, "refused_address": address})

    def record_use(self, id: int, at: datetime) -> None:
        """Set the time of the last use."""
        self._connection.execute(_CHANGED, {"this_id": id, "used_at": at})


def read_active_key(connection: Connection, digest: str, at: datetime) -> ActiveKey | None:
    """Return the actor and networks of an active key by its digest; else None."""
    row = connection.execute(_ACTIVE, {"digest": digest, "at": at}).one_or_none()
    if row is None:
        return None
    scopes = frozenset(map(Permission, row.scopes.split()))
    actor = Actor(user_id=row.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=scopes, api_key_id=row.id)
    return ActiveKey(actor, tuple(row.networks.split()), row.used_at)


def read_service_accounts(connection: Connection) -> list[ServiceAccountView]:
    """Return active service accounts by name, with keys, newest first."""
    accounts = {row.id: _ACCOUNT.read(row) for row in connection.execute(_ACCOUNTS)}
    for row in connection.execute(_KEYS):
        if row.user_id in accounts:
            accounts[row.user_id]["keys"].append(_KEY.read(row))
    return list(accounts.values())


def read_expiring_keys(connection: Connection, before: datetime, *, most: int) -> list[ExpiringKeyView]:
    """Return unrevoked keys that expire before a moment, soonest first."""
    rows = connection.execute(EXPIRING, {"before": before, "most": most})
    return [_EXPIRING_KEY.read(row) for row in rows]
