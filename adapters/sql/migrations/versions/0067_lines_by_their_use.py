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
    for first in ("created_at", "day"):
        build_index(
            f"ix_consumption_details_not_treatment_{first}",
            "consumption_details",
            [first, "id"],
            sqlite_where=rows,
            postgresql_where=rows,
        )
