"""Charges and messages to billing

Revision: 0020
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import VARCHAR

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)
LOT = sa.String(50).with_variant(VARCHAR(50, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "outbound_messages",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", sa.BigInteger(), nullable=False),
        sa.Column("control_id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("charges", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("next_try_at", MOMENT, nullable=False),
        sa.Column("first_tried_at", MOMENT, nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("sent_at", MOMENT, nullable=True),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("reason", sa.String(500), nullable=True),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_outbound_messages_decided_by"),
        sa.PrimaryKeyConstraint("id", name="pk_outbound_messages"),
        sa.UniqueConstraint("control_id", name="uq_outbound_messages_control_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbound_messages_sheet_id_id", "outbound_messages", ["sheet_id", "id"])
    op.create_index("ix_outbound_messages_state_id", "outbound_messages", ["state", "id"])
    unfinished = sa.text("state != 'sent'")
    op.create_index(
        "ix_outbound_messages_unfinished",
        "outbound_messages",
        ["sheet_id", "id"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
    op.create_table(
        "charges",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("transaction_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(2), nullable=False),
        sa.Column("reverses", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("visit_number", sa.String(), nullable=True),
        sa.Column("message_id", ID, nullable=False),
        sa.Column("detail_id", sa.BigInteger(), nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("product_code", sa.String(), nullable=True),
        sa.Column("product_name", sa.String(), nullable=False),
        sa.Column("billing_code", sa.String(), nullable=True),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("unit_price", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("occurred_at", MOMENT, nullable=False),
        sa.Column("area_id", sa.BigInteger(), nullable=True),
        sa.Column("area", sa.String(), nullable=True),
        sa.Column("gtin", sa.String(14), nullable=True),
        sa.Column("lot", LOT, nullable=True),
        sa.Column("expiry", sa.Date(), nullable=True),
        sa.Column("serial", sa.String(50), nullable=True),
        sa.ForeignKeyConstraint(["message_id"], ["outbound_messages.id"], name="fk_charges_message_id"),
        sa.PrimaryKeyConstraint("id", name="pk_charges"),
        sa.UniqueConstraint("transaction_id", name="uq_charges_transaction_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_charges_sheet_id_id", "charges", ["sheet_id", "id"])
