"""Tables, and column types that are exact on every database."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    and_,
    false,
    func,
    literal_column,
    or_,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import VARCHAR

from application.common.entities import AuditAction

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class ScaledDecimal(TypeDecorator[Decimal]):
    """An exact decimal with fixed scale, stored as an integer.

    SQLite would store decimals as floats.
    """

    impl = BigInteger
    cache_ok = True

    def __init__(self, decimals: int) -> None:
        super().__init__()
        self.decimals = decimals
        self._smallest = Decimal(1).scaleb(-decimals)

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Convert to an integer of the smallest unit. Refuse finer decimals."""
        if value is None:
            return None
        scaled = value.scaleb(self.decimals)
        whole = int(scaled)
        if whole != scaled:
            raise ValueError(f"{value} has more than {self.decimals} decimals")
        return whole

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Decimal | None]:  # noqa: ARG002
        """Return the function that converts an integer to a decimal.

        It replaces SQLAlchemy's own conversion for speed: a page of details has hundreds of values.
        """
        smallest = self._smallest
        return lambda value: None if value is None else smallest * value


class Moment(TypeDecorator[datetime]):
    """A moment, stored in UTC and always aware: SQLite has no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a moment to UTC. Refuse naive ones."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None]:
        """Return the function that converts a value to an aware moment in UTC."""
        if dialect.name != "sqlite":
            return lambda value: None if value is None else value.astimezone(UTC)
        read = self.impl_instance.result_processor(dialect, coltype)
        assert read is not None, "SQLite keeps moments as text"
        return lambda value: None if value is None else cast("datetime", read(value)).replace(tzinfo=UTC)


class Lines(TypeDecorator[tuple[str, ...]]):
    """Several one-line texts, stored as the lines of one text."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Join the texts to lines."""
        return None if value is None else "\n".join(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:  # noqa: ARG002
        """Split the lines into texts."""
        return None if value is None else tuple(value.splitlines())


MONEY = ScaledDecimal(2)
QUANTITY = ScaledDecimal(3)

# Folded texts are compared by code point on every database, independent of its locale.
FOLDED = String().with_variant(VARCHAR(collation="C"), "postgresql")

# As the previous version compares lots: lower() changes only ASCII letters on every database.
LOT = String(50).with_variant(VARCHAR(50, collation="C"), "postgresql")

# SQLite generates ids only for an INTEGER primary key, and reuses them without AUTOINCREMENT.
_ID = BigInteger().with_variant(Integer(), "sqlite")


def _table(name: str, *columns: Any) -> Table:
    return Table(name, metadata, Column("id", _ID, primary_key=True), *columns, sqlite_autoincrement=True)


areas = _table(
    "areas",
    Column("name", String, nullable=False),
    Column("code", String),
    Column("name_key", FOLDED, nullable=False),
    Column("name_folded", FOLDED, nullable=False),
    UniqueConstraint("name_key"),
)

categories = _table(
    "categories",
    Column("code", String, nullable=False),
    Column("code_key", FOLDED, nullable=False),
    Column("name", String, nullable=False),
    Column("name_folded", FOLDED, nullable=False),
    UniqueConstraint("code_key"),
    Index(None, "name_folded", "id"),
)

products = _table(
    "products",
    Column("name", String, nullable=False),
    Column("name_folded", FOLDED, nullable=False),
    Column("price", MONEY, nullable=False),
    Column("category_id", ForeignKey("categories.id"), nullable=False),
    Column("code", String),
    Column("code_key", FOLDED),
    Column("code_folded", FOLDED, index=True),
    Column("gtin", String),
    Column("unit", String),
    Column("active", Boolean, nullable=False),
    Column("decimals", SmallInteger, nullable=False, server_default=text("3")),
    Column("asks_lot", Boolean, nullable=False, server_default=false()),
    Column("asks_serial", Boolean, nullable=False, server_default=false()),
    Column("also_called", Lines(), nullable=False, server_default=text("''")),
    Column("also_called_folded", FOLDED, nullable=False, server_default=text("''")),
    Column("implant", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("code_key"),
    UniqueConstraint("gtin"),
    Index(None, "name_folded", "id"),
    Index(None, "category_id", "name_folded", "id"),
    Index(None, "active", "name_folded", "id"),
    Index(None, "price", "id"),
)
# Missing codes sort first, on every database.
CODE_OR_NONE = func.coalesce(products.c.code_key, literal_column("''"))
Index("ix_products_code_or_none", CODE_OR_NONE, products.c.id)

# ``code_key`` identifies a code in its system: of a GTIN its 14 digits.
product_codes = _table(
    "product_codes",
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("system", String, nullable=False),
    Column("code", String, nullable=False),
    Column("code_key", FOLDED, nullable=False, index=True),
    Column("units", QUANTITY, nullable=False),
    Column("label", String),
    UniqueConstraint("system", "code_key"),
)

# The content is the last column: SQLite reads the others without it.
product_pictures = Table(
    "product_pictures",
    metadata,
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", String, nullable=False),
    Column("media_type", String, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

# Folded texts that users typed in vain before they chose the product.
typed_names = _table(
    "typed_names",
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), nullable=False),
    Column("name", FOLDED, nullable=False),
    Column("times", Integer, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("dismissed", Boolean, nullable=False),
    UniqueConstraint("product_id", "name"),
)

rooms = _table(
    "rooms",
    Column("name", String, nullable=False),
    Column("code", String),
    Column("name_folded", FOLDED, nullable=False),
    Column("status", SmallInteger, nullable=False),
    Column("type", SmallInteger, nullable=False),
    Column("area_id", ForeignKey("areas.id"), nullable=False, index=True),
    Index(None, "name_folded", "id"),
)

patients = _table(
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
Index("ix_patients_merged_into", patients.c.merged_into, sqlite_where=IS_MERGED, postgresql_where=IS_MERGED)
IS_UNIDENTIFIED = patients.c.unidentified_number.is_not(None)
Index(
    "uq_patients_unidentified_number",
    patients.c.unidentified_number,
    unique=True,
    sqlite_where=IS_UNIDENTIFIED,
    postgresql_where=IS_UNIDENTIFIED,
)
RECORD_OR_NONE = func.coalesce(patients.c.record_key, literal_column("''"))
Index("ix_patients_record_or_none", RECORD_OR_NONE, patients.c.id)
BIRTH_OR_NONE = func.coalesce(patients.c.date_of_birth, literal_column("'0001-01-01'"))
Index("ix_patients_birth_or_none", BIRTH_OR_NONE, patients.c.id)

# Record numbers of records that were merged into the patient's: old wristbands find the right person.
patient_identifiers = _table(
    "patient_identifiers",
    Column("patient_id", ForeignKey("patients.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("system", String, nullable=False),
    Column("value", String, nullable=False),
    Column("value_key", FOLDED, nullable=False),
    UniqueConstraint("system", "value_key"),
)

staff = _table(
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

users = _table(
    "users",
    # A program has no email: this is its name.
    Column("email", String, nullable=False),
    # Null after the user is deleted: the email stays visible on past actions, and can be used again.
    Column("email_key", FOLDED),
    Column("role", SmallInteger, nullable=False),
    Column("password_hash", String),
    Column("staff_id", ForeignKey("staff.id")),
    Column("deleted", Boolean, nullable=False),
    Column("ward_area_id", ForeignKey("areas.id")),
    Column("whole_hospital", Boolean, nullable=False, server_default=false()),
    Column("oidc_issuer", String(255)),
    Column("oidc_subject", String(255)),
    Column("email_is_own_choice", Boolean, nullable=False, server_default=false()),
    Column("oidc_refused_at", Moment),
    Column("passkey_handle", LargeBinary),
    UniqueConstraint("email_key"),
    UniqueConstraint("staff_id"),
    Index("uq_users_oidc", "oidc_issuer", "oidc_subject", unique=True),
)

# Keys of service accounts. Only the digest of a secret is stored.
api_keys = _table(
    "api_keys",
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("prefix", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("networks", String, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("created_by", ForeignKey("users.id"), nullable=False),
    Column("expires_at", Moment),
    Column("used_at", Moment),
    Column("revoked_at", Moment),
    Column("refused_at", Moment),
    Column("refused_address", String),
    UniqueConstraint("digest"),
)

unknown_codes = Table(
    "unknown_codes",
    metadata,
    Column("system", String, primary_key=True),
    Column("code_key", FOLDED, primary_key=True),
    Column("code", String, nullable=False),
    Column("times", Integer, nullable=False),
    Column("last_at", Moment, nullable=False, index=True),
    Column("last_user_id", ForeignKey("users.id"), nullable=False),
)

# Without a lot, all lots are recalled.
recalls = _table(
    "recalls",
    Column("product_id", ForeignKey("products.id"), nullable=False, index=True),
    Column("lot", LOT),
    Column("lot_key", FOLDED),
    Column("reason", String(500), nullable=False),
    Column("opened_at", Moment, nullable=False),
    Column("opened_by", ForeignKey("users.id"), nullable=False),
    Column("closed_at", Moment),
    Column("closed_by", ForeignKey("users.id")),
)
IS_RECALLED = recalls.c.closed_at.is_(None)
Index("ix_recalls_open", recalls.c.product_id, sqlite_where=IS_RECALLED, postgresql_where=IS_RECALLED)

# Without a user, the kit is the hospital's.
kits = _table(
    "kits",
    Column("name", String, nullable=False),
    Column("name_key", FOLDED, nullable=False),
    Column("name_folded", FOLDED, nullable=False),
    Column("area_id", ForeignKey("areas.id"), index=True),
    Column("user_id", ForeignKey("users.id"), index=True),
    Column("active", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Index(None, "name_folded", "id"),
)
Index("uq_kits_name_key", kits.c.name_key, func.coalesce(kits.c.user_id, literal_column("0")), unique=True)

kit_lines = _table(
    "kit_lines",
    Column("kit_id", ForeignKey("kits.id"), nullable=False),
    Column("place", SmallInteger, nullable=False),
    Column("product_id", ForeignKey("products.id"), nullable=False, index=True),
    Column("quantity", QUANTITY, nullable=False),
    Column("optional", Boolean, nullable=False),
    UniqueConstraint("kit_id", "product_id"),
)

# Versions of the data that devices store.
versions = Table(
    "versions",
    metadata,
    Column("name", String, primary_key=True),
    Column("version", BigInteger, nullable=False),
)

favourites = Table(
    "favourites",
    metadata,
    Column("user_id", ForeignKey("users.id"), primary_key=True),
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", Moment, nullable=False),
)

# The ids of usual products by number, in the shift that began at ``since`` and in the one before.
usual_numbers = Table(
    "usual_numbers",
    metadata,
    Column("user_id", ForeignKey("users.id"), primary_key=True),
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("since", Moment),
    Column("ids", String, nullable=False),
    Column("before", String, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("expires_at", Moment, nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("began_at", Moment),
    Column("used_at", Moment),
    Column("ends_at", Moment),
    Column("address", String),
    Column("client", String),
    Column("how", String, nullable=False, server_default=text("'password'")),
    Column("confirmed_at", Moment),
    Column("locked_at", Moment),
    Column("device", String(43), index=True),
    Column("device_key", String(88)),
    Column("pin_failures", SmallInteger, nullable=False, server_default=text("0")),
    Column("oidc_sid", String(255), index=True),
)

pins = Table(
    "user_pins",
    metadata,
    Column("user_id", ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("pin_hash", String, nullable=False),
    Column("set_at", Moment, nullable=False),
)

badges = _table(
    "user_badges",
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("digest", String, nullable=False),
    Column("name", String(60)),
    Column("made_by", ForeignKey("users.id"), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("used_at", Moment),
    UniqueConstraint("digest"),
)

password_links = Table(
    "password_links",
    metadata,
    Column("digest", String, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("expires_at", Moment, nullable=False),
    Column("made_by", BigInteger),
)

setup_links = Table(
    "setup_links",
    metadata,
    Column("digest", String, primary_key=True),
    Column("expires_at", Moment, nullable=False),
)

passkeys = _table(
    "passkeys",
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("credential_id", LargeBinary, nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("transports", String, nullable=False),
    Column("backed_up", Boolean, nullable=False),
    Column("aaguid", String(36), nullable=False),
    Column("name", String(60), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("used_at", Moment),
    Column("suspected_at", Moment),
    Column("made_by", BigInteger),
)

# Challenges for passkeys, and links for registering one.
passkey_secrets = Table(
    "passkey_secrets",
    metadata,
    Column("digest", String, primary_key=True),
    Column("purpose", String, nullable=False),
    Column("user_id", ForeignKey("users.id"), index=True),
    Column("expires_at", Moment, nullable=False, index=True),
    Column("made_by", BigInteger),
)

failed_attempts = _table(
    "sign_in_failures",
    Column("subject", String, nullable=False),
    Column("at", Moment, nullable=False, index=True),
    Index(None, "subject", "at"),
)

sheets = _table(
    "consumption_sheets",
    Column("patient_id", ForeignKey("patients.id"), nullable=False, index=True),
    Column("room_id", ForeignKey("rooms.id"), nullable=False),
    Column("admission_date", Date, nullable=False),
    Column("diagnosis", Text, nullable=False),
    Column("doctor", String, nullable=False),
    Column("search_folded", FOLDED, nullable=False),
    Column("total", MONEY, nullable=False),
    Column("lines", Integer, nullable=False, server_default=text("0")),
    Column("closed_at", Moment),
    Column("version", Integer, nullable=False),
    Column("visit_number", String),
    Column("discharge_proposed_at", Moment),
    Column("admission_cancelled_at", Moment),
    Column("told", Text),
    Index(None, "room_id", "id"),
)
# Mostly null: partial unique indexes.
for _table_of, _name in ((areas, "code"), (rooms, "code"), (sheets, "visit_number")):
    _is_there = _table_of.c[_name].is_not(None)
    Index(
        f"uq_{_table_of.name}_{_name}",
        _table_of.c[_name],
        unique=True,
        sqlite_where=_is_there,
        postgresql_where=_is_there,
    )
# Open sheets with a discharge that the hospital's system proposed.
IS_TO_BE_CLOSED = and_(sheets.c.closed_at.is_(None), sheets.c.discharge_proposed_at.is_not(None))
Index(
    "ix_consumption_sheets_to_be_closed",
    sheets.c.discharge_proposed_at,
    sqlite_where=IS_TO_BE_CLOSED,
    postgresql_where=IS_TO_BE_CLOSED,
)
Index(
    "ix_consumption_sheets_open",
    sheets.c.admission_date.desc(),
    sheets.c.id.desc(),
    sqlite_where=sheets.c.closed_at.is_(None),
    postgresql_where=sheets.c.closed_at.is_(None),
)
# Open sheets of a room, without years of closed ones.
Index(
    "ix_consumption_sheets_open_in_room",
    sheets.c.room_id,
    sqlite_where=sheets.c.closed_at.is_(None),
    postgresql_where=sheets.c.closed_at.is_(None),
)
# No index has the total: it changes with every line, and without an index PostgreSQL can update a sheet in place.
for _name, *_columns in (
    ("closed", sheets.c.closed_at.desc(), sheets.c.id.desc()),
    ("closed_by_admission", sheets.c.admission_date, sheets.c.id),
    ("closed_by_doctor", sheets.c.search_folded, sheets.c.id),
):
    Index(
        f"ix_consumption_sheets_{_name}",
        *_columns,
        sqlite_where=sheets.c.closed_at.is_not(None),
        postgresql_where=sheets.c.closed_at.is_not(None),
    )

# Rooms that a patient left during a stay; the current room is in the sheet.
sheet_transfers = _table(
    "sheet_transfers",
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False),
    Column("left_room_id", ForeignKey("rooms.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Index(None, "sheet_id", "id"),
)

# ``document`` is the printed sheet at the closing, as gzipped JSON. ``digest`` is the digest of ``salt`` and document.
closings = _table(
    "closings",
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("closed_at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id")),
    Column("total", MONEY, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("document", LargeBinary, nullable=False),
    Column("salt", String(32)),
    Column("digest", String(64)),
    UniqueConstraint("sheet_id", "turn"),
)

# Messages to billing. They and their charges outlive the sheet.
outbound_messages = _table(
    "outbound_messages",
    Column("sheet_id", BigInteger, nullable=False),
    Column("control_id", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("charges", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("next_try_at", Moment, nullable=False),
    Column("first_tried_at", Moment),
    Column("problem", Text),
    Column("sent_at", Moment),
    Column("decided_by", ForeignKey("users.id")),
    Column("reason", String(500)),
    UniqueConstraint("control_id"),
    Index(None, "sheet_id", "id"),
    Index(None, "state", "id"),
)
IS_UNFINISHED = outbound_messages.c.state != literal_column("'sent'")
Index(
    "ix_outbound_messages_unfinished",
    outbound_messages.c.sheet_id,
    outbound_messages.c.id,
    sqlite_where=IS_UNFINISHED,
    postgresql_where=IS_UNFINISHED,
)

charges = _table(
    "charges",
    Column("sheet_id", BigInteger, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("transaction_id", String, nullable=False),
    Column("kind", String(2), nullable=False),
    Column("reverses", String),
    Column("reason", String),
    Column("note", Text),
    Column("patient_id", BigInteger, nullable=False),
    Column("visit_number", String),
    Column("message_id", ForeignKey("outbound_messages.id"), nullable=False),
    Column("detail_id", BigInteger, nullable=False),
    Column("product_id", BigInteger, nullable=False),
    Column("product_code", String),
    Column("product_name", String, nullable=False),
    Column("billing_code", String),
    Column("quantity", QUANTITY, nullable=False),
    Column("unit_price", MONEY, nullable=False),
    Column("total", MONEY, nullable=False),
    Column("occurred_at", Moment, nullable=False),
    Column("area_id", BigInteger),
    Column("area", String),
    Column("gtin", String(14)),
    Column("lot", LOT),
    Column("expiry", Date),
    Column("serial", String(50)),
    UniqueConstraint("transaction_id"),
    Index(None, "sheet_id", "id"),
)

# Entries that arrived after the closing of their sheet, until a supervisor decides.
late_entries = _table(
    "late_entries",
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("entry_digest", LargeBinary(16), nullable=False),
    Column("body", Text, nullable=False),
    Column("occurred_at", Moment, nullable=False),
    Column("arrived_at", Moment, nullable=False),
    Column("decided_at", Moment),
    Column("decided_by", ForeignKey("users.id")),
    Column("decision", String),
    Column("reason", String(500)),
    UniqueConstraint("entry_digest"),
)
IS_UNDECIDED = late_entries.c.decided_at.is_(None)
Index("ix_late_entries_undecided", late_entries.c.sheet_id, sqlite_where=IS_UNDECIDED, postgresql_where=IS_UNDECIDED)

# Used supplies that are not in the catalogue, until a supervisor decides. The resulting detail is not deleted before
# its sheet.
unlisted_items = _table(
    "unlisted_items",
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("staff_id", ForeignKey("staff.id")),
    Column("area_id", ForeignKey("areas.id")),
    Column("room_id", ForeignKey("rooms.id"), nullable=False),
    Column("entry_digest", LargeBinary(16)),
    Column("description", String(200), nullable=False),
    Column("quantity", QUANTITY, nullable=False),
    Column("occurred_at", Moment, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("state", String, nullable=False),
    Column("decided_at", Moment),
    Column("decided_by", ForeignKey("users.id")),
    Column("reason", String(500)),
    Column("detail_id", BigInteger),
    UniqueConstraint("entry_digest"),
    Index(None, "sheet_id"),
)
IS_OPEN_UNLISTED = unlisted_items.c.decided_at.is_(None)
Index(
    "ix_unlisted_items_open",
    unlisted_items.c.sheet_id,
    sqlite_where=IS_OPEN_UNLISTED,
    postgresql_where=IS_OPEN_UNLISTED,
)

# Forms on paper. The numbers on them are the ids, and remain when their sheets or areas are deleted.
contingency_forms = _table(
    "contingency_forms",
    Column("sheet_id", BigInteger),
    Column("area_id", BigInteger),
    Column("printed_at", Moment, nullable=False),
    Column("printed_by", ForeignKey("users.id"), nullable=False),
    Column("products", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("decided_at", Moment),
    Column("decided_by", ForeignKey("users.id")),
    Column("recorded_sheet_id", BigInteger),
    Column("late_entry_id", BigInteger),
    Column("reason", String(500)),
    Index("ix_contingency_forms_state", "state", "id"),
)

details = _table(
    "consumption_details",
    Column("sheet_id", ForeignKey("consumption_sheets.id"), nullable=False),
    Column("product_id", ForeignKey("products.id"), nullable=False),
    Column("staff_id", ForeignKey("staff.id")),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("area_id", ForeignKey("areas.id")),
    Column("quantity", QUANTITY, nullable=False),
    Column("unit_price", MONEY, nullable=False),
    Column("total", MONEY, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("day", Date, nullable=False),
    Column("version", Integer, nullable=False),
    Column("occurred_at", Moment),
    Column("entry_digest", LargeBinary(16)),
    Column("gtin", String(14)),
    Column("lot", LOT),
    Column("expiry", Date),
    Column("serial", String(50)),
    Column("lot_key", FOLDED),
    Column("serial_key", FOLDED),
    Column("acknowledged", String),
    Column("kit_id", ForeignKey("kits.id")),
    Column("room_id", ForeignKey("rooms.id")),
    Column("returned", QUANTITY, nullable=False, server_default=text("0")),
    Column("voided_at", Moment),
    Column("voided_by", ForeignKey("users.id")),
    Column("void_reason", String(500)),
    Column("corrected_from", QUANTITY),
    Column("recall_reason", String(500)),
    Column("implant_reason", String(500)),
    Column("input_method", String(4)),
    Column("form_id", ForeignKey("contingency_forms.id")),
    Index(None, "created_at", "id"),
    Index(None, "sheet_id", "created_at", "id"),
    Index(None, "user_id", "id"),
    Index(None, "product_id", "id"),
    # For filters and sorts of lists: matches may be far from the newest rows.
    Index(None, "product_id", "created_at", "id"),
    Index(None, "staff_id", "created_at", "id"),
    Index(None, "area_id", "created_at", "id"),
    Index(None, "quantity", "id"),
    Index(None, "unit_price", "id"),
    Index(None, "total", "id"),
    # For reports of days.
    Index(None, "day", "id"),
)
# How lots and serial numbers are compared (domain.common.text.code_key). A line of the previous version has no key;
# that of an ordinary lot is the lot in small letters. Use these expressions, so that the indexes match.
LOT_KEY = func.coalesce(details.c.lot_key, func.lower(details.c.lot))
SERIAL_KEY = func.coalesce(details.c.serial_key, func.lower(details.c.serial))
# When a supply was used.
USED_AT = func.coalesce(details.c.occurred_at, details.c.created_at)
for _name, _of, _rows in (
    ("uq_consumption_details_entry_digest", (details.c.entry_digest,), details.c.entry_digest.is_not(None)),
    ("ix_consumption_details_lot_key", (LOT_KEY, details.c.product_id), details.c.lot.is_not(None)),
    ("ix_consumption_details_serial_key", (SERIAL_KEY, details.c.product_id), details.c.serial.is_not(None)),
    ("ix_consumption_details_kit_id", (details.c.kit_id,), details.c.kit_id.is_not(None)),
    ("ix_consumption_details_form_id", (details.c.form_id,), details.c.form_id.is_not(None)),
):
    Index(_name, *_of, unique=_name.startswith("uq"), sqlite_where=_rows, postgresql_where=_rows)
# Only lines that are not voided count in sums and lists. Use these expressions, so that partial indexes match.
NOT_VOIDED = details.c.voided_at.is_(None)
IS_VOIDED = details.c.voided_at.is_not(None)
Index(
    "ix_consumption_details_voided",
    details.c.created_at,
    details.c.id,
    sqlite_where=IS_VOIDED,
    postgresql_where=IS_VOIDED,
)
# For restock lists: the quantities by product are read from the index alone.
Index(
    "ix_consumption_details_restock",
    details.c.area_id,
    details.c.product_id,
    details.c.quantity,
    sqlite_where=NOT_VOIDED,
    postgresql_where=NOT_VOIDED,
)
# For rare findings of the overview. A statement uses such an index only if it has the same literal condition: a bound
# parameter could have any value.
IS_ZERO = details.c.quantity == literal_column("0")
Index("ix_consumption_details_zero", details.c.created_at, details.c.id, sqlite_where=IS_ZERO, postgresql_where=IS_ZERO)
CODE_WITHOUT_ZEROS = func.ltrim(products.c.code_key, literal_column("'0'"))
Index("ix_products_code_without_zeros", CODE_WITHOUT_ZEROS)
RECORD_WITHOUT_ZEROS = func.ltrim(patients.c.record_key, literal_column("'0'"))
Index("ix_patients_record_without_zeros", RECORD_WITHOUT_ZEROS)
IS_IMPLANT = literal_column("implant", Boolean())
Index(
    "ix_products_implant",
    products.c.name_folded,
    products.c.id,
    sqlite_where=IS_IMPLANT,
    postgresql_where=IS_IMPLANT,
)
# An implant without lot or serial number. Both are null or filled in.
IS_UNTRACED = and_(products.c.implant, or_(details.c.lot.is_(None), details.c.serial.is_(None)))
IS_WITHOUT_PRICE = products.c.price == literal_column("0")
Index(
    "ix_products_without_price",
    products.c.name_folded,
    products.c.id,
    sqlite_where=IS_WITHOUT_PRICE,
    postgresql_where=IS_WITHOUT_PRICE,
)

# Returned parts of a detail. The detail's own ``quantity`` is what remains.
detail_returns = _table(
    "detail_returns",
    Column("detail_id", ForeignKey("consumption_details.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("quantity", QUANTITY, nullable=False),
    Column("total", MONEY, nullable=False),
    Column("reason", String, nullable=False),
    Column("note", String(500)),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("day", Date, nullable=False),
    Index(None, "day", "id"),
)

recalled_uses = Table(
    "recalled_uses",
    metadata,
    Column(
        "detail_id", ForeignKey("consumption_details.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("seen_at", Moment),
    Column("seen_by", ForeignKey("users.id")),
)
Index(
    "ix_recalled_uses_unseen",
    recalled_uses.c.detail_id,
    sqlite_where=recalled_uses.c.seen_at.is_(None),
    postgresql_where=recalled_uses.c.seen_at.is_(None),
)

# Unusual lines and sheets that a user judged right. ``version`` is that of the line.
judgements = Table(
    "judgements",
    metadata,
    Column("kind", String, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "entity_id"),
)

# What others changed on users' lines. The products are no foreign keys: they may be deleted.
notices = _table(
    "notices",
    Column("kind", String, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("actor_id", ForeignKey("users.id"), nullable=False),
    Column("detail_id", ForeignKey("consumption_details.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("from_sheet_id", BigInteger),
    Column("product_id", BigInteger, nullable=False),
    Column("quantity", QUANTITY, nullable=False),
    Column("new_product_id", BigInteger),
    Column("new_quantity", QUANTITY),
    Column("at", Moment, nullable=False, index=True),
    Column("seen_at", Moment),
    Index(None, "user_id", "at"),
)
IS_UNSEEN_NOTICE = notices.c.seen_at.is_(None)
Index(
    "ix_notices_unseen",
    notices.c.user_id,
    notices.c.id,
    sqlite_where=IS_UNSEEN_NOTICE,
    postgresql_where=IS_UNSEEN_NOTICE,
)

# Learned pairs of products. These are no foreign keys: pairs may outlive products until they are learned again.
product_pairs = Table(
    "product_pairs",
    metadata,
    Column("because_id", BigInteger, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, primary_key=True, autoincrement=False),
    Column("sheets", Integer, nullable=False),
    Column("together", Integer, nullable=False),
    Column("denials", Integer, nullable=False),
)

# Whether missing products were used, as users answered.
missed_charge_answers = Table(
    "missed_charge_answers",
    metadata,
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), primary_key=True),
    Column("product_id", BigInteger, primary_key=True, autoincrement=False),
    Column("because_id", BigInteger, nullable=False),
    Column("used", Boolean, nullable=False),
)

# When background jobs that one of several processes runs are due.
job_leases = Table(
    "job_leases",
    metadata,
    Column("job", String, primary_key=True),
    Column("due_at", Moment, nullable=False),
)

# Unsent lines of one person on one device.
device_outboxes = _table(
    "device_outboxes",
    Column("device_id", String, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("area_id", ForeignKey("areas.id", ondelete="SET NULL"), index=True),
    Column("lines", Integer, nullable=False),
    Column("oldest_at", Moment, nullable=False),
    Column("reported_at", Moment, nullable=False),
    Column("version", Integer, nullable=False),
    UniqueConstraint("device_id", "user_id"),
)

# The backups that ``consumo backup`` made; the last row is the latest.
backups = _table("backups", Column("made_at", Moment, nullable=False), Column("size", BigInteger, nullable=False))

# Units of recalled lots that were taken out of use.
set_aside = _table(
    "set_aside",
    Column("recall_id", ForeignKey("recalls.id"), nullable=False, index=True),
    Column("product_id", ForeignKey("products.id"), nullable=False, index=True),
    Column("lot", LOT),
    Column("quantity", QUANTITY, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("room_id", ForeignKey("rooms.id")),
    Column("area_id", ForeignKey("areas.id")),
    Column("entry_digest", LargeBinary(16)),
    UniqueConstraint("entry_digest"),
)

# Closed restock lists, numbered by area.
restock_lists = _table(
    "restock_lists",
    Column("area_id", ForeignKey("areas.id"), nullable=False),
    Column("area_name", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("closed_at", Moment, nullable=False),
    Column("closed_by", ForeignKey("users.id"), nullable=False),
    Column("left_over", Integer, nullable=False),
    UniqueConstraint("area_id", "number"),
)

# Names as they were when the list was closed. The products are no foreign keys: they may be deleted.
restock_lines = Table(
    "restock_lines",
    metadata,
    Column("list_id", ForeignKey("restock_lists.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, nullable=False),
    Column("code", String),
    Column("name", String, nullable=False),
    Column("unit", String),
    Column("shelf", String(40)),
    Column("quantity", QUANTITY, nullable=False),
    Column("put_back", QUANTITY, nullable=False),
    Column("put_back_by", String),
    Column("put_back_at", Moment),
)

# The number of the last closed list. Every change of an open list locks the row of its area.
restock_areas = Table(
    "restock_areas",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
)

# The sum of the closed lists.
restock_taken = Table(
    "restock_taken",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, primary_key=True, autoincrement=False),
    Column("quantity", QUANTITY, nullable=False),
)

# The ticked lines of the open lists.
restock_ticks = Table(
    "restock_ticks",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column(
        "product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    ),
    Column("quantity", QUANTITY, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
)

restock_settings = Table(
    "restock_settings",
    metadata,
    Column("area_id", ForeignKey("areas.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column(
        "product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    ),
    Column("shelf", String(40)),
    Column("fixed_amount", QUANTITY),
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

# Messages of other systems. ``sheet_id``, ``patient_id`` and ``answered_room_id`` are no foreign keys: messages outlive
# sheets, patients and rooms.
inbound_messages = _table(
    "inbound_messages",
    Column("source", String, nullable=False),
    Column("control_id", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("event_at", Moment, nullable=False),
    Column("received_at", Moment, nullable=False, index=True),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("body", Text),
    Column("state", String, nullable=False),
    Column("reason", String),
    Column("params", Text),
    Column("waiting", Boolean, nullable=False),
    Column("visit_number", String),
    Column("record_number", String),
    Column("prior_number", String),
    Column("location", String),
    Column("sheet_id", BigInteger),
    Column("patient_id", BigInteger),
    Column("answered_patient_id", ForeignKey("patients.id")),
    Column("answered_room_id", BigInteger),
    Column("opens_sheet", Boolean, nullable=False, server_default=false()),
    Column("tries", Integer, nullable=False),
    Column("decided_by", ForeignKey("users.id")),
    Column("decided_at", Moment),
    Column("note", String(500)),
    UniqueConstraint("source", "control_id", "digest"),
    Index(None, "state", "id"),
)
IS_WAITING = inbound_messages.c.waiting.is_(true())
for _name, _columns in {
    "waiting_visit": [inbound_messages.c.visit_number],
    "waiting_record": [inbound_messages.c.record_number],
    "waiting_prior": [inbound_messages.c.prior_number],
    "waiting_location": [inbound_messages.c.source, inbound_messages.c.location],
}.items():
    Index(f"ix_inbound_messages_{_name}", *_columns, sqlite_where=IS_WAITING, postgresql_where=IS_WAITING)

# Rooms for the codes of other systems, as an administrator set them once.
room_mappings = Table(
    "translations",
    metadata,
    Column("system", String, primary_key=True),
    Column("code", String, primary_key=True),
    Column("room_id", ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False, index=True),
)

# Digest of the settings by which the receiver of messages parses them.
receiver_settings = Table(
    "receiver_settings",
    metadata,
    Column("name", String, primary_key=True),
    Column("digest", String, nullable=False),
)

# One row, which the migration writes.
installation = Table(
    "installation",
    metadata,
    Column("id", SmallInteger, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
)

# One row, once an administrator has set something.
hospital_settings = Table(
    "hospital_settings",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("name", String),
    Column("address", Lines),
    Column("tax_number", String),
    Column("letterhead", Lines),
    Column("time_zone", String),
    Column("currency", String(3)),
    Column("number_format", String),
    Column("idle_minutes", Integer),
    Column("ask_above_total", MONEY),
    # Each such as 06:00.
    Column("shift_starts", Lines),
    Column("logo", LargeBinary),
    Column("logo_type", String),
    Column("logo_width", Integer),
    Column("logo_height", Integer),
    Column("logo_version", Integer, nullable=False),
)

# No foreign keys: the audit log outlives the entities.
audit = _table(
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
Index("ix_audit_trail_openings", audit.c.user_id, audit.c.id, sqlite_where=IS_OPENING, postgresql_where=IS_OPENING)
Index(
    "ix_audit_trail_import_id_id",
    audit.c.import_id,
    audit.c.id,
    sqlite_where=audit.c.import_id.is_not(None),
    postgresql_where=audit.c.import_id.is_not(None),
)

# Users who looked at a patient.
Index(
    "ix_audit_trail_patient_id_id",
    audit.c.patient_id,
    audit.c.id,
    sqlite_where=audit.c.patient_id.is_not(None),
    postgresql_where=audit.c.patient_id.is_not(None),
)

# Accesses that were already logged in an hour.
noted_looks = Table(
    "noted_looks",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("action", String, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True, autoincrement=False),
    Column("hour", BigInteger, primary_key=True, autoincrement=False),
)

# Always empty: write probes use it.
write_trials = Table("write_trials", metadata, Column("filler", LargeBinary, nullable=False))

# Seals of ``adapters.sql.audit.audit_seals``, numbered without gaps so that a missing one is found.
audit_seals = Table(
    "audit_seals",
    metadata,
    Column("id", _ID, primary_key=True, autoincrement=False),
    Column("last_entry_id", BigInteger, nullable=False),
    Column("sealed_at", Moment, nullable=False),
    Column("fingerprints", LargeBinary, nullable=False),
    Column("digest", String, nullable=False),
    Column("form", SmallInteger, nullable=False, server_default=text("1")),
)

imports = _table(
    "imports",
    Column("noun", String, nullable=False),
    Column("file_name", String, nullable=False),
    Column("file_folded", FOLDED, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("created", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("unchanged", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("digest", String, index=True),
    Column("undone_at", Moment),
    Column("undone_by", ForeignKey("users.id")),
)

import_mappings = Table(
    "import_mappings",
    metadata,
    Column("noun", String, primary_key=True),
    Column("shape", String, primary_key=True),
    Column("mapping", Text, nullable=False),
)
