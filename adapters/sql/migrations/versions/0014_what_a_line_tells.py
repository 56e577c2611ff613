"""Data of a line (time, place, pack, voiding); codes, recalls, kits, pins

Revision: 0014
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns, build_index, drop_index

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")
LOT = sa.String(50).with_variant(sa.VARCHAR(50, collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)

LINES = "consumption_details"

# Name, columns, condition and uniqueness of each index.
NEW: tuple[tuple[str, Sequence[str | sa.TextClause], str, bool], ...] = (
    ("uq_consumption_details_entry_digest", ["entry_digest"], "entry_digest IS NOT NULL", True),
    ("ix_consumption_details_lot", [sa.text("lower(lot)"), "product_id"], "lot IS NOT NULL", False),
    ("ix_consumption_details_serial", ["serial", "product_id"], "serial IS NOT NULL", False),
    ("ix_consumption_details_kit_id", ["kit_id"], "kit_id IS NOT NULL", False),
)


def upgrade() -> None:
    # All of this may exist: columns and indexes are committed one by one, and retries start here.
    if not sa.inspect(op.get_bind()).has_table("product_codes"):
        _make_tables()
        _copy_gtins()
    add_columns(
        "products",
        sa.Column("decimals", sa.SmallInteger(), server_default=sa.text("3"), nullable=False),
        sa.Column("asks_lot", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("asks_serial", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    add_columns(
        LINES,
        sa.Column("occurred_at", MOMENT, nullable=True),
        sa.Column("entry_digest", sa.LargeBinary(16), nullable=True),
        sa.Column("gtin", sa.String(14), nullable=True),
        sa.Column("lot", LOT, nullable=True),
        sa.Column("expiry", sa.Date(), nullable=True),
        sa.Column("serial", sa.String(50), nullable=True),
        sa.Column("acknowledged", sa.String(), nullable=True),
        sa.Column("kit_id", ID, sa.ForeignKey("kits.id", name=f"fk_{LINES}_kit_id"), nullable=True),
        sa.Column("room_id", ID, sa.ForeignKey("rooms.id", name=f"fk_{LINES}_room_id"), nullable=True),
        sa.Column("returned", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("voided_at", MOMENT, nullable=True),
        sa.Column("voided_by", ID, sa.ForeignKey("users.id", name=f"fk_{LINES}_voided_by"), nullable=True),
        sa.Column("void_reason", sa.String(500), nullable=True),
    )
    for name, columns, rows, unique in NEW:
        only = sa.text(rows)
        build_index(name, LINES, columns, unique=unique, sqlite_where=only, postgresql_where=only)
    # Lines are listed by the day of use.
    build_index(f"ix_{LINES}_day_id", LINES, ["day", "id"])
    drop_index(f"ix_{LINES}_day", LINES)


def _make_tables() -> None:
    op.create_table(
        "product_codes",
        sa.Column("id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("code_key", FOLDED, nullable=False),
        sa.Column("units", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name="fk_product_codes_product_id", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("system", "code_key", name="uq_product_codes_system"),
        sa.PrimaryKeyConstraint("id", name="pk_product_codes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_product_codes_product_id", "product_codes", ["product_id"])
    op.create_index("ix_product_codes_code_key", "product_codes", ["code_key"])
    op.create_table(
        "unknown_codes",
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("code_key", FOLDED, nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.Column("last_user_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["last_user_id"], ["users.id"], name="fk_unknown_codes_last_user_id"),
        sa.PrimaryKeyConstraint("system", "code_key", name="pk_unknown_codes"),
    )
    op.create_index("ix_unknown_codes_last_at", "unknown_codes", ["last_at"])
    op.create_table(
        "recalls",
        sa.Column("id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("lot", LOT, nullable=True),
        sa.Column("lot_key", FOLDED, nullable=True),
        sa.Column("reason", sa.String(500), nullable=False),
        sa.Column("opened_at", MOMENT, nullable=False),
        sa.Column("opened_by", ID, nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.Column("closed_by", ID, nullable=True),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name="fk_recalls_product_id"),
        sa.ForeignKeyConstraint(["opened_by"], ["users.id"], name="fk_recalls_opened_by"),
        sa.ForeignKeyConstraint(["closed_by"], ["users.id"], name="fk_recalls_closed_by"),
        sa.PrimaryKeyConstraint("id", name="pk_recalls"),
        sqlite_autoincrement=True,
    )
    still_open = sa.text("closed_at IS NULL")
    op.create_index("ix_recalls_open", "recalls", ["product_id"], sqlite_where=still_open, postgresql_where=still_open)
    op.create_index("ix_recalls_product_id", "recalls", ["product_id"])
    op.create_table(
        "kits",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", FOLDED, nullable=False),
        sa.Column("name_folded", FOLDED, nullable=False),
        sa.Column("area_id", ID, nullable=True),
        sa.Column("user_id", ID, nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_kits_area_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_kits_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_kits"),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_kits_name_key", "kits", ["name_key", sa.text("coalesce(user_id, 0)")], unique=True)
    op.create_index("ix_kits_name_folded_id", "kits", ["name_folded", "id"])
    op.create_index("ix_kits_area_id", "kits", ["area_id"])
    op.create_index("ix_kits_user_id", "kits", ["user_id"])
    op.create_table(
        "kit_lines",
        sa.Column("id", ID, nullable=False),
        sa.Column("kit_id", ID, nullable=False),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("optional", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["kit_id"], ["kits.id"], name="fk_kit_lines_kit_id"),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name="fk_kit_lines_product_id"),
        sa.UniqueConstraint("kit_id", "product_id", name="uq_kit_lines_kit_id"),
        sa.PrimaryKeyConstraint("id", name="pk_kit_lines"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_kit_lines_product_id", "kit_lines", ["product_id"])
    op.create_table(
        "favourites",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_favourites_user_id"),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name="fk_favourites_product_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "product_id", name="pk_favourites"),
    )
    op.create_index("ix_favourites_product_id", "favourites", ["product_id"])


def _copy_gtins() -> None:
    """Copy each product's GTIN to its codes, with 14 digits.

    If two products have the same one, the older product gets it.
    """
    zeros = "'00000000000000'"
    padded = f"substr({zeros} || gtin, -14)"
    if op.get_context().dialect.name == "postgresql":
        padded = f"right({zeros} || gtin, 14)"
    gtin: sa.ColumnElement[str] = sa.literal_column(padded)
    products = sa.table("products", sa.column("id"), sa.column("gtin"))
    codes = sa.table("product_codes", *map(sa.column, ("product_id", "system", "code", "code_key", "units")))
    elder = (
        sa.select(sa.func.min(products.c.id), sa.literal("gtin"), gtin, gtin, sa.literal(1000))
        .where(products.c.gtin.is_not(None), products.c.gtin != "")
        .group_by(gtin)
    )
    op.execute(codes.insert().from_select(list(codes.c.keys()), elder))
