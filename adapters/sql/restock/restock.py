"""Restock lists.

What is needed is computed by one statement, from the details of the area and the sums of its closed lists.
"""

from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Connection,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    text,
    type_coerce,
    union_all,
)

from adapters.sql.catalogue.tables import products
from adapters.sql.engine.columns import QUANTITY, Moment
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.restock.tables import (
    restock_areas,
    restock_lines,
    restock_lists,
    restock_settings,
    restock_taken,
    restock_ticks,
)
from adapters.sql.sheets.tables import NOT_VOIDED, details
from application.restock.ports import ClosedSummary, NamedSetting
from domain.common.money import ZERO_QUANTITY
from domain.restock.restock_list import ClosedLine, OpenLine, PutBack, RestockList, ShelfSetting

# The row of the area is locked until the unit of work ends.
_LOCK = text(
    "INSERT INTO restock_areas (area_id, number) VALUES (:area_id, 0)"
    " ON CONFLICT (area_id) DO UPDATE SET number = restock_areas.number RETURNING number"
)
_COUNT = (
    restock_areas.update().where(restock_areas.c.area_id == bindparam("of_area")).values(number=bindparam("number"))
)
_TICK = text(
    "INSERT INTO restock_ticks (area_id, product_id, quantity, user_id, at)"
    " VALUES (:area_id, :product_id, :quantity, :user_id, :at)"
    " ON CONFLICT (area_id, product_id) DO UPDATE SET quantity = excluded.quantity, user_id = excluded.user_id,"
    " at = excluded.at"
).bindparams(bindparam("quantity", type_=QUANTITY), bindparam("at", type_=Moment()))
_UNTICK = restock_ticks.delete().where(
    restock_ticks.c.area_id == bindparam("of_area"), restock_ticks.c.product_id == bindparam("of_product")
)
_TICKED = select(restock_ticks).where(
    restock_ticks.c.area_id == bindparam("of_area"), restock_ticks.c.product_id == bindparam("of_product")
)
_UNTICK_ALL = restock_ticks.delete().where(restock_ticks.c.area_id == bindparam("of_area"))
_TAKE = text(
    "INSERT INTO restock_taken (area_id, product_id, quantity) VALUES (:area_id, :product_id, :quantity)"
    " ON CONFLICT (area_id, product_id) DO UPDATE SET quantity = restock_taken.quantity + excluded.quantity"
).bindparams(bindparam("quantity", type_=QUANTITY))
_CLOSE = restock_lists.insert()
_ADD_LINES = restock_lines.insert()
_IS_SETTING = (
    restock_settings.c.area_id == bindparam("of_area"),
    restock_settings.c.product_id == bindparam("of_product"),
)
_SETTING = select(restock_settings).where(*_IS_SETTING)
_REMOVE_SETTING = restock_settings.delete().where(*_IS_SETTING)
_SAVE_SETTING = text(
    "INSERT INTO restock_settings (area_id, product_id, shelf, fixed_amount)"
    " VALUES (:area_id, :product_id, :shelf, :fixed_amount)"
    " ON CONFLICT (area_id, product_id) DO UPDATE SET shelf = excluded.shelf, fixed_amount = excluded.fixed_amount"
).bindparams(bindparam("fixed_amount", type_=QUANTITY))

