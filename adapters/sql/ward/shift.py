"""A user's own shift, and what others changed on the user's lines."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, exists, func, not_, or_, select

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.tables import products, rooms
from adapters.sql.engine.columns import Moment
from adapters.sql.engine.sum_exactly import sum_exactly
from adapters.sql.people.patients import PATIENT_OF_SHEET, to_patient_of_sheet
from adapters.sql.people.tables import patients, staff
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
from application.catalogue.views import ProductNameView
from application.people.views import PersonView
from application.sheets.notice_views import NoticeSheetView, NoticeView
from application.ward.shift_ports import LINES_OF_USER
from application.ward.shift_views import ShiftSheetView, ShiftUnlistedItemView
from domain.common.text import full_name
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
_RECORDED = (
    select(
        sheets.c.id.label("sheet_id"),
        sheets.c.closed_at,
        rooms.c.name.label("room"),
        _SUMS.c.lines,
        _SUMS.c.units,
        _SUMS.c.last,
        *PATIENT_OF_SHEET,
    )
    .join_from(_SUMS, sheets, sheets.c.id == _SUMS.c.sheet_id)
    .join(patients, patients.c.id == sheets.c.patient_id)
    .join(rooms, rooms.c.id == sheets.c.room_id)
)

_PATIENT = (patients.c.id, patients.c.name, patients.c.first_surname, patients.c.second_surname)

_UNLISTED = (
    select(
        unlisted_items.c.id.label("item_id"),
        unlisted_items.c.description,
        unlisted_items.c.quantity,
        unlisted_items.c.created_at,
        sheets.c.id.label("sheet_id"),
        sheets.c.closed_at,
        rooms.c.name.label("room"),
        *_PATIENT,
    )
    .join_from(unlisted_items, sheets, sheets.c.id == unlisted_items.c.sheet_id)
    .join(patients, patients.c.id == sheets.c.patient_id)
    .join(rooms, rooms.c.id == sheets.c.room_id)
    .where(IS_OPEN_UNLISTED, unlisted_items.c.user_id == bindparam("user_id"))
    .order_by(unlisted_items.c.id.desc())
    .limit(bindparam("most"))
)

_from_sheets = sheets.alias("from_sheets")
_from_patients = patients.alias("from_patients")
_from_rooms = rooms.alias("from_rooms")
_new_products = products.alias("new_products")
_NOTICES: Select[Any] = (
    select(
        notices,
        sheets.c.closed_at,
        rooms.c.name.label("room"),
        patients.c.id.label("patient_id"),
        patients.c.name.label("patient_name"),
        patients.c.first_surname,
        patients.c.second_surname,
        _from_sheets.c.id.label("source_id"),
        _from_sheets.c.closed_at.label("from_closed_at"),
        _from_rooms.c.name.label("from_room"),
        _from_patients.c.id.label("from_patient_id"),
        _from_patients.c.name.label("from_patient_name"),
        _from_patients.c.first_surname.label("from_first_surname"),
        _from_patients.c.second_surname.label("from_second_surname"),
        products.c.name.label("product_name"),
        products.c.code.label("product_code"),
        products.c.unit,
        _new_products.c.name.label("new_product_name"),
        _new_products.c.code.label("new_product_code"),
        _new_products.c.unit.label("new_unit"),
        users.c.email,
        staff.c.name.label("by_name"),
        staff.c.first_surname.label("by_first"),
        staff.c.second_surname.label("by_second"),
    )
    .join_from(notices, sheets, sheets.c.id == notices.c.sheet_id)
    .join(patients, patients.c.id == sheets.c.patient_id)
    .join(rooms, rooms.c.id == sheets.c.room_id)
    .join(users, users.c.id == notices.c.actor_id)
    .outerjoin(staff, staff.c.id == users.c.staff_id)
    .outerjoin(_from_sheets, _from_sheets.c.id == notices.c.from_sheet_id)
    .outerjoin(_from_patients, _from_patients.c.id == _from_sheets.c.patient_id)
    .outerjoin(_from_rooms, _from_rooms.c.id == _from_sheets.c.room_id)
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
        return [
            ShiftSheetView(
                id=sheet_id,
                closed=closed_at is not None,
                patient=to_patient_of_sheet(patient),
                room=room,
                lines=lines,
                units=units,
                last_recorded_at=last,
            )
            for sheet_id, closed_at, room, lines, units, last, *patient in rows
        ]

    def unlisted_items(self, user_id: int, *, most: int) -> list[ShiftUnlistedItemView]:
        """Return the open unlisted items that the user noted, latest first."""
        return [
            ShiftUnlistedItemView(
                id=row.item_id,
                sheet=NoticeSheetView(
                    id=row.sheet_id,
                    closed=row.closed_at is not None,
                    patient=PersonView(
                        id=row.id, name=row.name, first_surname=row.first_surname, second_surname=row.second_surname
                    ),
                    room=row.room,
                ),
                description=row.description,
                quantity=row.quantity,
                created_at=row.created_at,
            )
            for row in self._connection.execute(_UNLISTED, {"user_id": user_id, "most": most})
        ]

    def unseen_notices(self, user_id: int, *, most: int) -> list[NoticeView]:
        """Return the user's unseen notices, latest first."""
        return [_notice(row) for row in self._connection.execute(_UNSEEN_NOTICES, {"user_id": user_id, "most": most})]

    def notices_between(self, user_id: int, since: datetime, until: datetime, *, most: int) -> list[NoticeView]:
        """Return the user's notices of a period, latest first."""
        params = {"user_id": user_id, "since": since, "until": until, "most": most}
        return [_notice(row) for row in self._connection.execute(_NOTICES_BETWEEN, params)]


def _notice(row: Any) -> NoticeView:
    source = None
    if row.source_id is not None:
        source = NoticeSheetView(
            id=row.source_id,
            closed=row.from_closed_at is not None,
            patient=PersonView(
                id=row.from_patient_id,
                name=row.from_patient_name,
                first_surname=row.from_first_surname,
                second_surname=row.from_second_surname,
            ),
            room=row.from_room,
        )
    return NoticeView(
        id=row.id,
        kind=NoticeKind(row.kind),
        at=row.at,
        by=full_name(row.by_name, row.by_first, row.by_second) or row.email,
        seen_at=row.seen_at,
        sheet=NoticeSheetView(
            id=row.sheet_id,
            closed=row.closed_at is not None,
            patient=PersonView(
                id=row.patient_id,
                name=row.patient_name,
                first_surname=row.first_surname,
                second_surname=row.second_surname,
            ),
            room=row.room,
        ),
        moved_from=source,
        detail_id=row.detail_id,
        product=_product(row.product_id, row.product_name, row.product_code, row.unit),
        quantity=row.quantity,
        new_product=_product(row.new_product_id, row.new_product_name, row.new_product_code, row.new_unit),
        new_quantity=row.new_quantity,
    )


def _product(product_id: int | None, name: str | None, code: str | None, unit: str | None) -> ProductNameView | None:
    if product_id is None or name is None:
        return None
    return ProductNameView(id=product_id, name=name, code=code, unit=unit)
