"""Closings: the digest of the document, and its salt

Revision: 0052
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("closings", sa.Column("salt", sa.String(32)), sa.Column("digest", sa.String(64)))
