"""Tables of common."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

from adapters.sql.engine.columns import Moment, metadata

# Versions of the data that devices store.
versions = Table(
    "versions", metadata, Column("name", String, primary_key=True), Column("version", BigInteger, nullable=False)
)

# When background jobs that one of several processes runs are due.
job_leases = Table(
    "job_leases",
    metadata,
    Column("job", String, primary_key=True),
    Column("due_at", Moment, nullable=False),
)

idempotent_answers = Table(
    "idempotent_answers",
    metadata,
    Column("user_id", ForeignKey("users.id"), primary_key=True),
    Column("key", String, primary_key=True),
    Column("fingerprint", String, nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", Moment, nullable=False, index=True),
)

# One row, which the migration writes. The log server has confirmed the entries of the audit log up to
# ``audit_sent_id``; ``audit_problem`` is why it has not confirmed the next ones.
installation = Table(
    "installation",
    metadata,
    Column("id", SmallInteger, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("audit_sent_id", BigInteger, nullable=False, server_default=text("0")),
    Column("audit_problem", String),
)

# Always empty: write probes use it.
write_trials = Table("write_trials", metadata, Column("filler", LargeBinary, nullable=False))
