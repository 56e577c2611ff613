"""Indexes for filters and sorts of lists

Revision: 0011
"""

from collections.abc import Sequence

import sqlalchemy as sa

from adapters.sql.migrations.online import build_index, drop_index

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

CODE_OR_NONE = sa.text("coalesce(code_key, '')")
RECORD_OR_NONE = sa.text("coalesce(record_key, '')")
BIRTH_OR_NONE = sa.text("coalesce(date_of_birth, '0001-01-01')")
CLOSED = sa.text("closed_at IS NOT NULL")

NEW: tuple[tuple[str, str, Sequence[str | sa.TextClause]], ...] = (
    ("categories_name_folded_id", "categories", ["name_folded", "id"]),
    ("rooms_name_folded_id", "rooms", ["name_folded", "id"]),
    ("products_category_id_name_folded_id", "products", ["category_id", "name_folded", "id"]),
    ("products_active_name_folded_id", "products", ["active", "name_folded", "id"]),
    ("products_price_id", "products", ["price", "id"]),
    ("products_code_or_none", "products", [CODE_OR_NONE, "id"]),
    ("patients_search_folded_id", "patients", ["search_folded", "id"]),
    ("patients_active_sort_folded_id", "patients", ["active", "sort_folded", "id"]),
    ("patients_active_id", "patients", ["active", "id"]),
    ("patients_record_or_none", "patients", [RECORD_OR_NONE, "id"]),
    ("patients_birth_or_none", "patients", [BIRTH_OR_NONE, "id"]),
    ("consumption_details_product_id_created_at_id", "consumption_details", ["product_id", "created_at", "id"]),
    ("consumption_details_staff_id_created_at_id", "consumption_details", ["staff_id", "created_at", "id"]),
    ("consumption_details_area_id_created_at_id", "consumption_details", ["area_id", "created_at", "id"]),
    ("consumption_details_quantity_id", "consumption_details", ["quantity", "id"]),
    ("consumption_details_unit_price_id", "consumption_details", ["unit_price", "id"]),
    ("consumption_details_total_id", "consumption_details", ["total", "id"]),
    ("audit_trail_at_id", "audit_trail", ["at", "id"]),
    ("audit_trail_entity_id", "audit_trail", ["entity", "id"]),
    ("audit_trail_entity_id_id", "audit_trail", ["entity_id", "id"]),
    ("audit_trail_action_id", "audit_trail", ["action", "id"]),
)


def upgrade() -> None:
    for name, table, columns in NEW:
        build_index(f"ix_{name}", table, columns)
    for name, columns in (
        ("by_admission", ["admission_date", "id"]),
        ("by_doctor", ["search_folded", "id"]),
    ):
        name = f"ix_consumption_sheets_closed_{name}"
        build_index(name, "consumption_sheets", columns, sqlite_where=CLOSED, postgresql_where=CLOSED)
    # Replaced by the new indexes, which begin with the same columns.
    drop_index("ix_products_category_id", "products")
    drop_index("ix_consumption_details_staff_id", "consumption_details")
    drop_index("ix_consumption_details_area_id", "consumption_details")
    drop_index("ix_audit_trail_entity_entity_id_id", "audit_trail")
