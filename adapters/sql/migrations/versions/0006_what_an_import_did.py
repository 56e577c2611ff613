"""Index for the audit entries of an import

Revision: 0006
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import build_index

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    did_it = sa.text("import_id IS NOT NULL")
    build_index(
        "ix_audit_trail_import_id_id",
        "audit_trail",
        ["import_id", "id"],
        sqlite_where=did_it,
        postgresql_where=did_it,
    )
