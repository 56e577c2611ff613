"""Uses of recalled products, until acknowledged

Revision: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "recalled_uses",
        sa.Column("detail_id", ID, autoincrement=False, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=True),
        sa.Column("seen_by", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["detail_id"], ["consumption_details.id"], name="fk_recalled_uses_detail_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["seen_by"], ["users.id"], name="fk_recalled_uses_seen_by"),
        sa.PrimaryKeyConstraint("detail_id", name="pk_recalled_uses"),
    )
    unseen = sa.text("seen_at IS NULL")
    op.create_index(
        "ix_recalled_uses_unseen", "recalled_uses", ["detail_id"], sqlite_where=unseen, postgresql_where=unseen
    )
    # No use that was recorded before this migration can be acknowledged yet.
    op.execute(
        "INSERT INTO recalled_uses (detail_id) SELECT id FROM consumption_details "
        "WHERE acknowledged LIKE '%lot.recalled%' AND voided_at IS NULL"
    )
