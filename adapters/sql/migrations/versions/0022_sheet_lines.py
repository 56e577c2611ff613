"""Number of counted lines of each sheet

Revision: 0022
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, update_by_ids

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("consumption_sheets", sa.Column("lines", sa.Integer(), server_default=sa.text("0"), nullable=False))
    sheets = sa.table("consumption_sheets", sa.column("id"), sa.column("lines"))
    details = sa.table("consumption_details", sa.column("sheet_id"), sa.column("voided_at"))
    lines = (
        sa.select(sa.func.count())
        .select_from(details)
        .where(details.c.sheet_id == sheets.c.id, details.c.voided_at.is_(None))
        .scalar_subquery()
    )
    update_by_ids(sheets, {"lines": lines})
