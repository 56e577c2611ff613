"""Lines of areas and waste are found without those of patients; analysts get a view of each

Revision: 0067
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import build_index

revision = "0067"
down_revision = "0066"
branch_labels = None
depends_on = None


def upgrade() -> None:
    rows = sa.text("unbilled = 'area' OR use_reason IS NOT NULL")
    build_index(
        "ix_consumption_details_use_reason",
        "consumption_details",
        ["created_at", "id"],
        sqlite_where=rows,
        postgresql_where=rows,
    )
