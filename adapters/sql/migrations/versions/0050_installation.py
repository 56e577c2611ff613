"""The number of this installation, which its labels contain

Revision: 0050
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name="ck_installation_single"),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.bulk_insert(installation, [{"id": 1, "number": 100_000 + secrets.randbelow(900_000)}])
    # Devices read the catalogue again, which contains the number now.
    op.execute("UPDATE versions SET version = version + 1 WHERE name = 'catalogue'")


def downgrade() -> None:
    op.drop_table("installation")
