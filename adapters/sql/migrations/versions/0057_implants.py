"""Implants: products that are implants, and why a lot or serial number is missing

Revision: 0057
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index

revision = "0057"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("products", sa.Column("implant", sa.Boolean(), server_default=sa.false(), nullable=False))
    add_columns("consumption_details", sa.Column("implant_reason", sa.String(500), nullable=True))
    is_implant = sa.text("implant")
    build_index(
        "ix_products_implant",
        "products",
        ["name_folded", "id"],
        sqlite_where=is_implant,
        postgresql_where=is_implant,
    )
