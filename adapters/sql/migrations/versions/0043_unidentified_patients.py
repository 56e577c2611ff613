"""Patients who are not identified yet

Revision: 0043
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    add_columns("patients", sa.Column("unidentified_number", sa.Integer(), nullable=True))
    there = sa.text("unidentified_number IS NOT NULL")
    build_index(
        "uq_patients_unidentified_number",
        "patients",
        ["unidentified_number"],
        unique=True,
        sqlite_where=there,
        postgresql_where=there,
    )
