"""Other names of products, included in searches

Revision: 0027
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns, build_index

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")


def upgrade() -> None:
    add_columns(
        "products",
        sa.Column("also_called", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("also_called_folded", FOLDED, server_default=sa.text("''"), nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        _index_words_on_sqlite()
    else:
        _index_words_on_postgresql()


def _index_words_on_sqlite() -> None:
    """Recreate the full-text index with both columns.

    A search may find some words in one column and some in the other.
    """
    remove = (
        "INSERT INTO products_words (products_words, rowid, name_folded, also_called_folded) "
        "VALUES ('delete', old.id, old.name_folded, old.also_called_folded); "
    )
    add = (
        "INSERT INTO products_words (rowid, name_folded, also_called_folded) "
        "VALUES (new.id, new.name_folded, new.also_called_folded); "
    )
    for statement in (
        "DROP TRIGGER products_words_added",
        "DROP TRIGGER products_words_removed",
        "DROP TRIGGER products_words_changed",
        "DROP TABLE products_words",
        "CREATE VIRTUAL TABLE products_words USING fts5 "
        "(name_folded, also_called_folded, content='products', content_rowid='id', tokenize='trigram')",
        "INSERT INTO products_words (products_words) VALUES ('rebuild')",
        f"CREATE TRIGGER products_words_added AFTER INSERT ON products BEGIN {add} END",
        f"CREATE TRIGGER products_words_removed AFTER DELETE ON products BEGIN {remove} END",
        "CREATE TRIGGER products_words_changed AFTER UPDATE OF name_folded, also_called_folded ON products "
        "WHEN old.name_folded IS NOT new.name_folded OR old.also_called_folded IS NOT new.also_called_folded "
        f"BEGIN {remove}{add} END",
    ):
        op.execute(statement)


def _index_words_on_postgresql() -> None:
    """Create a trigram index of other names if the server supports it."""
    installed = sa.text("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
    if op.get_bind().execute(installed).scalar():
        build_index(
            "ix_products_words_called",
            "products",
            ["also_called_folded"],
            postgresql_using="gin",
            postgresql_ops={"also_called_folded": "gin_trgm_ops"},
        )
