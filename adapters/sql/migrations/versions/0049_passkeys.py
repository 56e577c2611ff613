"""Passkeys, their challenges, and links for registering one

Revision: 0049
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("transports", sa.String(), nullable=False),
        sa.Column("backed_up", sa.Boolean(), nullable=False),
        sa.Column("aaguid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.Column("suspected_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_passkeys_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential_id", name="uq_passkeys_credential_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])
    op.create_table(
        "passkey_secrets",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("user_id", ID, nullable=True),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("made_by", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_passkey_secrets_user_id"),
        sa.PrimaryKeyConstraint("digest", name="pk_passkey_secrets"),
    )
    op.create_index("ix_passkey_secrets_user_id", "passkey_secrets", ["user_id"])
    op.create_index("ix_passkey_secrets_expires_at", "passkey_secrets", ["expires_at"])
    add_columns("users", sa.Column("passkey_handle", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("users", "passkey_handle")
    op.drop_table("passkey_secrets")
    op.drop_table("passkeys")
