"""Issued documents: accounts for families and closed months; plain names of products

Revision: 0068
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns

revision = "0068"
down_revision = "0067"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "documents",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("sheet_id", ID, nullable=True),
        sa.Column("area_id", ID, nullable=True),
        sa.Column("month", sa.Date(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("changes_total", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.Column("salt", sa.String(32), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.CheckConstraint(
            "kind = 'account' AND sheet_id IS NOT NULL AND area_id IS NULL AND month IS NULL OR kind = 'month' "
            "AND sheet_id IS NULL AND month IS NOT NULL",
            name="ck_documents_kind",
        ),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["consumption_sheets.id"], name="fk_documents_sheet_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_documents_area_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_documents_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sqlite_autoincrement=True,
    )
    month = [sa.text("month"), sa.text("coalesce(area_id, 0)"), sa.text("turn")]
    for name, columns, where in (
        ("uq_documents_sheet_id", [sa.text("sheet_id"), sa.text("turn")], sa.text("sheet_id IS NOT NULL")),
        ("uq_documents_month", month, sa.text("month IS NOT NULL")),
    ):
        op.create_index(name, "documents", columns, unique=True, sqlite_where=where, postgresql_where=where)
    add_columns("products", sa.Column("plain_name", sa.String(60), nullable=True))
