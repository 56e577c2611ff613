"""Frozen closings, transfers, returns, merged patients and late entries

Revision: 0016
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import VARCHAR

from adapters.sql.migrations.online import add_columns, build_index

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)
FOLDED = sa.String().with_variant(VARCHAR(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "closings",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("closed_at", MOMENT, nullable=False),
        sa.Column("user_id", ID, nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["consumption_sheets.id"], name="fk_closings_sheet_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_closings_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_closings"),
        sa.UniqueConstraint("sheet_id", "turn", name="uq_closings_sheet_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sheet_transfers",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("left_room_id", ID, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["consumption_sheets.id"], name="fk_sheet_transfers_sheet_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["left_room_id"], ["rooms.id"], name="fk_sheet_transfers_left_room_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sheet_transfers_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_sheet_transfers"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sheet_transfers_sheet_id_id", "sheet_transfers", ["sheet_id", "id"])
    op.create_index("ix_sheet_transfers_left_room_id", "sheet_transfers", ["left_room_id"])
    voided = sa.text("voided_at IS NOT NULL")
    build_index(
        "ix_consumption_details_voided",
        "consumption_details",
        ["created_at", "id"],
        sqlite_where=voided,
        postgresql_where=voided,
    )
    op.create_table(
        "detail_returns",
        sa.Column("id", ID, nullable=False),
        sa.Column("detail_id", ID, nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("note", sa.String(500), nullable=True),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["detail_id"], ["consumption_details.id"], name="fk_detail_returns_detail_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_detail_returns_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_detail_returns"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_detail_returns_detail_id", "detail_returns", ["detail_id"])
    op.create_index("ix_detail_returns_day_id", "detail_returns", ["day", "id"])
    add_columns(
        "patients",
        sa.Column("merged_into", ID, sa.ForeignKey("patients.id", name="fk_patients_merged_into"), nullable=True),
        sa.Column("merged_at", MOMENT, nullable=True),
    )
    merged = sa.text("merged_into IS NOT NULL")
    build_index("ix_patients_merged_into", "patients", ["merged_into"], sqlite_where=merged, postgresql_where=merged)
    op.create_table(
        "patient_identifiers",
        sa.Column("id", ID, nullable=False),
        sa.Column("patient_id", ID, nullable=False),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("value_key", FOLDED, nullable=False),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name="fk_patient_identifiers_patient_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_patient_identifiers"),
        sa.UniqueConstraint("system", "value_key", name="uq_patient_identifiers_system"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_patient_identifiers_patient_id", "patient_identifiers", ["patient_id"])
    op.create_table(
        "late_entries",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("entry_digest", sa.LargeBinary(16), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("occurred_at", MOMENT, nullable=False),
        sa.Column("arrived_at", MOMENT, nullable=False),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("decision", sa.String(), nullable=True),
        sa.Column("reason", sa.String(500), nullable=True),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["consumption_sheets.id"], name="fk_late_entries_sheet_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_late_entries_user_id"),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_late_entries_decided_by"),
        sa.PrimaryKeyConstraint("id", name="pk_late_entries"),
        sa.UniqueConstraint("entry_digest", name="uq_late_entries_entry_digest"),
        sqlite_autoincrement=True,
    )
    undecided = sa.text("decided_at IS NULL")
    op.create_index(
        "ix_late_entries_undecided", "late_entries", ["sheet_id"], sqlite_where=undecided, postgresql_where=undecided
    )
