"""Settings of the hospital that administrators set

Revision: 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hospital_settings",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("tax_number", sa.String(), nullable=True),
        sa.Column("letterhead", sa.String(), nullable=True),
        sa.Column("time_zone", sa.String(), nullable=True),
        sa.Column("currency", sa.String(3), nullable=True),
        sa.Column("number_format", sa.String(), nullable=True),
        sa.Column("idle_minutes", sa.Integer(), nullable=True),
        sa.Column("ask_above_total", sa.BigInteger(), nullable=True),
        sa.Column("shift_starts", sa.String(), nullable=True),
        sa.Column("logo", sa.LargeBinary(), nullable=True),
        sa.Column("logo_type", sa.String(), nullable=True),
        sa.Column("logo_width", sa.Integer(), nullable=True),
        sa.Column("logo_height", sa.Integer(), nullable=True),
        sa.Column("logo_version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hospital_settings"),
    )
