"""Indexes for the latest sheets of a room and the latest details of a user

Revision: 0002
"""

from adapters.sql.migrations.online import build_index, drop_index

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    build_index("ix_consumption_sheets_room_id_id", "consumption_sheets", ["room_id", "id"])
    drop_index("ix_consumption_sheets_room_id", "consumption_sheets")
    build_index("ix_consumption_details_user_id_id", "consumption_details", ["user_id", "id"])
    drop_index("ix_consumption_details_user_id", "consumption_details")
