"""Tables of catalogue."""

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    false,
    func,
    literal_column,
    text,
)

from adapters.sql.engine.columns import (
    FOLDED,
    LOT,
    MONEY,
    QUANTITY,
    Lines,
    Moment,
    metadata,
    partial_index,
    table_with_id,
)

areas = table_with_id(
    "areas",
    Column("name", String, nullable=False),
    Column("code", String),
    Column("name_key", FOLDED, nullable=False),
    Column("name_folded", FOLDED, nullable=False),
    UniqueConstraint("name_key"),
)
partial_index("uq_areas_code", areas.c.code, where=areas.c.code.is_not(None))

categories = table_with_id(
    "categories",
    Column("code", String, nullable=False),
    Column("code_key", FOLDED, nullable=False),
    Column("name", String, nullable=False),
    Column("name_folded", FOLDED, nullable=False),
    UniqueConstraint("code_key"),
    Index(None, "name_folded", "id"),
)

products = table_with_id(
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
    Column("included_in_stay", Boolean, nullable=False, server_default=false()),
    Column("plain_name", String(60)),
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
product_codes = table_with_id(
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
typed_names = table_with_id(
    "typed_names",
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), nullable=False),
    Column("name", FOLDED, nullable=False),
    Column("times", Integer, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("dismissed", Boolean, nullable=False),
    UniqueConstraint("product_id", "name"),
)

rooms = table_with_id(
    "rooms",
    Column("name", String, nullable=False),
    Column("code", String),
    Column("name_folded", FOLDED, nullable=False),
    # Null in a room that an earlier version has created.
    Column("sort_folded", FOLDED),
    Column("status", SmallInteger, nullable=False),
    Column("type", SmallInteger, nullable=False),
    Column("area_id", ForeignKey("areas.id"), nullable=False, index=True),
    Index(None, "name_folded", "id"),
)
# The order of the ward: room 2 comes before room 10.
ROOM_ORDER: ColumnElement[str] = func.coalesce(rooms.c.sort_folded, rooms.c.name_folded)
Index("ix_rooms_sort_folded_id", ROOM_ORDER, rooms.c.id)
partial_index("uq_rooms_code", rooms.c.code, where=rooms.c.code.is_not(None))

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
recalls = table_with_id(
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
partial_index("ix_recalls_open", recalls.c.product_id, where=IS_RECALLED)

# Without a user, the kit is the hospital's.
kits = table_with_id(
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

kit_lines = table_with_id(
    "kit_lines",
    Column("kit_id", ForeignKey("kits.id"), nullable=False),
    Column("place", SmallInteger, nullable=False),
    Column("product_id", ForeignKey("products.id"), nullable=False, index=True),
    Column("quantity", QUANTITY, nullable=False),
    Column("optional", Boolean, nullable=False),
    UniqueConstraint("kit_id", "product_id"),
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
CODE_WITHOUT_ZEROS = func.ltrim(products.c.code_key, literal_column("'0'"))
Index("ix_products_code_without_zeros", CODE_WITHOUT_ZEROS)
IS_IMPLANT = literal_column("implant", Boolean())
partial_index("ix_products_implant", products.c.name_folded, products.c.id, where=IS_IMPLANT)
IS_INCLUDED = literal_column("included_in_stay", Boolean())
partial_index("ix_products_included_in_stay", products.c.name_folded, products.c.id, where=IS_INCLUDED)
IS_WITHOUT_PRICE = products.c.price == literal_column("0")
partial_index("ix_products_without_price", products.c.name_folded, products.c.id, where=IS_WITHOUT_PRICE)

# Units of recalled lots that were taken out of use.
set_aside = table_with_id(
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
