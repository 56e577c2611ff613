"""Unusual lines and sheets that a user judged right

Revision: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0033"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "judgements",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_judgements_user_id"),
        sa.PrimaryKeyConstraint("kind", "entity_id", name="pk_judgements"),
    )
    op.create_index("ix_judgements_entity_id", "judgements", ["entity_id"])
