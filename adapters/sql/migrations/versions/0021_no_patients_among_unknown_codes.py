"""Remove patients' numbers from the unknown codes

Revision: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Scanned wristbands were stored as codes: unchanged, between asterisks, with leading zeros (as in a GTIN), or as
    # the GS1 number of a person who gives or receives care.
    op.execute(
        sa.text(
            "DELETE FROM unknown_codes WHERE"
            " ltrim(rtrim(code_key, '*'), '*0') IN"
            " (SELECT ltrim(record_key, '0') FROM patients WHERE record_key IS NOT NULL)"
            " OR ltrim(rtrim(code_key, '*'), '*0') IN (SELECT ltrim(value_key, '0') FROM patient_identifiers)"
            " OR ltrim(rtrim(code_key, '*'), '*') IN"
            " (SELECT lower(visit_number) FROM consumption_sheets WHERE visit_number IS NOT NULL)"
            " OR code_key LIKE '8017%' OR code_key LIKE '8018%'"
            " OR code_key LIKE '(8017)%' OR code_key LIKE '(8018)%'"
        )
    )
