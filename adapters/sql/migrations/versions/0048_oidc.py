"""Users and sessions: the account at the hospital's identity provider

Revision: 0048
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns(
        "users",
        sa.Column("oidc_issuer", sa.String(255), nullable=True),
        sa.Column("oidc_subject", sa.String(255), nullable=True),
    )
    add_columns("sessions", sa.Column("oidc_sid", sa.String(255), nullable=True))
    build_index("uq_users_oidc", "users", ["oidc_issuer", "oidc_subject"], unique=True)
    build_index("ix_sessions_oidc_sid", "sessions", ["oidc_sid"])
