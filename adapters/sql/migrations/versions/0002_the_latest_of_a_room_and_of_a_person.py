"""The latest sheets of a room and the latest details of a person

Revision: 0002
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_consumption_sheets_room_id_id", "consumption_sheets", ["room_id", "id"])
    op.drop_index("ix_consumption_sheets_room_id", "consumption_sheets")
    op.create_index("ix_consumption_details_user_id_id", "consumption_details", ["user_id", "id"])
    op.drop_index("ix_consumption_details_user_id", "consumption_details")
