"""Tables of hospital."""

from sqlalchemy import Column, Integer, LargeBinary, String, Table

from adapters.sql.engine.columns import MONEY, Lines, metadata

# One row, once an administrator has set something.
hospital_settings = Table(
    "hospital_settings",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("name", String),
    Column("address", Lines),
    Column("tax_number", String),
    Column("letterhead", Lines),
    Column("time_zone", String),
    Column("currency", String(3)),
    Column("number_format", String),
    Column("idle_minutes", Integer),
    Column("ask_above_total", MONEY),
    # Each such as 06:00.
    Column("shift_starts", Lines),
    Column("billed_waste", Lines),
    Column("logo", LargeBinary),
    Column("logo_type", String),
    Column("logo_width", Integer),
    Column("logo_height", Integer),
    Column("logo_version", Integer, nullable=False),
)
