"""Unlisted items: used supplies that are not in the catalogue

Revision: 0025
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "unlisted_items",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("staff_id", ID, nullable=True),
        sa.Column("area_id", ID, nullable=True),
        sa.Column("room_id", ID, nullable=False),
        sa.Column("entry_digest", sa.LargeBinary(16), nullable=True),
        sa.Column("description", sa.String(200), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("occurred_at", MOMENT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("reason", sa.String(500), nullable=True),
        sa.Column("detail_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["consumption_sheets.id"], name="fk_unlisted_items_sheet_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_unlisted_items_user_id"),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name="fk_unlisted_items_staff_id"),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_unlisted_items_area_id"),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_unlisted_items_room_id"),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_unlisted_items_decided_by"),
        sa.PrimaryKeyConstraint("id", name="pk_unlisted_items"),
        sa.UniqueConstraint("entry_digest", name="uq_unlisted_items_entry_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_unlisted_items_sheet_id", "unlisted_items", ["sheet_id"])
    is_open = sa.text("decided_at IS NULL")
    op.create_index(
        "ix_unlisted_items_open", "unlisted_items", ["sheet_id"], sqlite_where=is_open, postgresql_where=is_open
    )
