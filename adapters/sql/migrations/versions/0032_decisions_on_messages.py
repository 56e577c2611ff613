"""Decisions on messages, and indexes of what they wait for

Revision: 0032
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index, drop_index

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_WAITING = {
    "ix_inbound_messages_waiting_visit": ["visit_number"],
    "ix_inbound_messages_waiting_record": ["record_number"],
    "ix_inbound_messages_waiting_prior": ["prior_number"],
    "ix_inbound_messages_waiting_location": ["source", "location"],
}


def upgrade() -> None:
    add_columns(
        "inbound_messages",
        sa.Column("answered_room_id", sa.BigInteger()),
        sa.Column("opens_sheet", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    for name, columns in _WAITING.items():
        build_index(
            name,
            "inbound_messages",
            columns,
            sqlite_where=sa.text("waiting IS 1"),
            postgresql_where=sa.text("waiting IS true"),
        )
    drop_index("ix_inbound_messages_waiting", "inbound_messages")
