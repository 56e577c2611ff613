"""Tables of restock."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Table, UniqueConstraint

from adapters.sql.engine.columns import QUANTITY, Moment, metadata, table_with_id

# Closed restock lists, numbered by area.
restock_lists = table_with_id(
    "restock_lists",
    Column("area_id", ForeignKey("areas.id"), nullable=False),
    Column("area_name", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("closed_at", Moment, nullable=False),
    Column("closed_by", ForeignKey("users.id"), nullable=False),
    Column("left_over", Integer, nullable=False),
    UniqueConstraint("area_id", "number"),
)

# Names as they were when the list was closed. The products are no foreign keys: they may be deleted.
restock_lines = Table(
    "restock_lines",
    metadata,
    Column("list_id", ForeignKey("restock_lists.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, nullable=False),
    Column("code", String),
    Column("name", String, nullable=False),
    Column("unit", String),
    Column("shelf", String(40)),
    Column("quantity", QUANTITY, nullable=False),
    Column("put_back", QUANTITY, nullable=False),
    Column("put_back_by", String),
    Column("put_back_at", Moment),
)

# The number of the last closed list. Every change of an open list locks the row of its area.
restock_areas = Table(
    "restock_areas",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
)

# The sum of the closed lists.
restock_taken = Table(
    "restock_taken",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, primary_key=True, autoincrement=False),
    Column("quantity", QUANTITY, nullable=False),
)

# The ticked lines of the open lists.
restock_ticks = Table(
    "restock_ticks",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column(
        "product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    ),
    Column("quantity", QUANTITY, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
)

restock_settings = Table(
    "restock_settings",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column(
        "product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    ),
    Column("shelf", String(40)),
    Column("fixed_amount", QUANTITY),
)
