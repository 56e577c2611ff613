"""Quantity of a line before its correction

Revision: 0024
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("consumption_details", sa.Column("corrected_from", sa.BigInteger(), nullable=True))
