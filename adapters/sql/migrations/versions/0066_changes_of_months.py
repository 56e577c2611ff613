"""Changes of lines in a later month than that of their use

Revision: 0066
"""

import sqlalchemy as sa
from alembic import op

revision = "0066"
down_revision = "0065"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "month_changes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_on", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("sheet_id", sa.BigInteger(), nullable=False),
        sa.Column("detail_id", sa.BigInteger(), nullable=False),
        sa.Column("area_id", sa.BigInteger(), nullable=True),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("unbilled", sa.String(10), nullable=True),
        sa.Column("use_reason", sa.String(20), nullable=True),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("returned", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_month_changes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_month_changes_day_id", "month_changes", ["day", "id"])
    op.create_index("ix_month_changes_made_on_id", "month_changes", ["made_on", "id"])
