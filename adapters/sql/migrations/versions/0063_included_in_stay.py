"""Products that the price of the stay includes, waste, and why a line is not billed

Revision: 0063
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("products", sa.Column("included_in_stay", sa.Boolean(), server_default=sa.false(), nullable=False))
    is_included = sa.text("included_in_stay")
    build_index(
        "ix_products_included_in_stay",
        "products",
        ["name_folded", "id"],
        sqlite_where=is_included,
        postgresql_where=is_included,
    )
    add_columns(
        "consumption_details",
        sa.Column("unbilled", sa.String(10), nullable=True),
        sa.Column("use_reason", sa.String(20), nullable=True),
    )
    add_columns("hospital_settings", sa.Column("billed_waste", sa.String(), nullable=True))
