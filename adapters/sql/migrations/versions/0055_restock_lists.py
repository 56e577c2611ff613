"""Restock lists of areas

Revision: 0055
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import build_index

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_NOT_VOIDED = sa.text("voided_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "restock_lists",
        sa.Column("id", ID, nullable=False),
        sa.Column("area_id", ID, nullable=False),
        sa.Column("area_name", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_by", ID, nullable=False),
        sa.Column("left_over", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_restock_lists_area_id"),
        sa.ForeignKeyConstraint(["closed_by"], ["users.id"], name="fk_restock_lists_closed_by"),
        sa.PrimaryKeyConstraint("id", name="pk_restock_lists"),
        sa.UniqueConstraint("area_id", "number", name="uq_restock_lists_area_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "restock_lines",
        sa.Column("list_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.String()),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("unit", sa.String()),
        sa.Column("shelf", sa.String(40)),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("put_back", sa.BigInteger(), nullable=False),
        sa.Column("put_back_by", sa.String()),
        sa.Column("put_back_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["list_id"], ["restock_lists.id"], name="fk_restock_lines_list_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("list_id", "position", name="pk_restock_lines"),
    )
    op.create_table(
        "restock_areas",
        sa.Column("area_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        _of_area("restock_areas"),
        sa.PrimaryKeyConstraint("area_id", name="pk_restock_areas"),
    )
    op.create_table(
        "restock_taken",
        sa.Column("area_id", ID, nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        _of_area("restock_taken"),
        sa.PrimaryKeyConstraint("area_id", "product_id", name="pk_restock_taken"),
    )
    op.create_table(
        "restock_ticks",
        sa.Column("area_id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _of_area("restock_ticks"),
        _of_product("restock_ticks"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_restock_ticks_user_id"),
        sa.PrimaryKeyConstraint("area_id", "product_id", name="pk_restock_ticks"),
    )
    op.create_index("ix_restock_ticks_product_id", "restock_ticks", ["product_id"])
    op.create_index("ix_restock_ticks_user_id", "restock_ticks", ["user_id"])
    op.create_table(
        "restock_settings",
        sa.Column("area_id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("shelf", sa.String(40)),
        sa.Column("fixed_amount", sa.BigInteger()),
        _of_area("restock_settings"),
        _of_product("restock_settings"),
        sa.PrimaryKeyConstraint("area_id", "product_id", name="pk_restock_settings"),
    )
    op.create_index("ix_restock_settings_product_id", "restock_settings", ["product_id"])
    build_index(
        "ix_consumption_details_restock",
        "consumption_details",
        ["area_id", "product_id", "quantity"],
        sqlite_where=_NOT_VOIDED,
        postgresql_where=_NOT_VOIDED,
    )


def _of_area(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name=f"fk_{table}_area_id", ondelete="CASCADE")


def _of_product(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=f"fk_{table}_product_id", ondelete="CASCADE")
