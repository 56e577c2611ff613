"""Tables of accounts."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    false,
    text,
)

from adapters.sql.engine.columns import FOLDED, Moment, metadata, table_with_id

users = table_with_id(
    "users",
    # A program has no email: this is its name.
    Column("email", String, nullable=False),
    # Null after the user is deleted: the email stays visible on past actions, and can be used again.
    Column("email_key", FOLDED),
    Column("role", SmallInteger, nullable=False),
    Column("password_hash", String),
    Column("staff_id", ForeignKey("staff.id")),
    Column("deleted", Boolean, nullable=False),
    Column("ward_area_id", ForeignKey("areas.id")),
    Column("whole_hospital", Boolean, nullable=False, server_default=false()),
    Column("oidc_issuer", String(255)),
    Column("oidc_subject", String(255)),
    Column("email_is_own_choice", Boolean, nullable=False, server_default=false()),
    Column("oidc_refused_at", Moment),
    Column("passkey_handle", LargeBinary),
    UniqueConstraint("email_key"),
    UniqueConstraint("staff_id"),
    Index("uq_users_oidc", "oidc_issuer", "oidc_subject", unique=True),
)

# Keys of service accounts. Only the digest of a secret is stored.
api_keys = table_with_id(
    "api_keys",
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("prefix", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("networks", String, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("created_by", ForeignKey("users.id"), nullable=False),
    Column("expires_at", Moment),
    Column("used_at", Moment),
    Column("revoked_at", Moment),
    Column("refused_at", Moment),
    Column("refused_address", String),
    UniqueConstraint("digest"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("expires_at", Moment, nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("began_at", Moment),
    Column("used_at", Moment),
    Column("ends_at", Moment),
    Column("address", String),
    Column("client", String),
    Column("how", String, nullable=False, server_default=text("'password'")),
    Column("confirmed_at", Moment),
    Column("locked_at", Moment),
    Column("device", String(43), index=True),
    Column("device_key", String(88)),
    Column("pin_failures", SmallInteger, nullable=False, server_default=text("0")),
    Column("oidc_sid", String(255), index=True),
)

pins = Table(
    "user_pins",
    metadata,
    Column("user_id", ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("pin_hash", String, nullable=False),
    Column("set_at", Moment, nullable=False),
)

badges = table_with_id(
    "user_badges",
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("digest", String, nullable=False),
    Column("name", String(60)),
    Column("made_by", ForeignKey("users.id"), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("used_at", Moment),
    UniqueConstraint("digest"),
)

password_links = Table(
    "password_links",
    metadata,
    Column("digest", String, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("expires_at", Moment, nullable=False),
    Column("made_by", BigInteger),
)

setup_links = Table(
    "setup_links",
    metadata,
    Column("digest", String, primary_key=True),
    Column("expires_at", Moment, nullable=False),
)

passkeys = table_with_id(
    "passkeys",
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("credential_id", LargeBinary, nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("transports", String, nullable=False),
    Column("backed_up", Boolean, nullable=False),
    Column("aaguid", String(36), nullable=False),
    Column("name", String(60), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("used_at", Moment),
    Column("suspected_at", Moment),
    Column("made_by", BigInteger),
)

# Challenges for passkeys, and links for registering one.
passkey_secrets = Table(
    "passkey_secrets",
    metadata,
    Column("digest", String, primary_key=True),
    Column("purpose", String, nullable=False),
    Column("user_id", ForeignKey("users.id"), index=True),
    Column("expires_at", Moment, nullable=False, index=True),
    Column("made_by", BigInteger),
)

failed_attempts = table_with_id(
    "sign_in_failures",
    Column("subject", String, nullable=False),
    Column("at", Moment, nullable=False, index=True),
    Index(None, "subject", "at"),
)
