"""Who handed out a link on which a password is chosen

Revision: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("password_links", sa.Column("made_by", sa.BigInteger(), nullable=True))
