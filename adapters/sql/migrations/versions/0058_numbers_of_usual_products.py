"""The numbers of usual products of a shift, and who merged a patient

Revision: 0058
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    add_columns(
        "patients",
        sa.Column("merged_by", ID, sa.ForeignKey("users.id", name="fk_patients_merged_by"), nullable=True),
    )
    op.create_table(
        "usual_numbers",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("area_id", ID, nullable=False),
        sa.Column("since", MOMENT, nullable=True),
        sa.Column("ids", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_usual_numbers_user_id"),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_usual_numbers_area_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "area_id", name="pk_usual_numbers"),
    )
    op.create_index("ix_usual_numbers_area_id", "usual_numbers", ["area_id"])
