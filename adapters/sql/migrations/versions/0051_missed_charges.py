"""Missed charges: learned pairs of products, answers, and leases of jobs

Revision: 0051
"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "product_pairs",
        sa.Column("because_id", sa.BigInteger(), nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("sheets", sa.Integer(), nullable=False),
        sa.Column("together", sa.Integer(), nullable=False),
        sa.Column("denials", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("because_id", "product_id", name="pk_product_pairs"),
    )
    op.create_table(
        "missed_charge_answers",
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("because_id", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sheet_id"],
            ["consumption_sheets.id"],
            name="fk_missed_charge_answers_sheet_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("sheet_id", "product_id", name="pk_missed_charge_answers"),
    )
    op.create_table(
        "job_leases",
        sa.Column("job", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("job", name="pk_job_leases"),
    )
