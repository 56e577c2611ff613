"""Indexes for reports and the overview

Revision: 0003
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import build_index, drop_index

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    build_index("ix_consumption_details_day", "consumption_details", ["day"])
    build_index("ix_consumption_details_product_id_id", "consumption_details", ["product_id", "id"])
    drop_index("ix_consumption_details_product_id", "consumption_details")
    for name, table, columns, condition in (
        ("ix_consumption_details_zero", "consumption_details", ["created_at", "id"], "quantity = 0"),
        ("ix_products_without_price", "products", ["name_folded", "id"], "price = 0"),
        ("ix_audit_trail_openings", "audit_trail", ["user_id", "id"], "action = 'sheet.opened'"),
    ):
        where = sa.text(condition)
        build_index(name, table, columns, sqlite_where=where, postgresql_where=where)
