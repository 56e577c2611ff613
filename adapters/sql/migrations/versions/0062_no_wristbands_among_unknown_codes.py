"""Remove wristbands from the unknown codes

Revision: 0062
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None

# As in ``application.people.patient_texts`` and ``domain.people.patient.held_numbers``.
_CODE = re.compile(r"\*?[0-9A-Za-z./$%+_-]+\*?")
_EDGE = re.compile(r"(?<=[0-9])(?![0-9])|(?<![0-9])(?=[0-9])|(?<=[^\W\d_])(?![^\W\d_])|(?<![^\W\d_])(?=[^\W\d_])")
_MIN_HELD_LENGTH = 4
_IS_KNOWN = sa.text(
    "SELECT EXISTS (SELECT 1 FROM patients WHERE ltrim(record_key, '0') IN :bare)"
    " OR EXISTS (SELECT 1 FROM patient_identifiers WHERE system = 'record_number' AND value_key IN :keys)"
    " OR EXISTS (SELECT 1 FROM consumption_sheets WHERE visit_number IN :spellings)"
).bindparams(*(sa.bindparam(name, expanding=True) for name in ("bare", "keys", "spellings")))
_REMOVE = sa.text("DELETE FROM unknown_codes WHERE system = :system AND code_key = :code_key")


def upgrade() -> None:
    # Wristbands with several fields were stored as codes: a number with a name and a day of birth.
    connection = op.get_bind()
    stored = connection.execute(sa.text("SELECT system, code_key, code FROM unknown_codes WHERE system <> 'gtin'"))
    for system, code_key, code in stored.all():
        if not _CODE.fullmatch(code) or _holds_a_number(connection, code):
            connection.execute(_REMOVE, {"system": system, "code_key": code_key})


def _holds_a_number(connection: sa.Connection, code: str) -> bool:
    edges = [match.start() for match in _EDGE.finditer(code)]
    parts = [code[low:high] for place, low in enumerate(edges) for high in edges[place + 1 :]]
    parts = [code, *(part for part in parts if len(part) >= _MIN_HELD_LENGTH and any(map(str.isdigit, part)))]
    keys = [part.casefold() for part in parts]
    spellings = sorted({spelling for part in parts for spelling in (part, part.upper(), part.lower())})
    params = {"bare": [key.lstrip("0") for key in keys], "keys": keys, "spellings": spellings}
    return bool(connection.execute(_IS_KNOWN, params).scalar_one())
