"""Proofs: who made a passkey's link, whom the provider refused, whose choice an email is

Revision: 0061
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0061"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("passkeys", sa.Column("made_by", sa.BigInteger(), nullable=True))
    add_columns(
        "users",
        sa.Column("oidc_refused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("email_is_own_choice", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
