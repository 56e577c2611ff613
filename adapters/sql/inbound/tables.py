"""Tables of inbound."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    literal_column,
    true,
)

from adapters.sql.engine.columns import Moment, metadata, partial_index, table_with_id

# Messages of other systems. ``sheet_id``, ``patient_id`` and ``answered_room_id`` are no foreign keys: messages outlive
# sheets, patients and rooms.
inbound_messages = table_with_id(
    "inbound_messages",
    Column("source", String, nullable=False),
    Column("control_id", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("event_at", Moment, nullable=False),
    Column("received_at", Moment, nullable=False, index=True),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("body", Text),
    Column("state", String, nullable=False),
    Column("reason", String),
    Column("params", Text),
    Column("waiting", Boolean, nullable=False),
    Column("visit_number", String),
    Column("record_number", String),
    Column("prior_number", String),
    Column("location", String),
    Column("sheet_id", BigInteger),
    Column("patient_id", BigInteger),
    Column("answered_patient_id", ForeignKey("patients.id")),
    Column("answered_room_id", BigInteger),
    Column("opens_sheet", Boolean, nullable=False, server_default=false()),
    Column("tries", Integer, nullable=False),
    Column("decided_by", ForeignKey("users.id")),
    Column("decided_at", Moment),
    Column("note", String(500)),
    UniqueConstraint("source", "control_id", "digest"),
    Index(None, "state", "id"),
)
IS_HELD = inbound_messages.c.state == literal_column("'held'")
IS_WAITING = inbound_messages.c.waiting.is_(true())
for _name, _columns in {
    "waiting_visit": [inbound_messages.c.visit_number],
    "waiting_record": [inbound_messages.c.record_number],
    "waiting_prior": [inbound_messages.c.prior_number],
    "waiting_location": [inbound_messages.c.source, inbound_messages.c.location],
}.items():
    partial_index(f"ix_inbound_messages_{_name}", *_columns, where=IS_WAITING)

# Rooms for the codes of other systems, as an administrator set them once.
room_mappings = Table(
    "translations",
    metadata,
    Column("system", String, primary_key=True),
    Column("code", String, primary_key=True),
    Column("room_id", ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False, index=True),
)

# Digest of the settings by which the receiver of messages parses them.
receiver_settings = Table(
    "receiver_settings",
    metadata,
    Column("name", String, primary_key=True),
    Column("digest", String, nullable=False),
)
