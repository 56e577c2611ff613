"""Texts that users type for products which no search finds by them

Revision: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "typed_names",
        sa.Column("id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("name", FOLDED, nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dismissed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name="fk_typed_names_product_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_typed_names"),
        sa.UniqueConstraint("product_id", "name", name="uq_typed_names_product_id"),
        sqlite_autoincrement=True,
    )
