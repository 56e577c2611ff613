"""Lines: whether the product was scanned or typed

Revision: 0053
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("consumption_details", sa.Column("input_method", sa.String(4)))
