"""Notices: what others changed on a user's lines

Revision: 0042
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("actor_id", ID, nullable=False),
        sa.Column("detail_id", ID, nullable=False),
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("from_sheet_id", sa.BigInteger(), nullable=True),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("new_product_id", sa.BigInteger(), nullable=True),
        sa.Column("new_quantity", sa.BigInteger(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_notices_user_id"),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name="fk_notices_actor_id"),
        sa.ForeignKeyConstraint(
            ["detail_id"], ["consumption_details.id"], name="fk_notices_detail_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["consumption_sheets.id"], name="fk_notices_sheet_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notices_detail_id", "notices", ["detail_id"])
    op.create_index("ix_notices_sheet_id", "notices", ["sheet_id"])
    op.create_index("ix_notices_at", "notices", ["at"])
    op.create_index("ix_notices_user_id_at", "notices", ["user_id", "at"])
    unseen = sa.text("seen_at IS NULL")
    op.create_index("ix_notices_unseen", "notices", ["user_id", "id"], sqlite_where=unseen, postgresql_where=unseen)
