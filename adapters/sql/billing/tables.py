"""Tables of billing."""

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    literal_column,
)

from adapters.sql.engine.columns import LOT, MONEY, QUANTITY, Moment, partial_index, table_with_id

# Messages to billing. They and their charges outlive the sheet.
outbound_messages = table_with_id(
    "outbound_messages",
    Column("sheet_id", BigInteger, nullable=False),
    Column("control_id", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("charges", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("next_try_at", Moment, nullable=False),
    Column("first_tried_at", Moment),
    Column("problem", Text),
    Column("sent_at", Moment),
    Column("decided_by", ForeignKey("users.id")),
    Column("reason", String(500)),
    UniqueConstraint("control_id"),
    Index(None, "sheet_id", "id"),
    Index(None, "state", "id"),
)
IS_UNFINISHED = outbound_messages.c.state != literal_column("'sent'")
partial_index(
    "ix_outbound_messages_unfinished", outbound_messages.c.sheet_id, outbound_messages.c.id, where=IS_UNFINISHED
)

charges = table_with_id(
    "charges",
    Column("sheet_id", BigInteger, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("transaction_id", String, nullable=False),
    Column("kind", String(2), nullable=False),
    Column("reverses", String),
    Column("reason", String),
    Column("note", Text),
    Column("patient_id", BigInteger, nullable=False),
    Column("visit_number", String),
    Column("message_id", ForeignKey("outbound_messages.id"), nullable=False),
    Column("detail_id", BigInteger, nullable=False),
    Column("product_id", BigInteger, nullable=False),
    Column("product_code", String),
    Column("product_name", String, nullable=False),
    Column("billing_code", String),
    Column("quantity", QUANTITY, nullable=False),
    Column("unit_price", MONEY, nullable=False),
    Column("total", MONEY, nullable=False),
    Column("occurred_at", Moment, nullable=False),
    Column("area_id", BigInteger),
    Column("area", String),
    Column("gtin", String(14)),
    Column("lot", LOT),
    Column("expiry", Date),
    Column("serial", String(50)),
    UniqueConstraint("transaction_id"),
    Index(None, "sheet_id", "id"),
)
