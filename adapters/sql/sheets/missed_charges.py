"""Products that sheets have together, and the pairs that were learned from them."""

from collections.abc import Collection
from datetime import UTC, datetime

from sqlalchemy import Connection, and_, bindparam, not_, or_, select

from adapters.sql.catalogue.products import PLAIN_PRODUCT
from adapters.sql.catalogue.tables import products
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.sheets.tables import NOT_VOIDED, details, missed_charge_answers, product_pairs, sheets
from application.sheets.ports import NamedPair, SheetProducts
from domain.common.money import ZERO
from domain.sheets.missed_charges import ProductPair

# Lines that were returned completely do not count. Others without a quantity do: the supply was used.
_COUNTS = and_(NOT_VOIDED, or_(details.c.quantity != ZERO, details.c.returned == ZERO))
_ON_SHEET = (
    select(sheets.c.closed_at, sheets.c.area_id, details.c.product_id)
    .outerjoin_from(sheets, details, and_(details.c.sheet_id == sheets.c.id, _COUNTS))
    .where(sheets.c.id == bindparam("sheet_id"))
    .distinct()
)
_because = products.alias("because")
_PAIR = RowShape[NamedPair](
    NamedPair,
    names={
        "pair": RowShape[ProductPair](ProductPair, product_pairs),
        "product": PLAIN_PRODUCT,
        "because": _because.c.name,
    },
)
_PAIRS = (
    select(*_PAIR.columns)
    .join_from(product_pairs, products, products.c.id == product_pairs.c.product_id)
    .join(_because, _because.c.id == product_pairs.c.because_id)
    .where(
        product_pairs.c.because_id.in_(bindparam("because_ids", expanding=True)),
        products.c.active,
        # Nothing would be billed.
        not_(products.c.included_in_stay),
    )
)
_ANSWERS = select(missed_charge_answers.c.product_id, missed_charge_answers.c.used).where(
    missed_charge_answers.c.sheet_id == bindparam("sheet_id")
)
_BEFORE = bindparam("before", type_=sheets.c.closed_at.type)
_CLOSED = (
    select(sheets.c.id, sheets.c.closed_at)
    .where(
        sheets.c.closed_at.is_not(None),
        sheets.c.closed_at >= bindparam("since", type_=sheets.c.closed_at.type),
        sheets.c.closed_at <= _BEFORE,
        or_(sheets.c.closed_at < _BEFORE, sheets.c.id < bindparam("before_id")),
    )
    .order_by(sheets.c.closed_at.desc(), sheets.c.id.desc())
    .limit(bindparam("most"))
)
_OF_SHEETS = (
    select(details.c.sheet_id, details.c.product_id)
    .where(details.c.sheet_id.in_(bindparam("sheet_ids", expanding=True)), _COUNTS)
    .distinct()
)
# Later than any closing.
_END = datetime(9999, 12, 31, tzinfo=UTC)


class SqlMissedChargesReader:
    """Products of sheets, learned pairs, and answers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def on_sheet(self, sheet_id: int) -> SheetProducts | None:
        """Return the products on a sheet; None if it does not exist."""
        rows = self._connection.execute(_ON_SHEET, {"sheet_id": sheet_id}).all()
        if not rows:
            return None
        ids = tuple(row.product_id for row in rows if row.product_id is not None)
        return SheetProducts(sheet_id, rows[0].closed_at, ids, rows[0].area_id is not None)

    def pairs(self, because_ids: Collection[int]) -> list[NamedPair]:
        """Return the pairs of these first products.

        Inactive products are left out, and those that the stay includes.
        """
        if not because_ids:
            return []
        rows = self._connection.execute(_PAIRS, {"because_ids": list(because_ids)})
        return [_PAIR.read(row) for row in rows]

    def answers(self, sheet_id: int) -> dict[int, bool]:
        """Return by missing product whether it was used, as users answered."""
        return {row.product_id: row.used for row in self._connection.execute(_ANSWERS, {"sheet_id": sheet_id})}

    def closed_sheets(self, since: datetime, before: SheetProducts | None, *, most: int) -> list[SheetProducts]:
        """Return sheets that were closed since a moment, the latest first."""
        until = before.closed_at if before else None
        page = {
            "since": since,
            "before": until or _END,
            "before_id": before.sheet_id if before else 0,
            "most": most,
        }
        found = self._connection.execute(_CLOSED, page).all()
        if not found:
            return []
        products_of: dict[int, list[int]] = {row.id: [] for row in found}
        # Equal ids are one object: thousands of sheets have the same products.
        ids: dict[int, int] = {}
        for sheet_id, product_id in self._connection.execute(_OF_SHEETS, {"sheet_ids": list(products_of)}):
            products_of[sheet_id].append(ids.setdefault(product_id, product_id))
        return [SheetProducts(row.id, row.closed_at, tuple(products_of[row.id])) for row in found]
