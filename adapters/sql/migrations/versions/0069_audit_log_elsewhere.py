"""The installation knows which entries of the audit log were sent elsewhere

Revision: 0069
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0069"
down_revision = "0068"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns(
        "installation",
        sa.Column("audit_sent_id", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("audit_problem", sa.String(), nullable=True),
    )
