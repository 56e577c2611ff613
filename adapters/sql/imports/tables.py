"""Tables of imports."""

from sqlalchemy import Column, ForeignKey, Integer, String, Table, Text

from adapters.sql.engine.columns import FOLDED, Moment, metadata, table_with_id

imports = table_with_id(
    "imports",
    Column("noun", String, nullable=False),
    Column("file_name", String, nullable=False),
    Column("file_folded", FOLDED, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("created", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("unchanged", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("digest", String, index=True),
    Column("undone_at", Moment),
    Column("undone_by", ForeignKey("users.id")),
)

import_mappings = Table(
    "import_mappings",
    metadata,
    Column("noun", String, primary_key=True),
    Column("shape", String, primary_key=True),
    Column("mapping", Text, nullable=False),
)
