"""PINs and badges of users

Revision: 0047
"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "user_pins",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("pin_hash", sa.String(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_user_pins"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_user_pins_user_id"),
    )
    op.create_table(
        "user_badges",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("name", sa.String(60), nullable=True),
        sa.Column("made_by", ID, nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_user_badges"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_user_badges_user_id"),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name="fk_user_badges_made_by"),
        sa.UniqueConstraint("digest", name="uq_user_badges_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_user_badges_user_id", "user_badges", ["user_id"])


def downgrade() -> None:
    op.drop_table("user_badges")
    op.drop_table("user_pins")
