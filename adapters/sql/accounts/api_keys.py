"""API keys of service accounts."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from adapters.sql.accounts.tables import api_keys, users
from adapters.sql.engine.row_shape import Computed
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from application.accounts.ports.identity import ActiveKey
from application.accounts.views import ApiKeyView, ExpiringKeyView, ServiceAccountView
from application.audit.views import AuditUserView
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
_ACCOUNTS = (
    select(users.c.id, users.c.email)
    .where(users.c.role == Role.SERVICE_ACCOUNT, users.c.deleted.is_(False))
    .order_by(users.c.email_key)
)
_KEYS = (
    select(api_keys, _MAKER.c.email.label("maker"))
    .join_from(api_keys, _MAKER, _MAKER.c.id == api_keys.c.created_by)
    .order_by(api_keys.c.id.desc())
)
_EXPIRING = (
    select(api_keys.c.id, api_keys.c.name, users.c.email, api_keys.c.expires_at)
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
    accounts = {row.id: ServiceAccountView(id=row.id, name=row.email, keys=[]) for row in connection.execute(_ACCOUNTS)}
    for row in connection.execute(_KEYS):
        if row.user_id in accounts:
            accounts[row.user_id]["keys"].append(_to_view(row))
    return list(accounts.values())


def read_expiring_keys(connection: Connection, before: datetime, *, most: int) -> list[ExpiringKeyView]:
    """Return unrevoked keys that expire before a moment, soonest first."""
    return [
        ExpiringKeyView(id=row.id, name=row.name, service_account=row.email, expires_at=row.expires_at)
        for row in connection.execute(_EXPIRING, {"before": before, "most": most})
    ]


def _to_view(row: Any) -> ApiKeyView:
    return ApiKeyView(
        id=row.id,
        name=row.name,
        prefix=row.prefix,
        scopes=list(map(Permission, row.scopes.split())),
        networks=row.networks.split(),
        created_at=row.created_at,
        created_by=AuditUserView(id=row.created_by, email=row.maker),
        expires_at=row.expires_at,
        used_at=row.used_at,
        refused_at=row.refused_at,
        refused_address=row.refused_address,
        revoked_at=row.revoked_at,
    )
