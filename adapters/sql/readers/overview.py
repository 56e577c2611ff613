"""Overview of a user's work, with indexes for its latest and oldest items."""

from collections.abc import Collection
from datetime import date, tzinfo
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    union_all,
)

from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.readers.usual_quantity import usual_quantity_of
from adapters.sql.repositories.late_entries import read_late_sheets
from adapters.sql.repositories.recalled_uses import read_recalled_uses
from adapters.sql.repositories.unlisted_items import read_unlisted_sheets
from adapters.sql.tables import (
    IS_OPENING,
    IS_TO_BE_CLOSED,
    IS_WITHOUT_PRICE,
    IS_ZERO,
    MONEY,
    NOT_VOIDED,
    QUANTITY,
    audit,
    details,
    patients,
    products,
    rooms,
    sheets,
)
from application.ports.readers.reports import (
    LATEST_OF_TODAY,
    OLDEST_OPEN,
    OPENED_BY_PERSON,
    RECORDED_BY_PERSON,
    DetailOfToday,
    LongOpenSheet,
)
from application.views.catalogue import ProductNameView
from application.views.people import PersonView
from application.views.reports import RecalledUseView, SheetAtWorkView, TodayView
from application.views.sheets import DischargeView, LateSheetView, SheetRoomView, UnlistedSheetView
from domain.anomalies import FAR_OUT_WITHOUT_USUAL, OUTLIER_FACTOR, days_since
from domain.day import start_of
from domain.money import ZERO

_OPEN = sheets.c.closed_at.is_(None)

_TODAY = (
    select(
        func.count().label("details"),
        func.count(sheets.c.patient_id.distinct()).label("patients"),
        sum_exactly(details.c.total).label("total"),
    )
    .join_from(details, sheets)
    .where(details.c.day == bindparam("day"), NOT_VOIDED)
)
_OPEN_SHEETS = select(func.count()).select_from(sheets).where(_OPEN)

_RECORDED = (
    select(details.c.sheet_id, details.c.created_at.label("at"))
    .where(details.c.user_id == bindparam("user_id"), NOT_VOIDED)
    .order_by(details.c.id.desc())
    .limit(RECORDED_BY_PERSON)
    .subquery()
)
_OPENED = (
    select(audit.c.entity_id.label("sheet_id"), audit.c.at)
    .where(audit.c.user_id == bindparam("user_id"), IS_OPENING)
    .order_by(audit.c.id.desc())
    .limit(OPENED_BY_PERSON)
    .subquery()
)
_EITHER = union_all(select(_RECORDED), select(_OPENED)).subquery()
_WORKED_ON = (
    select(sheets.c.id)
    .join_from(_EITHER, sheets, sheets.c.id == _EITHER.c.sheet_id)
    .where(_OPEN)
    .group_by(sheets.c.id)
    .order_by(func.max(_EITHER.c.at).desc(), sheets.c.id.desc())
    .limit(bindparam("most"))
)

LAST_RECORDED_AT = (
    select(details.c.created_at)
    .where(details.c.sheet_id == sheets.c.id, NOT_VOIDED)
    .order_by(details.c.created_at.desc())
    .limit(1)
    .scalar_subquery()
    .label("last_recorded_at")
)
_OLDEST_OPEN = (
    select(sheets.c.id, sheets.c.admission_date, LAST_RECORDED_AT)
    .where(_OPEN, sheets.c.admission_date <= bindparam("admitted_by"))
    .order_by(sheets.c.admission_date, sheets.c.id)
    .limit(OLDEST_OPEN)
)

_SHEETS = (
    select(
        sheets.c.id,
        sheets.c.admission_date,
        sheets.c.patient_id,
        patients.c.name.label("patient_name"),
        patients.c.first_surname,
        patients.c.second_surname,
        sheets.c.room_id,
        rooms.c.name.label("room_name"),
        rooms.c.area_id,
        select(func.count()).where(details.c.sheet_id == sheets.c.id, NOT_VOIDED).scalar_subquery().label("details"),
        LAST_RECORDED_AT,
    )
    .join_from(sheets, patients)
    .join(rooms)
    .where(_OPEN, sheets.c.id.in_(bindparam("ids", expanding=True)))
)

# Nothing is used after its recording, so lines used on a day were recorded after the beginning of that day.
_OF_THE_DAY = and_(
    NOT_VOIDED,
    details.c.day == bindparam("day"),
    details.c.created_at >= bindparam("begins", type_=details.c.created_at.type),
)
_NEWEST_FIRST = (details.c.created_at.desc(), details.c.id.desc())
_OF_PRODUCT = (products.c.id.label("product_id"), products.c.name, products.c.unit)


def _on_open_sheets(source: Any, *columns: Any) -> Select[Any]:
    return (
        select(source.c.id, source.c.sheet_id, source.c.quantity, *_OF_PRODUCT, *columns)
        .join_from(source, sheets, sheets.c.id == source.c.sheet_id)
        .join(products, products.c.id == source.c.product_id)
        .where(_OPEN)
    )


_DISCHARGES = (
    select(
        sheets.c.id.label("sheet_id"), sheets.c.discharge_proposed_at, rooms.c.name.label("room"),
        patients.c.id, patients.c.name, patients.c.first_surname, patients.c.second_surname,
    )
    .join_from(sheets, patients)
    .join(rooms)
    .where(IS_TO_BE_CLOSED)
    .order_by(sheets.c.discharge_proposed_at, sheets.c.id)
    .limit(bindparam("most"))
)  # fmt: skip