_AREA: BindParameter[Any] = bindparam("area_id")
# Ticked lines are listed even if nothing is needed any more.
_parts = union_all(
    select(details.c.product_id, sum_exactly(details.c.quantity).label("quantity"))
    .where(details.c.area_id == _AREA, NOT_VOIDED)
    .group_by(details.c.product_id),
    select(restock_taken.c.product_id, -restock_taken.c.quantity).where(restock_taken.c.area_id == _AREA),
    select(restock_ticks.c.product_id, literal_column("0")).where(restock_ticks.c.area_id == _AREA),
).subquery("parts")
_needed = (
    select(
        _parts.c.product_id,
        sum_exactly(type_coerce(_parts.c.quantity, QUANTITY)).label("needed"),
    )
    .group_by(_parts.c.product_id)
    .subquery("needed")
)
_OF_PRODUCT: BindParameter[Any] = bindparam("of_product")
_parts_of_one = union_all(
    select(details.c.quantity).where(details.c.area_id == _AREA, details.c.product_id == _OF_PRODUCT, NOT_VOIDED),
    select(-restock_taken.c.quantity).where(
        restock_taken.c.area_id == _AREA, restock_taken.c.product_id == _OF_PRODUCT
    ),
).subquery("parts")
_NEEDED_OF_ONE = select(sum_exactly(type_coerce(_parts_of_one.c.quantity, QUANTITY)))
_OPEN = (
    select(
        products.c.id,
        products.c.code,
        products.c.name,
        products.c.unit,
        _needed.c.needed,
        restock_settings.c.shelf,
        restock_settings.c.fixed_amount,
        restock_ticks.c.quantity.label("ticked"),
        restock_ticks.c.user_id,
        restock_ticks.c.at,
    )
    .join_from(_needed, products, products.c.id == _needed.c.product_id)
    .outerjoin(
        restock_ticks, and_(restock_ticks.c.area_id == _AREA, restock_ticks.c.product_id == _needed.c.product_id)
    )
    .outerjoin(
        restock_settings,
        and_(restock_settings.c.area_id == _AREA, restock_settings.c.product_id == _needed.c.product_id),
    )
    .where(or_(_needed.c.needed != literal_column("0"), restock_ticks.c.quantity.is_not(None)))
)
_COUNT_LINES = (
    select(func.count()).where(restock_lines.c.list_id == restock_lists.c.id).scalar_subquery().label("lines")
)
_LIST = RowShape[RestockList](RestockList, restock_lists)
_LINE = RowShape[ClosedLine](ClosedLine, restock_lines)
_LAST = select(*_LIST.columns).where(restock_lists.c.area_id == _AREA).order_by(restock_lists.c.number.desc()).limit(1)
_CLOSED = (
    select(*_LIST.columns, _COUNT_LINES)
    .where(restock_lists.c.area_id == _AREA, restock_lists.c.number < bindparam("before", type_=BigInteger))
    .order_by(restock_lists.c.number.desc())
    .limit(bindparam("most"))
)
_ONE = select(*_LIST.columns).where(restock_lists.c.id == bindparam("id"))
_LINES = (
    select(*_LINE.columns).where(restock_lines.c.list_id == bindparam("list_id")).order_by(restock_lines.c.position)
)
_SETTING_OF_PRODUCT = RowShape[NamedSetting](
    NamedSetting, products, names={"setting": RowShape[ShelfSetting](ShelfSetting, restock_settings)}
)
_SETTINGS = (
    select(*_SETTING_OF_PRODUCT.columns)
    .join_from(restock_settings, products, products.c.id == restock_settings.c.product_id)
    .where(restock_settings.c.area_id == _AREA)
)
# Above any number of a list.
_END = 2**31 - 1


