"""Access log of patients, hourly deduplication, table for write probes

Revision: 0013
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import build_index

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The column may exist: the index is built separately, and retries start here.
    there = sa.inspect(op.get_bind())
    if "patient_id" not in {column["name"] for column in there.get_columns("audit_trail")}:
        op.add_column("audit_trail", sa.Column("patient_id", sa.BigInteger(), nullable=True))
    if not there.has_table("noted_looks"):
        op.create_table(
            "noted_looks",
            sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("action", sa.String(), nullable=False),
            sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("hour", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.PrimaryKeyConstraint("user_id", "action", "entity_id", "hour", name="pk_noted_looks"),
        )
    if not there.has_table("write_trials"):
        op.create_table("write_trials", sa.Column("filler", sa.LargeBinary(), nullable=False))
    of_somebody = sa.text("patient_id IS NOT NULL")
    build_index(
        "ix_audit_trail_patient_id_id",
        "audit_trail",
        ["patient_id", "id"],
        sqlite_where=of_somebody,
        postgresql_where=of_somebody,
    )
