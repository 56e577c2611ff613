"""A user's own shift, and what others changed on the user's lines."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, exists, func, not_, or_, select

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.products import PRODUCT_NAME
from adapters.sql.catalogue.tables import products
from adapters.sql.engine.columns import Moment
from adapters.sql.engine.row_shape import Computed, RowShape, or_none
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.people.patients import PATIENT_OF_SHEET
from adapters.sql.people.staff import USER_NAME
from adapters.sql.people.tables import staff
from adapters.sql.sheets.sheet_names import SHEET_NAME, SheetName
from adapters.sql.sheets.tables import (
    IS_OPEN_UNLISTED,
    IS_UNSEEN_NOTICE,
    NOT_VOIDED,
    USED_AT,
    details,
    notices,
    sheets,
    unlisted_items,
)
from application.sheets.notice_views import NoticeSheetView, NoticeView
from application.ward.shift_ports import LINES_OF_USER
from application.ward.shift_views import ShiftSheetView, ShiftUnlistedItemView
from domain.sheets.notice import NoticeKind

_LATEST = (
    select(
        details.c.id,
        details.c.sheet_id,
        details.c.quantity,
        details.c.created_at,
        details.c.corrected_from,
        USED_AT.label("used_at"),
    )
    .where(details.c.user_id == bindparam("user_id"), NOT_VOIDED)
    .order_by(details.c.id.desc())
    .limit(LINES_OF_USER)
    .subquery("latest")
)
_CORRECTED_BY_OTHERS = exists().where(
    notices.c.detail_id == _LATEST.c.id, notices.c.kind == str(NoticeKind.QUANTITY_CORRECTED)
)
_SUMS = (
    select(
        _LATEST.c.sheet_id,
        func.count().label("lines"),
        sum_exactly(_LATEST.c.quantity).label("units"),
        func.max(_LATEST.c.created_at, type_=Moment()).label("last"),
    )
    .where(
        _LATEST.c.created_at >= bindparam("since", type_=Moment()),
        or_(
            _LATEST.c.created_at < bindparam("until", type_=Moment()),
            and_(
                _LATEST.c.corrected_from.is_not(None),
                _LATEST.c.used_at < bindparam("until", type_=Moment()),
                _CORRECTED_BY_OTHERS,
            ),
        ),
        or_(
            _LATEST.c.corrected_from.is_(None),
            _LATEST.c.used_at >= bindparam("since", type_=Moment()),
            not_(_CORRECTED_BY_OTHERS),
        ),
    )
    .group_by(_LATEST.c.sheet_id)
    .subquery("recorded")
)
_RECORDED_ON = SheetName(patient=PATIENT_OF_SHEET)
_SHEET = RowShape[ShiftSheetView](
    ShiftSheetView,
    _SUMS,
    names={
        **_RECORDED_ON.cells,
        "id": sheets.c.id,
        "last_recorded_at": _SUMS.c.last,
    },
)
_RECORDED = select(*_SHEET.columns).select_from(_RECORDED_ON.join_to(_SUMS, _SUMS.c.sheet_id))


def _sheet_of(name: SheetName) -> RowShape[NoticeSheetView]:
    return RowShape[NoticeSheetView](NoticeSheetView, name.sheets, names=name.cells)


_UNLISTED_ITEM = RowShape[ShiftUnlistedItemView](
    ShiftUnlistedItemView, unlisted_items, names={"sheet": _sheet_of(SHEET_NAME)}
)
_UNLISTED = (
    select(*_UNLISTED_ITEM.columns)
    .select_from(SHEET_NAME.join_to(unlisted_items, unlisted_items.c.sheet_id))
    .where(IS_OPEN_UNLISTED, unlisted_items.c.user_id == bindparam("user_id"))
    .order_by(unlisted_items.c.id.desc())
    .limit(bindparam("most"))
)

_MOVED_FROM = SheetName("from_")
_new_products = products.alias("new_products")
_NOTICE = RowShape[NoticeView](
    NoticeView,
    notices,
    names={
        "kind": Computed(NoticeKind, notices.c.kind),
        "by": USER_NAME,
        "sheet": _sheet_of(SHEET_NAME),
        "moved_from": or_none(_sheet_of(_MOVED_FROM)),
        "product": or_none(PRODUCT_NAME),
        "new_product": or_none(PRODUCT_NAME.of(_new_products)),
    },
)
_NOTICES: Select[Any] = (
    select(*_NOTICE.columns)
    .select_from(
        _MOVED_FROM.join_to(SHEET_NAME.join_to(notices, notices.c.sheet_id), notices.c.from_sheet_id, isouter=True)
    )
    .join(users, users.c.id == notices.c.actor_id)
    .outerjoin(staff, staff.c.id == users.c.staff_id)
    .outerjoin(products, products.c.id == notices.c.product_id)
    .outerjoin(_new_products, _new_products.c.id == notices.c.new_product_id)
    .where(notices.c.user_id == bindparam("user_id"))
    .order_by(notices.c.id.desc())
    .limit(bindparam("most"))
)
_UNSEEN_NOTICES = _NOTICES.where(IS_UNSEEN_NOTICE)
_NOTICES_BETWEEN = _NOTICES.where(notices.c.at >= bindparam("since"), notices.c.at < bindparam("until"))


class SqlShift:
    """Read model of a user's shift."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def recorded(self, user_id: int, since: datetime, until: datetime) -> list[ShiftSheetView]:
        """Return the sheets on which the user recorded lines in a period."""
        rows = self._connection.execute(_RECORDED, {"user_id": user_id, "since": since, "until": until})
        return [_SHEET.read(row) for row in rows]

    def unlisted_items(self, user_id: int, *, most: int) -> list[ShiftUnlistedItemView]:
        """Return the open unlisted items that the user noted, latest first."""
        rows = self._connection.execute(_UNLISTED, {"user_id": user_id, "most": most})
        return [_UNLISTED_ITEM.read(row) for row in rows]

    def unseen_notices(self, user_id: int, *, most: int) -> list[NoticeView]:
        """Return the user's unseen notices, latest first."""
        return [
            _NOTICE.read(row) for row in self._connection.execute(_UNSEEN_NOTICES, {"user_id": user_id, "most": most})
        ]

    def notices_between(self, user_id: int, since: datetime, until: datetime, *, most: int) -> list[NoticeView]:
        """Return the user's notices of a period, latest first."""
        params = {"user_id": user_id, "since": since, "until": until, "most": most}
        return [_NOTICE.read(row) for row in self._connection.execute(_NOTICES_BETWEEN, params)]
