"""Index for the open sheets of a room

Revision: 0004
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import build_index

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_open = sa.text("closed_at IS NULL")
    build_index(
        "ix_consumption_sheets_open_in_room",
        "consumption_sheets",
        ["room_id"],
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
