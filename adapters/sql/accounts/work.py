"""Stores and read models of accounts."""

from adapters.sql.accounts.api_keys import SqlApiKeys, read_active_key, read_expiring_keys, read_service_accounts
from adapters.sql.accounts.passkeys import SqlPasskeys, SqlPasskeySecrets
from adapters.sql.accounts.sessions import SqlSessions, read_active_session, read_sessions, read_sessions_on_device
from adapters.sql.accounts.unlocking import BADGES, SqlPins, read_unlock_state
from adapters.sql.accounts.users import (
    USERS,
    SqlFailedAttempts,
    SqlPasswordLinks,
    SqlSetupLinks,
    SqlUsers,
    read_own_ward,
)
from adapters.sql.common import work as common
from adapters.sql.common.work import list_view, on_connection, query, table_store


class Views(common.Views):
    """Read models."""

    users = list_view(USERS)
    active_session = query(read_active_session)
    own_ward = query(read_own_ward)
    sessions = query(read_sessions)
    sessions_on_device = query(read_sessions_on_device)
    unlock_state = query(read_unlock_state)
    active_key = query(read_active_key)
    service_accounts = query(read_service_accounts)
    expiring_keys = query(read_expiring_keys)


class Stores(common.Stores):
    """Stores within a unit of work."""

    users = on_connection(SqlUsers)
    api_keys = on_connection(SqlApiKeys)
    sessions = on_connection(SqlSessions)
    pins = on_connection(SqlPins)
    badges = table_store(BADGES)
    password_links = on_connection(SqlPasswordLinks)
    setup_links = on_connection(SqlSetupLinks)
    passkeys = on_connection(SqlPasskeys)
    passkey_secrets = on_connection(SqlPasskeySecrets)
    failed_attempts = on_connection(SqlFailedAttempts)
