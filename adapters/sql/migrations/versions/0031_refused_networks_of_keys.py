"""Last use of each key from outside its networks

Revision: 0031
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns(
        "api_keys",
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refused_address", sa.String(), nullable=True),
    )
