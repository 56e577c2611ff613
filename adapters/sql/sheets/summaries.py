"""Summaries of sheets, aggregated in the database."""

from datetime import date
from decimal import Decimal

from sqlalchemy import Boolean, Connection, Date, and_, bindparam, func, or_, select

from adapters.sql.catalogue.products import PRODUCT_VIEW
from adapters.sql.catalogue.tables import categories, products
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.sheets.tables import IS_OF_PATIENT, IS_UNTRACED, NOT_VOIDED, details, sheets
from adapters.sql.sheets.usual_quantity import is_far_out, usual_quantity_of
from application.sheets.detail_views import RepeatableLineView
from application.sheets.ports import IncompleteLine, SheetTotals
from application.sheets.summary_views import IncompleteImplantView, SummaryLineView
from domain.catalogue.product import Category
from domain.common.money import ZERO
from domain.sheets.summary import DayCategorySubtotal, Subtotal

# Version and sums are read by one statement, so they are consistent.
_OF_SHEET = (sheets.c.version, sheets.c.admission_date, sheets.c.closed_at)
_SUBTOTALS = (
    select(
        *_OF_SHEET,
        details.c.day,
        categories.c.id,
        categories.c.code,
        categories.c.name,
        func.count(details.c.id).label("lines"),
        func.sum(details.c.total).label("total"),
    )
    .outerjoin_from(sheets, details, and_(details.c.sheet_id == sheets.c.id, NOT_VOIDED))
    .outerjoin(products, products.c.id == details.c.product_id)
    .outerjoin(categories, categories.c.id == products.c.category_id)
    .where(sheets.c.id == bindparam("sheet_id"), IS_OF_PATIENT)
    .group_by(*_OF_SHEET, details.c.day, categories.c.id, categories.c.code, categories.c.name)
)
_PRODUCT = {"product_name": products.c.name, "product_code": products.c.code}
# The line and the implant begin with the same columns.
_INCOMPLETE_LINE = RowShape[SummaryLineView](SummaryLineView, details, names=_PRODUCT)
_IMPLANT = RowShape[IncompleteImplantView](IncompleteImplantView, details, names=_PRODUCT)
_INCOMPLETE = (
    select(*_IMPLANT.columns, details.c.unit_price, details.c.total, IS_UNTRACED.label("untraced"))
    .join_from(details, products)
    .where(
        details.c.sheet_id == bindparam("sheet_id"),
        NOT_VOIDED,
        or_(details.c.quantity == ZERO, and_(details.c.unit_price == ZERO, details.c.total == ZERO), IS_UNTRACED),
    )
    .order_by(details.c.created_at, details.c.id)
)


_ON_SHEET = select(details).where(details.c.sheet_id == bindparam("sheet_id"), NOT_VOIDED).subquery("on_sheet")
# Once for each product: a sheet may have thousands of lines.
_PRODUCTS = select(_ON_SHEET.c.product_id).distinct().subquery("used")
_USUAL = select(_PRODUCTS, usual_quantity_of(_PRODUCTS.c.product_id, _PRODUCTS).label("usual")).subquery("usual")
_FAR_OUT_LINE = RowShape[SummaryLineView](SummaryLineView, _ON_SHEET, names=_PRODUCT)
_FAR_OUT = (
    select(*_FAR_OUT_LINE.columns)
    .join_from(_ON_SHEET, products, products.c.id == _ON_SHEET.c.product_id)
    .join(_USUAL, _USUAL.c.product_id == _ON_SHEET.c.product_id)
    .where(is_far_out(_ON_SHEET.c.quantity, _ON_SHEET.c.total, _USUAL.c.usual))
    .order_by(_ON_SHEET.c.created_at, _ON_SHEET.c.id)
)

_IS_USED = and_(details.c.sheet_id == bindparam("sheet_id"), NOT_VOIDED, details.c.quantity > ZERO)
_DAYS_OF_USE = select(details.c.day).where(_IS_USED).group_by(details.c.day).order_by(details.c.day)
_USED = (
    select(
        details.c.product_id,
        func.sum(details.c.quantity).label("quantity"),
        func.count().label("times"),
        func.min(details.c.id).label("first"),
    )
    .where(_IS_USED, or_(bindparam("any_day", type_=Boolean()), details.c.day == bindparam("day", type_=Date())))
    .group_by(details.c.product_id)
    .subquery()
)
_REPEATABLE = RowShape[RepeatableLineView](RepeatableLineView, _USED, names={"product": PRODUCT_VIEW})
_USED_PRODUCTS = (
    select(*_REPEATABLE.columns)
    .join_from(products, categories)
    .join(_USED, _USED.c.product_id == products.c.id)
    .where(products.c.active)
    .order_by(_USED.c.first)
)


class SqlSummaries:
    """Read model of summaries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def totals(self, sheet_id: int) -> SheetTotals | None:
        """Return the sheet's totals; None if it does not exist."""
        rows = self._connection.execute(_SUBTOTALS, {"sheet_id": sheet_id}).all()
        if not rows:
            return None
        portions = [
            DayCategorySubtotal(
                row.day, Category(id=row.id, code=row.code, name=row.name), Subtotal(row.lines, row.total)
            )
            for row in rows
            if row.day is not None  # a sheet without details is one row of nulls
        ]
        return SheetTotals(rows[0].version, rows[0].admission_date, rows[0].closed_at, portions)

    def incomplete_lines(self, sheet_id: int) -> list[IncompleteLine]:
        """Return incomplete lines, oldest first."""
        return [
            IncompleteLine(
                _INCOMPLETE_LINE.read(row),
                without_quantity=row.quantity == ZERO,
                without_price=row.unit_price == row.total == ZERO,
                implant=_IMPLANT.read(row) if row.untraced else None,
            )
            for row in self._connection.execute(_INCOMPLETE, {"sheet_id": sheet_id})
        ]

    def far_out_lines(self, sheet_id: int, ask_above_total: Decimal | None) -> list[SummaryLineView]:
        """Return the lines that are far out, oldest first."""
        params = {"sheet_id": sheet_id, "ask_above_total": ask_above_total}
        return [_FAR_OUT_LINE.read(row) for row in self._connection.execute(_FAR_OUT, params)]

    def days(self, sheet_id: int) -> list[date]:
        """Return the days of use, oldest first."""
        return list(self._connection.execute(_DAYS_OF_USE, {"sheet_id": sheet_id}).scalars())

    def products(self, sheet_id: int, day: date | None) -> list[RepeatableLineView]:
        """Return used quantities of active products, in order of first use.

        Without a day, of all days.
        """
        params = {"sheet_id": sheet_id, "any_day": day is None, "day": day}
        rows = self._connection.execute(_USED_PRODUCTS, params)
        return [
            RepeatableLineView(product=PRODUCT_VIEW.read(row), quantity=row.quantity, times=row.times) for row in rows
        ]
