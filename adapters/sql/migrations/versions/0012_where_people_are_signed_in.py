"""Start, last use, end, address and client of sessions

Revision: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Null for sessions that the previous version begins.
    for name in ("began_at", "used_at", "ends_at"):
        op.add_column("sessions", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    for name in ("address", "client"):
        op.add_column("sessions", sa.Column(name, sa.String(), nullable=True))
