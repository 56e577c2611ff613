"""Reasons for using recalled lots, and units that were set aside

Revision: 0039
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adapters.sql.migrations.online import add_columns

revision = "0039"
down_revision = "0035"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
LOT = sa.String(50).with_variant(postgresql.VARCHAR(50, collation="C"), "postgresql")


def upgrade() -> None:
    add_columns("consumption_details", sa.Column("recall_reason", sa.String(500), nullable=True))
    op.create_table(
        "set_aside",
        sa.Column("id", ID, nullable=False),
        sa.Column("recall_id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("lot", LOT, nullable=True),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("room_id", ID, nullable=True),
        sa.Column("area_id", ID, nullable=True),
        sa.Column("entry_digest", sa.LargeBinary(16), nullable=True),
        sa.ForeignKeyConstraint(["recall_id"], ["recalls.id"], name="fk_set_aside_recall_id"),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name="fk_set_aside_product_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_set_aside_user_id"),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_set_aside_room_id"),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_set_aside_area_id"),
        sa.PrimaryKeyConstraint("id", name="pk_set_aside"),
        sa.UniqueConstraint("entry_digest", name="uq_set_aside_entry_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_set_aside_recall_id", "set_aside", ["recall_id"])
    op.create_index("ix_set_aside_product_id", "set_aside", ["product_id"])