_ZERO = _on_open_sheets(details).where(IS_ZERO, _OF_THE_DAY).order_by(*_NEWEST_FIRST).limit(bindparam("most"))

_LATEST = select(details).where(_OF_THE_DAY).order_by(*_NEWEST_FIRST).limit(LATEST_OF_TODAY).subquery("latest")
_JUDGED = select(_LATEST, usual_quantity_of(_LATEST.c.product_id, _LATEST).label("usual")).subquery("judged")
_HAS_USUAL = func.coalesce(_JUDGED.c.usual, literal_column("0")) > literal_column("0")
_FAR_OUT = (
    _on_open_sheets(_JUDGED, _JUDGED.c.usual)
    # As in ``domain.anomalies.far_out``. The factor is no quantity: it must not be scaled as one.
    .where(
        or_(
            and_(_HAS_USUAL, _JUDGED.c.quantity > _JUDGED.c.usual * literal_column(str(OUTLIER_FACTOR))),
            and_(
                not_(_HAS_USUAL),
                or_(
                    _JUDGED.c.quantity > literal(Decimal(FAR_OUT_WITHOUT_USUAL), QUANTITY),
                    # Nothing is greater than an unknown limit (null).
                    _JUDGED.c.total > bindparam("ask_above_total", type_=MONEY),
                ),
            ),
        )
    )
    .order_by(_JUDGED.c.created_at.desc(), _JUDGED.c.id.desc())
    .limit(bindparam("most"))
)

_WITHOUT_PRICE = (
    select(products.c.id, products.c.name, products.c.unit)
    .where(IS_WITHOUT_PRICE, products.c.active)
    .order_by(products.c.name_folded, products.c.id)
    .limit(bindparam("most"))
)


class SqlOverview:
    """Read model of the overview."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self._connection = connection
        self._zone = zone

    def today(self, day: date) -> TodayView:
        """Return what was recorded on a day."""
        row = self._connection.execute(_TODAY, {"day": day}).one()
        return TodayView(details=row.details, patients=row.patients, total=row.total or ZERO)

    def open_sheets(self) -> int:
        """Return the number of open sheets."""
        return int(self._connection.execute(_OPEN_SHEETS).scalar_one())

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """Return ids of open sheets that a user worked on, latest first.

        Work is to open the sheet or to record on it.
        """
        return list(self._connection.execute(_WORKED_ON, {"user_id": user_id, "most": most}).scalars())

    def oldest_open(self, admitted_by: date) -> list[LongOpenSheet]:
        """Return open sheets with the oldest admissions, oldest first."""
        found = self._connection.execute(_OLDEST_OPEN, {"admitted_by": admitted_by})
        return [LongOpenSheet(row.id, row.admission_date, row.last_recorded_at) for row in found]

    def zero_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """Return the day's lines with quantity zero, latest first."""
        params = self._day_params(day) | {"most": most}
        return [_detail(row, usual=None) for row in self._connection.execute(_ZERO, params)]

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[DetailOfToday]:
        """Return outliers among the day's last lines, latest first."""
        params = self._day_params(day) | {"most": most, "ask_above_total": ask_above_total}
        return [_detail(row, usual=row.usual or None) for row in self._connection.execute(_FAR_OUT, params)]

    def without_price(self, *, most: int) -> list[ProductNameView]:
        """Return active products without a price, by name."""
        found = self._connection.execute(_WITHOUT_PRICE, {"most": most})
        return [ProductNameView(id=row.id, name=row.name, unit=row.unit) for row in found]

    def discharges(self, *, most: int) -> list[DischargeView]:
        """Return sheets with a proposed discharge, longest waiting first."""
        return [
            DischargeView(
                consumption_sheet_id=row.sheet_id,
                patient=PersonView(
                    id=row.id, name=row.name, first_surname=row.first_surname, second_surname=row.second_surname
                ),
                room=row.room,
                at=row.discharge_proposed_at,
            )
            for row in self._connection.execute(_DISCHARGES, {"most": most})
        ]

    def late(self, *, most: int) -> list[LateSheetView]:
        """Return sheets with undecided late entries, longest waiting first."""
        return read_late_sheets(self._connection, most=most)

    def unlisted(self, *, most: int) -> tuple[list[UnlistedSheetView], int]:
        """Return sheets with open unlisted items, and their number.

        Those that have waited longest come first.
        """
        return read_unlisted_sheets(self._connection, most=most)

    def recalled(self, *, most: int) -> tuple[list[RecalledUseView], int]:
        """Return unacknowledged uses of recalled products, and their number.

        The latest come first.
        """
        return read_recalled_uses(self._connection, most=most)

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return open sheets by id."""
        return {
            row.id: SheetAtWorkView(
                id=row.id,
                patient=PersonView(
                    id=row.patient_id,
                    name=row.patient_name,
                    first_surname=row.first_surname,
                    second_surname=row.second_surname,
                ),
                room=SheetRoomView(id=row.room_id, name=row.room_name, area_id=row.area_id),
                admission_date=row.admission_date,
                days_open=days_since(row.admission_date, today),
                details=row.details,
                last_recorded_at=row.last_recorded_at,
            )
            for row in self._connection.execute(_SHEETS, {"ids": list(ids)})
        }

    def _day_params(self, day: date) -> dict[str, Any]:
        return {"day": day, "begins": start_of(day, self._zone)}


def _detail(row: Row[Any], *, usual: Any) -> DetailOfToday:
    product = ProductNameView(id=row.product_id, name=row.name, unit=row.unit)
    return DetailOfToday(row.id, row.sheet_id, product, row.quantity, usual)
