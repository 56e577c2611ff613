"""Tables of sheets."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Date,
    ForeignKey,
    FromClause,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    case,
    func,
    literal_column,
    or_,
    text,
    type_coerce,
)

from adapters.sql.catalogue.tables import products
from adapters.sql.engine.columns import FOLDED, LOT, MONEY, QUANTITY, Moment, metadata, partial_index, table_with_id
from application.sheets.used_for import Part
from domain.hospital.use_reason import WASTE
from domain.sheets.detail import Unbilled

sheets = table_with_id(
    "consumption_sheets",
    # A sheet has a patient and a room, or an area and a part; the day of admission is then the first of its month.
    Column("patient_id", ForeignKey("patients.id"), index=True),
    Column("room_id", ForeignKey("rooms.id")),
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
    Column("area_id", ForeignKey("areas.id")),
    Column("part", SmallInteger),
    CheckConstraint(
        "patient_id IS NOT NULL AND room_id IS NOT NULL AND area_id IS NULL AND part IS NULL OR patient_id IS NULL "
        "AND room_id IS NULL AND area_id IS NOT NULL AND part IS NOT NULL AND total = 0 AND closed_at IS NULL "
        "AND visit_number IS NULL",
        name="ck_consumption_sheets_kind",
    ),
    Index(None, "room_id", "id"),
)
# By the area, which has no index of its own: SQLite would read all sheets by the index of patients.
IS_PATIENT_SHEET = sheets.c.area_id.is_(None)
IS_AREA_SHEET = sheets.c.area_id.is_not(None)
# Open sheets of patients; pages of areas are never closed.
IS_OPEN = and_(sheets.c.closed_at.is_(None), IS_PATIENT_SHEET)
partial_index(
    "uq_consumption_sheets_area_id", sheets.c.area_id, sheets.c.admission_date, sheets.c.part,
    where=IS_AREA_SHEET,
)  # fmt: skip
partial_index("uq_consumption_sheets_visit_number", sheets.c.visit_number, where=sheets.c.visit_number.is_not(None))
# Open sheets with a discharge that the hospital's system proposed.
IS_TO_BE_CLOSED = and_(sheets.c.closed_at.is_(None), sheets.c.discharge_proposed_at.is_not(None))
partial_index("ix_consumption_sheets_to_be_closed", sheets.c.discharge_proposed_at, where=IS_TO_BE_CLOSED)
partial_index(
    "ix_consumption_sheets_open", sheets.c.admission_date.desc(), sheets.c.id.desc(), where=sheets.c.closed_at.is_(None)
)
# Open sheets of a room, without years of closed ones.
partial_index("ix_consumption_sheets_open_in_room", sheets.c.room_id, where=sheets.c.closed_at.is_(None))
# No index has the total: it changes with every line, and without an index PostgreSQL can update a sheet in place.
for _name, *_columns in (
    ("closed", sheets.c.closed_at.desc(), sheets.c.id.desc()),
    ("closed_by_admission", sheets.c.admission_date, sheets.c.id),
    ("closed_by_doctor", sheets.c.search_folded, sheets.c.id),
):
    partial_index(f"ix_consumption_sheets_{_name}", *_columns, where=sheets.c.closed_at.is_not(None))

# Rooms that a patient left during a stay; the current room is in the sheet.
sheet_transfers = table_with_id(
    "sheet_transfers",
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False),
    Column("left_room_id", ForeignKey("rooms.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Index(None, "sheet_id", "id"),
)

# ``document`` is the printed sheet at the closing, as gzipped JSON. ``digest`` is the digest of ``salt`` and document.
closings = table_with_id(
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

# What is frozen on paper and is no closing: accounts of patients' sheets, and months of an area or of the hospital.
documents = table_with_id(
    "documents",
    Column("kind", String(10), nullable=False),
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE")),
    Column("area_id", ForeignKey("areas.id")),
    Column("month", Date),
    Column("turn", Integer, nullable=False),
    Column("issued_at", Moment, nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("total", MONEY, nullable=False),
    Column("changes", Integer, nullable=False),
    Column("changes_total", MONEY, nullable=False),
    Column("document", LargeBinary, nullable=False),
    Column("salt", String(32), nullable=False),
    Column("digest", String(64), nullable=False),
    CheckConstraint(
        "kind = 'account' AND sheet_id IS NOT NULL AND area_id IS NULL AND month IS NULL OR kind = 'month' "
        "AND sheet_id IS NULL AND month IS NOT NULL",
        name="ck_documents_kind",
    ),
)
partial_index(
    "uq_documents_sheet_id", documents.c.sheet_id, documents.c.turn, where=documents.c.sheet_id.is_not(None)
)  # fmt: skip
partial_index(
    "uq_documents_month", documents.c.month, func.coalesce(documents.c.area_id, literal_column("0")), documents.c.turn,
    where=documents.c.month.is_not(None),
)  # fmt: skip

# Entries that arrived after the closing of their sheet, until a supervisor decides.
late_entries = table_with_id(
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
partial_index("ix_late_entries_undecided", late_entries.c.sheet_id, where=IS_UNDECIDED)

# Used supplies that are not in the catalogue, until a supervisor decides. The resulting detail is not deleted before
# its sheet.
unlisted_items = table_with_id(
    "unlisted_items",
    Column("sheet_id", ForeignKey("consumption_sheets.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", ForeignKey("users.id"), nullable=False),
    Column("staff_id", ForeignKey("staff.id")),
    Column("area_id", ForeignKey("areas.id")),
    Column("room_id", ForeignKey("rooms.id")),
    Column("use_reason", String(20)),
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
partial_index("ix_unlisted_items_open", unlisted_items.c.sheet_id, where=IS_OPEN_UNLISTED)

details = table_with_id(
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
    Column("use_reason", String(20)),
    Column("unbilled", String(10)),
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


def _texts(*values: str) -> list[ColumnElement[str]]:
    """Return the values as literals, for conditions of indexes and of views."""
    return [literal_column(f"'{value}'", String) for value in values]


# For whom a line was used. Only lines on an area's page are unbilled because of it.
[_AREA] = _texts(Unbilled.AREA)
IS_OF_AREA = details.c.unbilled == _AREA


def is_for_patient(table: FromClause) -> ColumnElement[bool]:
    """Return the condition that details, or an alias, were used for a patient.

    The others are on the pages of areas.
    """
    # Other programs read the views of SQLite, and not all of them know its IS NOT.
    return or_(table.c.unbilled.is_(None), table.c.unbilled != _AREA)


IS_FOR_PATIENT = is_for_patient(details)
# How lots and serial numbers are compared (domain.common.text.code_key). A line of the previous version has no key;
# that of an ordinary lot is the lot in small letters. Use these expressions, so that the indexes match.
LOT_KEY = func.coalesce(details.c.lot_key, func.lower(details.c.lot))


def serial_key_of(table: FromClause) -> ColumnElement[str]:
    """Return the comparison key of the serial number, for details or an alias."""
    return func.coalesce(table.c.serial_key, func.lower(table.c.serial))


SERIAL_KEY = serial_key_of(details)
# When a supply was used.
USED_AT = func.coalesce(details.c.occurred_at, details.c.created_at)
for _name, _of, _rows in (
    ("uq_consumption_details_entry_digest", (details.c.entry_digest,), details.c.entry_digest.is_not(None)),
    ("ix_consumption_details_lot_key", (LOT_KEY, details.c.product_id), details.c.lot.is_not(None)),
    ("ix_consumption_details_serial_key", (SERIAL_KEY, details.c.product_id), details.c.serial.is_not(None)),
    ("ix_consumption_details_kit_id", (details.c.kit_id,), details.c.kit_id.is_not(None)),
    ("ix_consumption_details_form_id", (details.c.form_id,), details.c.form_id.is_not(None)),
):
    partial_index(_name, *_of, where=_rows)
# Only lines that are not voided count in sums and lists. Use these expressions, so that partial indexes match.
NOT_VOIDED = details.c.voided_at.is_(None)
IS_VOIDED = details.c.voided_at.is_not(None)
partial_index("ix_consumption_details_voided", details.c.created_at, details.c.id, where=IS_VOIDED)
# For restock lists: the quantities by product are read from the index alone.
partial_index(
    "ix_consumption_details_restock", details.c.area_id, details.c.product_id, details.c.quantity, where=NOT_VOIDED
)
# For rare findings of the overview. A statement uses such an index only if it has the same literal condition: a bound
# parameter could have any value.
IS_ZERO = details.c.quantity == literal_column("0")
partial_index("ix_consumption_details_zero", details.c.created_at, details.c.id, where=IS_ZERO)


IS_WASTED = details.c.use_reason.in_(_texts(*WASTE))
_TREATMENT, _OF_AREA, _WASTED = _texts(Part.TREATMENT, Part.AREA, Part.WASTED)
# Reports, reconciliation and analytics divide all use by this one expression.
PART = case((IS_WASTED, _WASTED), (IS_OF_AREA, _OF_AREA), else_=_TREATMENT)
# Few lines: lists and reports of them need not read those of all patients. Use this expression, so that indexes match.
IS_NOT_TREATMENT = or_(IS_OF_AREA, details.c.use_reason.is_not(None))
for _name, _first in (("created_at", details.c.created_at), ("day", details.c.day)):
    partial_index(f"ix_consumption_details_not_treatment_{_name}", _first, details.c.id, where=IS_NOT_TREATMENT)


def value_of(quantity: ColumnElement[Any], unit_price: ColumnElement[Any] = details.c.unit_price) -> ColumnElement[Any]:
    """Return price times quantity in cents, whether it is charged or not."""
    thousandths = type_coerce(unit_price, BigInteger) * type_coerce(quantity, BigInteger)
    half, whole = literal_column("500", BigInteger), literal_column("1000", BigInteger)
    return type_coerce((thousandths + half) // whole, MONEY)


# An implant without lot or serial number, unless it was thrown away. Both are null or filled in.
IS_UNTRACED = and_(
    products.c.implant, details.c.use_reason.is_(None), or_(details.c.lot.is_(None), details.c.serial.is_(None))
)

# Returned parts of a detail. The detail's own ``quantity`` is what remains.
detail_returns = table_with_id(
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
partial_index("ix_recalled_uses_unseen", recalled_uses.c.detail_id, where=recalled_uses.c.seen_at.is_(None))

# What others changed on users' lines. The products are no foreign keys: they may be deleted.
notices = table_with_id(
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
partial_index("ix_notices_unseen", notices.c.user_id, notices.c.id, where=IS_UNSEEN_NOTICE)

# Changes of lines in a later month than that of their use. There are no foreign keys: they outlive sheets and products.
month_changes = table_with_id(
    "month_changes",
    Column("day", Date, nullable=False),
    Column("at", Moment, nullable=False),
    Column("made_on", Date, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("sheet_id", BigInteger, nullable=False),
    Column("detail_id", BigInteger, nullable=False),
    Column("area_id", BigInteger),
    Column("product_id", BigInteger, nullable=False),
    Column("unbilled", String(10)),
    Column("use_reason", String(20)),
    Column("lines", Integer, nullable=False),
    Column("quantity", QUANTITY, nullable=False),
    Column("returned", QUANTITY, nullable=False),
    Column("total", MONEY, nullable=False),
    Column("value", MONEY, nullable=False),
    Index(None, "day", "id"),
    Index(None, "made_on", "id"),
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

# Unsent lines of one person on one device.
device_outboxes = table_with_id(
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
