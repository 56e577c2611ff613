"""Inbound messages, room mappings, external records of sheets and patients

Revision: 0019
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns, build_index

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "inbound_messages",
        sa.Column("id", ID, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("control_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("event_at", MOMENT, nullable=False),
        sa.Column("received_at", MOMENT, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("params", sa.Text(), nullable=True),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.Column("visit_number", sa.String(), nullable=True),
        sa.Column("record_number", sa.String(), nullable=True),
        sa.Column("prior_number", sa.String(), nullable=True),
        sa.Column("location", sa.String(), nullable=True),
        sa.Column("sheet_id", sa.BigInteger(), nullable=True),
        sa.Column("patient_id", sa.BigInteger(), nullable=True),
        sa.Column("answered_patient_id", ID, nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.Column("note", sa.String(500), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_inbound_messages_user_id"),
        sa.ForeignKeyConstraint(
            ["answered_patient_id"], ["patients.id"], name="fk_inbound_messages_answered_patient_id"
        ),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_inbound_messages_decided_by"),
        sa.PrimaryKeyConstraint("id", name="pk_inbound_messages"),
        sa.UniqueConstraint("source", "control_id", "digest", name="uq_inbound_messages_source"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbound_messages_received_at", "inbound_messages", ["received_at"])
    op.create_index("ix_inbound_messages_state_id", "inbound_messages", ["state", "id"])
    waiting = sa.text("waiting IS true")
    op.create_index(
        "ix_inbound_messages_waiting",
        "inbound_messages",
        ["event_at"],
        sqlite_where=sa.text("waiting IS 1"),
        postgresql_where=waiting,
    )
    op.create_table(
        "translations",
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("room_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_translations_room_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("system", "code", name="pk_translations"),
    )
    op.create_index("ix_translations_room_id", "translations", ["room_id"])
    add_columns("areas", sa.Column("code", sa.String(), nullable=True))
    add_columns("rooms", sa.Column("code", sa.String(), nullable=True))
    add_columns("patients", sa.Column("told", sa.Text(), nullable=True))
    add_columns(
        "consumption_sheets",
        sa.Column("visit_number", sa.String(), nullable=True),
        sa.Column("discharge_proposed_at", MOMENT, nullable=True),
        sa.Column("admission_cancelled_at", MOMENT, nullable=True),
        sa.Column("told", sa.Text(), nullable=True),
    )
    for table, name in (("areas", "code"), ("rooms", "code"), ("consumption_sheets", "visit_number")):
        there = sa.text(f"{name} IS NOT NULL")
        build_index(f"uq_{table}_{name}", table, [name], unique=True, sqlite_where=there, postgresql_where=there)
    to_be_closed = sa.text("closed_at IS NULL AND discharge_proposed_at IS NOT NULL")
    build_index(
        "ix_consumption_sheets_to_be_closed",
        "consumption_sheets",
        ["discharge_proposed_at"],
        sqlite_where=to_be_closed,
        postgresql_where=to_be_closed,
    )
