"""Sessions: how they began, whether they are locked, and the device's key

Revision: 0046
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    add_columns(
        "sessions",
        sa.Column("how", sa.String(), nullable=False, server_default=sa.text("'password'")),
        sa.Column("confirmed_at", MOMENT, nullable=True),
        sa.Column("locked_at", MOMENT, nullable=True),
        sa.Column("device", sa.String(43), nullable=True),
        sa.Column("device_key", sa.String(88), nullable=True),
        sa.Column("pin_failures", sa.SmallInteger(), nullable=False, server_default=sa.text("0")),
    )
    build_index("ix_sessions_device", "sessions", ["device"])
