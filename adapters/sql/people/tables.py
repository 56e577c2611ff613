"""Tables of people."""

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    func,
    literal_column,
)

from adapters.sql.engine.columns import FOLDED, Moment, partial_index, table_with_id

patients = table_with_id(
    "patients",
    Column("name", String, nullable=False),
    Column("first_surname", String, nullable=False),
    Column("second_surname", String),
    Column("date_of_birth", Date),
    Column("active", Boolean, nullable=False),
    Column("record_number", String),
    Column("record_key", FOLDED),
    Column("merged_into", ForeignKey("patients.id")),
    Column("merged_at", Moment),
    Column("merged_by", ForeignKey("users.id")),
    Column("unidentified_number", Integer),
    Column("told", Text),
    Column("search_folded", FOLDED, nullable=False),
    Column("sort_folded", FOLDED, nullable=False),
    UniqueConstraint("record_key"),
    Index(None, "sort_folded", "id"),
    Index(None, "search_folded", "id"),
    Index(None, "active", "sort_folded", "id"),
    Index(None, "active", "id"),
)
IS_MERGED = patients.c.merged_into.is_not(None)
partial_index("ix_patients_merged_into", patients.c.merged_into, where=IS_MERGED)
IS_UNIDENTIFIED = patients.c.unidentified_number.is_not(None)
partial_index("uq_patients_unidentified_number", patients.c.unidentified_number, where=IS_UNIDENTIFIED)
RECORD_OR_NONE = func.coalesce(patients.c.record_key, literal_column("''"))
Index("ix_patients_record_or_none", RECORD_OR_NONE, patients.c.id)
BIRTH_OR_NONE = func.coalesce(patients.c.date_of_birth, literal_column("'0001-01-01'"))
Index("ix_patients_birth_or_none", BIRTH_OR_NONE, patients.c.id)

# Record numbers of records that were merged into the patient's: old wristbands find the right person.
patient_identifiers = table_with_id(
    "patient_identifiers",
    Column("patient_id", ForeignKey("patients.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("system", String, nullable=False),
    Column("value", String, nullable=False),
    Column("value_key", FOLDED, nullable=False),
    UniqueConstraint("system", "value_key"),
)

staff = table_with_id(
    "staff",
    Column("name", String, nullable=False),
    Column("first_surname", String, nullable=False),
    Column("second_surname", String),
    Column("telephone_number", String),
    Column("job_title", String),
    Column("date_of_birth", Date),
    Column("search_folded", FOLDED, nullable=False),
    Column("sort_folded", FOLDED, nullable=False),
)
RECORD_WITHOUT_ZEROS = func.ltrim(patients.c.record_key, literal_column("'0'"))
Index("ix_patients_record_without_zeros", RECORD_WITHOUT_ZEROS)
