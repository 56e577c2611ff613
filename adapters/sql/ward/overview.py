"""Overview of a user's work, with indexes for its latest items."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import Connection, bindparam, func, select, union_all

from adapters.sql.audit.tables import IS_OPENING, audit
from adapters.sql.catalogue.tables import rooms
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.people.patients import PATIENT_NAME
from adapters.sql.people.tables import patients
from adapters.sql.sheets.last_recorded import LAST_RECORDED_AT
from adapters.sql.sheets.sheets import SHEET_ROOM
from adapters.sql.sheets.tables import IS_FOR_PATIENT, IS_OPEN, NOT_VOIDED, details, sheets
from application.ward.overview_ports import OPENED_BY_PERSON, RECORDED_BY_PERSON
from application.ward.overview_views import SheetAtWorkView, TodayView
from domain.common.money import ZERO
from domain.sheets.anomalies import days_since

_TODAY = (
    select(
        func.count().label("details"),
        func.count(sheets.c.patient_id.distinct()).label("patients"),
        sum_exactly(details.c.total).label("total"),
    )
    .join_from(details, sheets)
    .where(details.c.day == bindparam("day"), NOT_VOIDED, IS_FOR_PATIENT)
)
_OPEN_SHEETS = select(func.count()).select_from(sheets).where(IS_OPEN)

_RECORDED = (
    select(details.c.sheet_id, details.c.created_at.label("at"))
    .where(details.c.user_id == bindparam("user_id"), NOT_VOIDED, IS_FOR_PATIENT)
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
    .where(IS_OPEN)
    .group_by(sheets.c.id)
    .order_by(func.max(_EITHER.c.at).desc(), sheets.c.id.desc())
    .limit(bindparam("most"))
)

_SHEET = RowShape[SheetAtWorkView](
    SheetAtWorkView,
    sheets,
    names={
        "patient": PATIENT_NAME,
        "room": SHEET_ROOM,
        "details": sheets.c.lines,
        "last_recorded_at": LAST_RECORDED_AT,
        # Set below: it depends on the day.
        "days_open": Computed(int),
    },
)
_SHEETS = (
    select(*_SHEET.columns)
    .join_from(sheets, patients)
    .join(rooms)
    .where(IS_OPEN, sheets.c.id.in_(bindparam("ids", expanding=True)))
)


class SqlOverview:
    """Read model of the overview."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

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

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return open sheets by id."""
        found = [_SHEET.read(row) for row in self._connection.execute(_SHEETS, {"ids": list(ids)})]
        for sheet in found:
            sheet["days_open"] = days_since(sheet["admission_date"], today)
        return {sheet["id"]: sheet for sheet in found}
