"""Count the lines of each sheet again

PostgreSQL omitted lines that were recorded with an idempotency key.

Revision: 0026
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import update_by_ids

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sheets = sa.table("consumption_sheets", sa.column("id"), sa.column("lines"))
    details = sa.table("consumption_details", sa.column("sheet_id"), sa.column("voided_at"))
    lines = (
        sa.select(sa.func.count())
        .select_from(details)
        .where(details.c.sheet_id == sheets.c.id, details.c.voided_at.is_(None))
        .scalar_subquery()
    )
    update_by_ids(sheets, {"lines": lines})
