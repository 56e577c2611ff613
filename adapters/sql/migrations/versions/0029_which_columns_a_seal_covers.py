"""Form of a seal: the columns that it covers

Revision: 0029
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The previous version continues to make seals of the first form.
    add_columns("audit_seals", sa.Column("form", sa.SmallInteger(), server_default=sa.text("1"), nullable=False))
