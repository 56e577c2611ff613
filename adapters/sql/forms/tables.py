"""Tables of forms."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Text

from adapters.sql.engine.columns import Moment, table_with_id

# Forms on paper. The numbers on them are the ids, and remain when their sheets or areas are deleted.
contingency_forms = table_with_id(
    "contingency_forms",
    Column("sheet_id", BigInteger),
    Column("area_id", BigInteger),
    Column("printed_at", Moment, nullable=False),
    Column("printed_by", ForeignKey("users.id"), nullable=False),
    Column("products", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("decided_at", Moment),
    Column("decided_by", ForeignKey("users.id")),
    Column("recorded_sheet_id", BigInteger),
    Column("late_entry_id", BigInteger),
    Column("reason", String(500)),
    Index("ix_contingency_forms_state", "state", "id"),
)
