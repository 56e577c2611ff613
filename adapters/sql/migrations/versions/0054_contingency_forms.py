"""Contingency forms, and the form of a detail

Revision: 0054
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns, build_index

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)
DETAILS = "consumption_details"


def upgrade() -> None:
    # All of this may exist: columns and indexes are committed one by one, and retries start here.
    if not sa.inspect(op.get_bind()).has_table("contingency_forms"):
        _create_forms()
    reference = sa.ForeignKey("contingency_forms.id", name=f"fk_{DETAILS}_form_id")
    add_columns(DETAILS, sa.Column("form_id", ID, reference, nullable=True))
    rows = sa.text("form_id IS NOT NULL")
    build_index("ix_consumption_details_form_id", DETAILS, ["form_id"], sqlite_where=rows, postgresql_where=rows)


def _create_forms() -> None:
    op.create_table(
        "contingency_forms",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", sa.BigInteger(), nullable=True),
        sa.Column("area_id", sa.BigInteger(), nullable=True),
        sa.Column("printed_at", MOMENT, nullable=False),
        sa.Column("printed_by", ID, nullable=False),
        sa.Column("products", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.Column("decided_by", ID, nullable=True),
        sa.Column("recorded_sheet_id", sa.BigInteger(), nullable=True),
        sa.Column("late_entry_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.String(500), nullable=True),
        sa.ForeignKeyConstraint(["printed_by"], ["users.id"], name="fk_contingency_forms_printed_by"),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_contingency_forms_decided_by"),
        sa.PrimaryKeyConstraint("id", name="pk_contingency_forms"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_contingency_forms_state", "contingency_forms", ["state", "id"])
