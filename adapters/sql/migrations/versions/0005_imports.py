"""Imports, their audit entries and remembered column mappings

Revision: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        # A new price does not change the name: the word index is not updated.
        op.execute("DROP TRIGGER products_words_changed")
        op.execute(
            "CREATE TRIGGER products_words_changed AFTER UPDATE OF name_folded ON products "
            "WHEN old.name_folded <> new.name_folded BEGIN "
            "INSERT INTO products_words (products_words, rowid, name_folded) "
            "VALUES ('delete', old.id, old.name_folded); "
            "INSERT INTO products_words (rowid, name_folded) VALUES (new.id, new.name_folded); END"
        )
    # A nullable column without a default: neither database rewrites existing rows.
    op.add_column("audit_trail", sa.Column("import_id", sa.BigInteger(), nullable=True))
    op.create_table(
        "imports",
        sa.Column("id", ID, nullable=False),
        sa.Column("noun", sa.String(), nullable=False),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("file_folded", FOLDED, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("unchanged", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undone_by", ID, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_imports_user_id"),
        sa.ForeignKeyConstraint(["undone_by"], ["users.id"], name="fk_imports_undone_by"),
        sa.PrimaryKeyConstraint("id", name="pk_imports"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_imports_user_id", "imports", ["user_id"])
    op.create_table(
        "import_mappings",
        sa.Column("noun", sa.String(), nullable=False),
        sa.Column("shape", sa.String(), nullable=False),
        sa.Column("mapping", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("noun", "shape", name="pk_import_mappings"),
    )
