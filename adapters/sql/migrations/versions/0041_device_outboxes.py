"""Unsent lines of devices, and the backups that were made

Revision: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "device_outboxes",
        sa.Column("id", ID, nullable=False),
        sa.Column("device_id", sa.String(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("area_id", ID, nullable=True),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("oldest_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_device_outboxes_user_id"),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_device_outboxes_area_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_device_outboxes"),
        sa.UniqueConstraint("device_id", "user_id", name="uq_device_outboxes_device_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_device_outboxes_user_id", "device_outboxes", ["user_id"])
    op.create_index("ix_device_outboxes_area_id", "device_outboxes", ["area_id"])
    op.create_table(
        "backups",
        sa.Column("id", ID, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_backups"),
        sqlite_autoincrement=True,
    )
