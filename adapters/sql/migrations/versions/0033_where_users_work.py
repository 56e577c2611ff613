"""The area in which a user works, or the whole hospital

Revision: 0033
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    add_columns(
        "users",
        sa.Column(
            "ward_area_id",
            ID,
            sa.ForeignKey("areas.id", name="fk_users_ward_area_id"),
            nullable=True,
        ),
        sa.Column("whole_hospital", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