class SqlRestock:
    """Restock lists within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock(self, area_id: int) -> int:
        """Lock the open list of an area; return its number."""
        return int(self._connection.execute(_LOCK, {"area_id": area_id}).scalar_one()) + 1

    def put_back(self, ticked: PutBack) -> None:
        """Tick a product of the open list, instead of an earlier tick."""
        self._connection.execute(_TICK, asdict(ticked))

    def undo_put_back(self, area_id: int, product_id: int) -> None:
        """Remove the tick of a product."""
        self._connection.execute(_UNTICK, {"of_area": area_id, "of_product": product_id})

    def ticked(self, area_id: int, product_id: int) -> PutBack | None:
        """Return the tick of a product."""
        row = self._connection.execute(_TICKED, {"of_area": area_id, "of_product": product_id}).one_or_none()
        return None if row is None else PutBack(**row._mapping)

    def needed(self, area_id: int, product_id: int) -> Decimal:
        """Return how much of a product is needed."""
        needed = self._connection.execute(_NEEDED_OF_ONE, {"area_id": area_id, "of_product": product_id}).scalar_one()
        return needed or ZERO_QUANTITY

    def close(self, closed: RestockList, lines: Sequence[ClosedLine]) -> None:
        """Store a closed list and set its ``id``; remove the ticks of its area."""
        row = {name: value for name, value in asdict(closed).items() if name != "id"}
        closed.id = self._connection.execute(_CLOSE, row).inserted_primary_key[0]  # type: ignore[index]
        self._connection.execute(
            _ADD_LINES,
            [{"list_id": closed.id, "position": place, **asdict(line)} for place, line in enumerate(lines)],
        )
        taken = [
            {"area_id": closed.area_id, "product_id": line.product_id, "quantity": line.quantity}
            for line in sorted(lines, key=lambda line: line.product_id)
        ]
        self._connection.execute(_TAKE, taken)
        self._connection.execute(_UNTICK_ALL, {"of_area": closed.area_id})
        self._connection.execute(_COUNT, {"of_area": closed.area_id, "number": closed.number})

    def setting(self, area_id: int, product_id: int) -> ShelfSetting | None:
        """Return shelf and fixed amount; None if neither is set."""
        row = self._connection.execute(_SETTING, {"of_area": area_id, "of_product": product_id}).one_or_none()
        return None if row is None else ShelfSetting(**row._mapping)

    def save_setting(self, setting: ShelfSetting) -> None:
        """Store shelf and fixed amount, or remove the row if both are None."""
        if setting.shelf is None and setting.fixed_amount is None:
            self._connection.execute(_REMOVE_SETTING, {"of_area": setting.area_id, "of_product": setting.product_id})
        else:
            self._connection.execute(_SAVE_SETTING, asdict(setting))


class SqlRestockReader:
    """Open and closed restock lists."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def open_lines(self, area_id: int) -> list[OpenLine]:
        """Return the products of the open list, in no order."""
        return [_to_open_line(area_id, row) for row in self._connection.execute(_OPEN, {"area_id": area_id})]

    def last(self, area_id: int) -> RestockList | None:
        """Return the last closed list of an area."""
        row = self._connection.execute(_LAST, {"area_id": area_id}).one_or_none()
        return None if row is None else _LIST.read(row)

    def closed(self, area_id: int, *, before: int | None, most: int) -> list[ClosedSummary]:
        """Return closed lists of an area, the latest first."""
        asked = {"area_id": area_id, "before": before or _END, "most": most}
        return [ClosedSummary(_LIST.read(row), row.lines) for row in self._connection.execute(_CLOSED, asked)]

    def one(self, list_id: int) -> RestockList | None:
        """Return a closed list."""
        row = self._connection.execute(_ONE, {"id": list_id}).one_or_none()
        return None if row is None else _LIST.read(row)

    def lines(self, list_id: int) -> list[ClosedLine]:
        """Return the lines of a closed list, in shelf order."""
        rows = self._connection.execute(_LINES, {"list_id": list_id})
        return [_LINE.read(row) for row in rows]

    def settings(self, area_id: int) -> list[NamedSetting]:
        """Return the shelves and fixed amounts of an area, in no order."""
        return [_SETTING_OF_PRODUCT.read(row) for row in self._connection.execute(_SETTINGS, {"area_id": area_id})]


# By hand: it is computed for the area that is asked for, and is no record.
def _to_open_line(area_id: int, row: Any) -> OpenLine:
    ticked = None
    if row.ticked is not None:
        ticked = PutBack(area_id=area_id, product_id=row.id, quantity=row.ticked, user_id=row.user_id, at=row.at)
    return OpenLine(
        product_id=row.id,
        code=row.code,
        name=row.name,
        unit=row.unit,
        needed=row.needed or ZERO_QUANTITY,
        shelf=row.shelf,
        fixed_amount=row.fixed_amount,
        put_back=ticked,
    )
