"""Digests of imported files, indexes for codes without leading zeros

Revision: 0007
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import build_index

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("imports", sa.Column("digest", sa.String(), nullable=True))
    build_index("ix_imports_digest", "imports", ["digest"])
    build_index("ix_products_code_without_zeros", "products", [sa.text("ltrim(code_key, '0')")])
    build_index("ix_patients_record_without_zeros", "patients", [sa.text("ltrim(record_key, '0')")])
