"""Search of names and codes with any notation of × and hyphens

Revision: 0010
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import build_index, recompute
from domain.common.text import fold_code, fold_product
from domain.people.patient import search_text

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")

PRODUCTS = sa.table("products", *map(sa.column, ("id", "name", "name_folded", "code", "code_folded")))
PATIENTS = sa.table(
    "patients",
    *map(sa.column, ("id", "name", "first_surname", "second_surname", "record_number", "search_folded")),
)


def upgrade() -> None:
    # The column may exist: the next steps are committed separately, and retries start here.
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("products")}
    if "code_folded" not in there:
        op.add_column("products", sa.Column("code_folded", FOLDED, nullable=True))
    build_index("ix_products_code_folded", "products", ["code_folded"])
    # Rows written by the previous version in the meantime are found as before.
    recompute(PRODUCTS, _product)
    recompute(PATIENTS, _patient)


def _product(row: Any) -> dict[str, str | None]:
    return {"name_folded": fold_product(row.name), "code_folded": fold_code(row.code or "") or None}


def _patient(row: Any) -> dict[str, str]:
    return {"search_folded": search_text(row.name, row.first_surname, row.second_surname, row.record_number)}
