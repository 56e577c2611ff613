"""The sheets of areas."""

from collections.abc import Mapping

from sqlalchemy import BigInteger, Connection, bindparam, func, literal_column, or_, select, type_coerce

from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.tables import areas
from adapters.sql.engine.columns import MONEY
from adapters.sql.engine.row_shape import Cell, Computed, RowShape
from adapters.sql.sheets.late_entries import UNDECIDED_OF_SHEET
from adapters.sql.sheets.tables import NOT_VOIDED, USED_AT, details, sheets
from adapters.sql.sheets.unlisted_items import OPEN_OF_SHEET
from application.sheets.area_sheets import month_text
from application.sheets.area_views import AreaDayView, AreaPageView, AreaSheetView
from domain.common.money import ZERO

_MONTH: Mapping[str, Cell] = {"area": AREA_NAME, "month": Computed(month_text, sheets.c.admission_date)}
_PAGE = RowShape[AreaPageView](AreaPageView, sheets, names=_MONTH)
_SHEET = RowShape[AreaSheetView](
    AreaSheetView,
    sheets,
    names={
        **_MONTH,
        "late_entries": UNDECIDED_OF_SHEET,
        "unlisted_items": OPEN_OF_SHEET,
        # Read by another statement.
        "consumptions": Computed(list),
    },
    omitted={"value"},
)
_VERSION = select(sheets.c.version).join(areas).where(sheets.c.id == bindparam("id"))
_ONE = select(*_SHEET.columns).join_from(sheets, areas).where(sheets.c.id == bindparam("id"))
_BEFORE = bindparam("before", type_=BigInteger)
_OF_AREA = (
    select(*_PAGE.columns)
    .join_from(sheets, areas)
    .where(sheets.c.area_id == bindparam("area_id"), or_(_BEFORE.is_(None), sheets.c.id < _BEFORE))
    .order_by(sheets.c.id.desc())
    .limit(bindparam("most"))
)
# Price times quantity in whole cents and thousandths, rounded half up as in domain.common.money.
_PRICE, _QUANTITY = (type_coerce(column, BigInteger) for column in (details.c.unit_price, details.c.quantity))
VALUE = (_PRICE * _QUANTITY + literal_column("500")) // literal_column("1000")
_DAY = RowShape[AreaDayView](
    AreaDayView,
    names={
        "created_at": func.min(USED_AT).label("created_at"),
        "details": func.count().label("details"),
        "last_recorded_at": func.max(details.c.created_at).label("last_recorded_at"),
        "value": func.sum(VALUE).cast(MONEY).label("value"),
    },
)
_DAYS = (
    select(*_DAY.columns)
    .where(details.c.sheet_id == bindparam("id"), NOT_VOIDED)
    .group_by(details.c.day)
    .order_by(details.c.day)
)


class SqlAreaSheets:
    """Read model of the pages of areas."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def version(self, sheet_id: int) -> int | None:
        """Return the version of a page."""
        version: int | None = self._connection.execute(_VERSION, {"id": sheet_id}).scalar()
        return version

    def one(self, sheet_id: int) -> AreaSheetView | None:
        """Return a page with its days and their value."""
        row = self._connection.execute(_ONE, {"id": sheet_id}).one_or_none()
        if row is None:
            return None
        view = _SHEET.read(row)
        view["consumptions"] = [_DAY.read(day) for day in self._connection.execute(_DAYS, {"id": sheet_id})]
        view["value"] = sum((day["value"] for day in view["consumptions"]), ZERO)
        return view

    def of_area(self, area_id: int, *, before: int | None, most: int) -> list[AreaPageView]:
        """Return the pages of an area before an id, the latest first."""
        rows = self._connection.execute(_OF_AREA, {"area_id": area_id, "before": before, "most": most})
        return [_PAGE.read(row) for row in rows]
