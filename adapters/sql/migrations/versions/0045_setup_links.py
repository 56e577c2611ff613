"""The link for creating the first administrator

Revision: 0045
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "setup_links",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_setup_links"),
    )


def downgrade() -> None:
    op.drop_table("setup_links")
