"""Tables of audit."""

from sqlalchemy import BigInteger, Column, Index, LargeBinary, SmallInteger, String, Table, Text, literal_column, text

from adapters.sql.engine.columns import ID, Moment, metadata, partial_index, table_with_id
from application.common.entities import AuditAction

# No foreign keys: the audit log outlives the entities.
audit = table_with_id(
    "audit_trail",
    Column("at", Moment, nullable=False),
    Column("user_id", BigInteger),
    Column("action", String, nullable=False),
    Column("entity", String, nullable=False),
    Column("entity_id", BigInteger, nullable=False),
    Column("changes", Text, nullable=False),
    Column("sheet_id", BigInteger),
    Column("import_id", BigInteger),
    Column("patient_id", BigInteger),
    Column("api_key_id", BigInteger),
    Index(None, "at", "id"),
    Index(None, "entity", "id"),
    Index(None, "entity_id", "id"),
    Index(None, "action", "id"),
    Index(None, "sheet_id", "id"),
    Index(None, "user_id", "id"),
)
# Users who opened a sheet.
IS_OPENING = audit.c.action == literal_column(f"'{AuditAction.SHEET_OPENED}'")
partial_index("ix_audit_trail_openings", audit.c.user_id, audit.c.id, where=IS_OPENING)
partial_index("ix_audit_trail_import_id_id", audit.c.import_id, audit.c.id, where=audit.c.import_id.is_not(None))

# Users who looked at a patient.
partial_index("ix_audit_trail_patient_id_id", audit.c.patient_id, audit.c.id, where=audit.c.patient_id.is_not(None))

# Accesses that were already logged in an hour.
noted_looks = Table(
    "noted_looks",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("action", String, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True, autoincrement=False),
    Column("hour", BigInteger, primary_key=True, autoincrement=False),
)

# Seals of ``adapters.sql.audit.audit_seals``, numbered without gaps so that a missing one is found.
audit_seals = Table(
    "audit_seals",
    metadata,
    Column("id", ID, primary_key=True, autoincrement=False),
    Column("last_entry_id", BigInteger, nullable=False),
    Column("sealed_at", Moment, nullable=False),
    Column("fingerprints", LargeBinary, nullable=False),
    Column("digest", String, nullable=False),
    Column("form", SmallInteger, nullable=False, server_default=text("1")),
)
