"""The first tables

Revision: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Types of this revision. Later changes in the module of tables must not affect it.
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "areas",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", FOLDED, nullable=False),
        sa.Column("name_folded", FOLDED, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_areas"),
        sa.UniqueConstraint("name_key", name="uq_areas_name_key"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "audit_trail",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("entity", sa.String(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("sheet_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_audit_trail"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_trail_entity_entity_id_id", "audit_trail", ["entity", "entity_id", "id"])
    op.create_index("ix_audit_trail_sheet_id_id", "audit_trail", ["sheet_id", "id"])
    op.create_index("ix_audit_trail_user_id_id", "audit_trail", ["user_id", "id"])

    op.create_table(
        "categories",
        sa.Column("id", ID, nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("code_key", FOLDED, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_folded", FOLDED, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_categories"),
        sa.UniqueConstraint("code_key", name="uq_categories_code_key"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "patients",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("first_surname", sa.String(), nullable=False),
        sa.Column("second_surname", sa.String(), nullable=True),
        sa.Column("date_of_birth", sa.Date(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("record_number", sa.String(), nullable=True),
        sa.Column("record_key", FOLDED, nullable=True),
        sa.Column("search_folded", FOLDED, nullable=False),
        sa.Column("sort_folded", FOLDED, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_patients"),
        sa.UniqueConstraint("record_key", name="uq_patients_record_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_patients_sort_folded_id", "patients", ["sort_folded", "id"])

    op.create_table(
        "staff",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("first_surname", sa.String(), nullable=False),
        sa.Column("second_surname", sa.String(), nullable=True),
        sa.Column("telephone_number", sa.String(), nullable=True),
        sa.Column("job_title", sa.String(), nullable=True),
        sa.Column("date_of_birth", sa.Date(), nullable=True),
        sa.Column("search_folded", FOLDED, nullable=False),
        sa.Column("sort_folded", FOLDED, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_staff"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "products",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_folded", FOLDED, nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("category_id", ID, nullable=False),
        sa.Column("code", sa.String(), nullable=True),
        sa.Column("code_key", FOLDED, nullable=True),
        sa.Column("gtin", sa.String(), nullable=True),
        sa.Column("unit", sa.String(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["category_id"], ["categories.id"], name="fk_products_category_id"),
        sa.PrimaryKeyConstraint("id", name="pk_products"),
        sa.UniqueConstraint("code_key", name="uq_products_code_key"),
        sa.UniqueConstraint("gtin", name="uq_products_gtin"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_products_category_id", "products", ["category_id"])
    op.create_index("ix_products_name_folded_id", "products", ["name_folded", "id"])

    op.create_table(
        "rooms",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_folded", FOLDED, nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("type", sa.SmallInteger(), nullable=False),
        sa.Column("area_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_rooms_area_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_rooms_area_id", "rooms", ["area_id"])

    op.create_table(
        "users",
        sa.Column("id", ID, nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("email_key", FOLDED, nullable=True),
        sa.Column("role", sa.SmallInteger(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("staff_id", ID, nullable=True),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name="fk_users_staff_id"),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email_key", name="uq_users_email_key"),
        sa.UniqueConstraint("staff_id", name="uq_users_staff_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "consumption_sheets",
        sa.Column("id", ID, nullable=False),
        sa.Column("patient_id", ID, nullable=False),
        sa.Column("room_id", ID, nullable=False),
        sa.Column("admission_date", sa.Date(), nullable=False),
        sa.Column("diagnosis", sa.Text(), nullable=False),
        sa.Column("doctor", sa.String(), nullable=False),
        sa.Column("search_folded", FOLDED, nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["patient_id"], ["patients.id"], name="fk_consumption_sheets_patient_id"),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_consumption_sheets_room_id"),
        sa.PrimaryKeyConstraint("id", name="pk_consumption_sheets"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_consumption_sheets_closed",
        "consumption_sheets",
        [sa.literal_column("closed_at DESC"), sa.literal_column("id DESC")],
        sqlite_where=sa.text("closed_at IS NOT NULL"),
        postgresql_where=sa.text("closed_at IS NOT NULL"),
    )
    op.create_index(
        "ix_consumption_sheets_open",
        "consumption_sheets",
        [sa.literal_column("admission_date DESC"), sa.literal_column("id DESC")],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index("ix_consumption_sheets_patient_id", "consumption_sheets", ["patient_id"])
    op.create_index("ix_consumption_sheets_room_id", "consumption_sheets", ["room_id"])

    op.create_table(
        "idempotent_answers",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_idempotent_answers_user_id"),
        sa.PrimaryKeyConstraint("user_id", "key", name="pk_idempotent_answers"),
    )
    op.create_index("ix_idempotent_answers_at", "idempotent_answers", ["at"])

    op.create_table(
        "password_links",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_password_links_user_id"),
        sa.PrimaryKeyConstraint("digest", name="pk_password_links"),
    )
    op.create_index("ix_password_links_user_id", "password_links", ["user_id"])

    op.create_table(
        "sign_in_failures",
        sa.Column("id", ID, nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sign_in_failures"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sign_in_failures_at", "sign_in_failures", ["at"])
    op.create_index("ix_sign_in_failures_subject_at", "sign_in_failures", ["subject", "at"])

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])

    op.create_table(
        "consumption_details",
        sa.Column("id", ID, nullable=False),
        sa.Column("sheet_id", ID, nullable=False),
        sa.Column("product_id", ID, nullable=False),
        sa.Column("staff_id", ID, nullable=True),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("area_id", ID, nullable=True),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("unit_price", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["area_id"], ["areas.id"], name="fk_consumption_details_area_id"),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name="fk_consumption_details_product_id"),
        sa.ForeignKeyConstraint(["sheet_id"], ["consumption_sheets.id"], name="fk_consumption_details_sheet_id"),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name="fk_consumption_details_staff_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_consumption_details_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_consumption_details"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_consumption_details_area_id", "consumption_details", ["area_id"])
    op.create_index("ix_consumption_details_created_at_id", "consumption_details", ["created_at", "id"])
    op.create_index("ix_consumption_details_product_id", "consumption_details", ["product_id"])
    op.create_index(
        "ix_consumption_details_sheet_id_created_at_id", "consumption_details", ["sheet_id", "created_at", "id"]
    )
    op.create_index("ix_consumption_details_staff_id", "consumption_details", ["staff_id"])
    op.create_index("ix_consumption_details_user_id", "consumption_details", ["user_id"])

    if op.get_bind().dialect.name == "sqlite":
        _index_words_on_sqlite()
    else:
        _index_words_on_postgresql()


def _index_words_on_sqlite() -> None:
    """Create a trigram full-text index, updated by triggers."""
    for statement in (
        "CREATE VIRTUAL TABLE products_words USING fts5 "
        "(name_folded, content='products', content_rowid='id', tokenize='trigram')",
        "CREATE TRIGGER products_words_added AFTER INSERT ON products BEGIN "
        "INSERT INTO products_words (rowid, name_folded) VALUES (new.id, new.name_folded); END",
        "CREATE TRIGGER products_words_removed AFTER DELETE ON products BEGIN "
        "INSERT INTO products_words (products_words, rowid, name_folded) "
        "VALUES ('delete', old.id, old.name_folded); END",
        "CREATE TRIGGER products_words_changed AFTER UPDATE OF name_folded ON products BEGIN "
        "INSERT INTO products_words (products_words, rowid, name_folded) "
        "VALUES ('delete', old.id, old.name_folded); "
        "INSERT INTO products_words (rowid, name_folded) VALUES (new.id, new.name_folded); END",
    ):
        op.execute(statement)


def _index_words_on_postgresql() -> None:
    """Create a trigram index if the server supports it.

    Without it searches are slower.
    """
    available = sa.text("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
    if op.get_bind().execute(available).scalar():
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        op.create_index(
            "ix_products_words",
            "products",
            ["name_folded"],
            postgresql_using="gin",
            postgresql_ops={"name_folded": "gin_trgm_ops"},
        )
