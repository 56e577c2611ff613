"""What waits for a supervisor, with indexes for the latest and oldest items."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    Connection,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    select,
    union_all,
)

from adapters.sql.accounts.api_keys import EXPIRING
from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.packs import UNKNOWN_CODES
from adapters.sql.catalogue.products import PRODUCT_NAME
from adapters.sql.catalogue.tables import IS_WITHOUT_PRICE, areas, products, rooms
from adapters.sql.engine.row_shape import Cell, Computed, RowShape, or_none
from adapters.sql.forms.contingency_forms import COUNT_IN_STATE
from adapters.sql.inbound.tables import IS_HELD, inbound_messages
from adapters.sql.people.patients import PATIENT_NAME
from adapters.sql.people.staff import USER_NAME
from adapters.sql.people.tables import patients, staff
from adapters.sql.reports.tables import judgements
from adapters.sql.sheets.device_outboxes import UNSENT, read_unsent
from adapters.sql.sheets.last_recorded import LAST_RECORDED_AT
from adapters.sql.sheets.late_entries import LATE_SHEETS, read_late_sheets
from adapters.sql.sheets.recalled_uses import UNSEEN_USES, read_recalled_uses
from adapters.sql.sheets.tables import (
    IS_FOR_PATIENT,
    IS_OF_AREA,
    IS_OPEN,
    IS_TO_BE_CLOSED,
    IS_ZERO,
    NOT_VOIDED,
    details,
    is_for_patient,
    sheets,
)
from adapters.sql.sheets.unlisted_items import UNLISTED_SHEETS, read_unlisted_sheets
from adapters.sql.sheets.usual_quantity import is_far_out, usual_quantity_of
from application.sheets.views import DischargeView, LateSheetView, UnlistedSheetView
from application.ward.worklist_ports import (
    LATEST_OF_DAY,
    LATEST_OPEN,
    MAX_PER_KIND,
    OLDEST_OPEN,
    OpenSheet,
    UnusualDetail,
    WorklistNumbers,
)
from application.ward.worklist_views import DeviceOutboxView, RecalledUseView
from domain.common.day import start_of
from domain.forms.contingency_form import FormState
from domain.sheets.anomalies import SAMPLE_SIZE, Oddity

_DISCHARGE = RowShape[DischargeView](
    DischargeView,
    names={
        "consumption_sheet_id": sheets.c.id,
        "patient": PATIENT_NAME,
        "room": rooms.c.name,
        "at": sheets.c.discharge_proposed_at,
    },
)
_DISCHARGES = (
    select(*_DISCHARGE.columns)
    .join_from(sheets, patients)
    .join(rooms)
    .where(IS_TO_BE_CLOSED)
    .order_by(sheets.c.discharge_proposed_at, sheets.c.id)
    .limit(bindparam("most"))
)  # fmt: skip

_MAY_BE_ODD = and_(
    IS_OPEN, sheets.c.discharge_proposed_at.is_(None), sheets.c.admission_date <= bindparam("admitted_by")
)
_OPEN_SHEET = RowShape[OpenSheet](OpenSheet, sheets, names={"last_recorded_at": LAST_RECORDED_AT})
_OLDEST_OPEN = (
    select(*_OPEN_SHEET.columns).where(_MAY_BE_ODD).order_by(sheets.c.admission_date, sheets.c.id).limit(OLDEST_OPEN)
)
_IDLE_SINCE = (
    select(*_OPEN_SHEET.columns)
    .where(
        _MAY_BE_ODD,
        ~exists().where(
            details.c.sheet_id == sheets.c.id,
            NOT_VOIDED,
            details.c.created_at >= bindparam("moment", type_=details.c.created_at.type),
        ),
    )
    .order_by(sheets.c.admission_date.desc(), sheets.c.id.desc())
    .limit(LATEST_OPEN)
)
_JUDGED_SHEETS = (
    select(judgements.c.entity_id, judgements.c.kind, judgements.c.at)
    .join_from(judgements, sheets, sheets.c.id == judgements.c.entity_id)
    .where(IS_OPEN, judgements.c.version.is_(None))
)

_NEWEST_FIRST = (details.c.created_at.desc(), details.c.id.desc())


def _unusual(source: Any, usual: Cell) -> RowShape[UnusualDetail]:
    names = {
        "area": or_none(AREA_NAME),
        "product": PRODUCT_NAME,
        "usual": usual,
        "at": source.c.created_at,
        "by": USER_NAME,
    }
    return RowShape[UnusualDetail](UnusualDetail, source, names=names)


def _not_judged(shape: RowShape[UnusualDetail], source: Any, kind: Oddity) -> Select[Any]:
    """Select details of open sheets and areas that were not judged right.

    A judgement is about a version.
    """
    return (
        select(*shape.columns)
        .join_from(source, sheets, sheets.c.id == source.c.sheet_id)
        .outerjoin(areas, areas.c.id == sheets.c.area_id)
        .join(products, products.c.id == source.c.product_id)
        .join(users, users.c.id == source.c.user_id)
        .outerjoin(staff, staff.c.id == users.c.staff_id)
        .where(
            sheets.c.closed_at.is_(None),
            ~exists().where(
                judgements.c.kind == literal_column(f"'{kind}'"),
                judgements.c.entity_id == source.c.id,
                judgements.c.version == source.c.version,
            ),
        )
        .limit(bindparam("most"))
    )


_ZERO_DETAIL = _unusual(details, Computed(lambda: None))


def _zero_of(day: str) -> Select[Any]:
    """Select the details with quantity zero of a day, which is a parameter."""
    # Nothing is used after its recording, so lines used on a day were recorded after the beginning of that day.
    begins = bindparam(f"{day}_begins", type_=details.c.created_at.type)
    return (
        _not_judged(_ZERO_DETAIL, details, Oddity.QUANTITY_ZERO)
        .where(IS_ZERO, NOT_VOIDED, details.c.day == bindparam(day), details.c.created_at >= begins)
        .order_by(*_NEWEST_FIRST)
    )


def _far_out_of(day: str) -> tuple[RowShape[UnusualDetail], Select[Any]]:
    """Select the far-out details among the latest of a day."""
    # By id, in the order of recording: the index of the days has them so.
    latest = (
        select(details)
        .where(NOT_VOIDED, details.c.day == bindparam(day))
        .order_by(details.c.id.desc())
        .limit(literal_column(str(LATEST_OF_DAY)))
        .subquery(f"latest_of_{day}")
    )
    # Materialized: PostgreSQL would otherwise look for the usual quantity each time that the condition names it.
    usual = case(
        (is_for_patient(latest), usual_quantity_of(latest.c.product_id, latest)),
        else_=usual_quantity_of(latest.c.product_id, latest, in_areas=True),
    )
    with_usual = select(latest, usual.label("usual")).cte(f"with_usual_of_{day}").prefix_with("MATERIALIZED")
    shape = _unusual(with_usual, Computed(lambda usual: usual or None, with_usual.c.usual))
    statement = (
        _not_judged(shape, with_usual, Oddity.QUANTITY_FAR_OUT)
        .where(is_far_out(with_usual.c.quantity, with_usual.c.total, with_usual.c.usual))
        .order_by(with_usual.c.created_at.desc(), with_usual.c.id.desc())
    )
    return shape, statement


_ZERO = _zero_of("today")
_FAR_OUT_DETAIL, _FAR_OUT = _far_out_of("today")
_HELD_BEFORE = select(func.count()).where(
    IS_HELD, inbound_messages.c.received_at < bindparam("received_before", type_=inbound_messages.c.received_at.type)
)
_WITHOUT_PRICE = select(func.count()).select_from(products).where(IS_WITHOUT_PRICE, products.c.active)


def _size(statement: Select[Any]) -> ScalarSelect[int]:
    """Select how many rows the list of a kind has.

    The limit is no parameter: PostgreSQL would plan the statement each time, which takes longer than the statement.
    """
    rows = statement.order_by(None).limit(literal_column(str(MAX_PER_KIND)))
    return select(func.count()).select_from(rows.subquery()).scalar_subquery()


# The same statements as those of the lists, so that both always agree.
_NUMBERS = RowShape[WorklistNumbers](
    WorklistNumbers,
    names={
        "late_entries": _size(LATE_SHEETS),
        "held_messages": _HELD_BEFORE.scalar_subquery(),
        "discharges": _size(_DISCHARGES),
        "unusual_lines": sum(
            (_size(lines) for day in ("today", "yesterday") for lines in (_zero_of(day), _far_out_of(day)[1])),
            start=literal_column("0"),
        ),
        "unlisted_items": _size(UNLISTED_SHEETS),
        "open_forms": COUNT_IN_STATE.scalar_subquery(),
        "recalled_uses": _size(UNSEEN_USES),
        "unknown_codes": _size(UNKNOWN_CODES),
        "device_outboxes": _size(UNSENT),
        "expiring_keys": _size(EXPIRING),
        "products_without_price": _WITHOUT_PRICE.scalar_subquery(),
    },
)
_COUNT = select(*_NUMBERS.columns)


class SqlWorklist:
    """Read model of the worklist."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self._connection = connection
        self._zone = zone

    def numbers(
        self,
        today: date,
        ask_above_total: Decimal | None,
        *,
        received_before: datetime,
        expires_before: datetime,
    ) -> WorklistNumbers:
        """Return how many items the lists have, by one statement."""
        yesterday = today - timedelta(days=1)
        params = {
            "today": today,
            "today_begins": start_of(today, self._zone),
            "yesterday": yesterday,
            "yesterday_begins": start_of(yesterday, self._zone),
            "ask_above_total": ask_above_total,
            "received_before": received_before,
            "before": expires_before,
            "state": FormState.OPEN,
            "most": MAX_PER_KIND,
        }
        return _NUMBERS.read(self._connection.execute(_COUNT, params).one())

    def late(self, *, most: int) -> list[LateSheetView]:
        """Return sheets with undecided late entries, longest waiting first."""
        return read_late_sheets(self._connection, most=most)

    def unlisted(self, *, most: int) -> list[UnlistedSheetView]:
        """Return sheets with open unlisted items, longest waiting first."""
        return read_unlisted_sheets(self._connection, most=most)

    def recalled(self, *, most: int) -> list[RecalledUseView]:
        """Return unacknowledged uses of recalled products, latest first."""
        return read_recalled_uses(self._connection, most=most)

    def unsent(self, *, most: int) -> list[DeviceOutboxView]:
        """Return devices with unsent lines, the oldest lines first."""
        return read_unsent(self._connection, most=most)

    def discharges(self, *, most: int) -> list[DischargeView]:
        """Return sheets with a proposed discharge, longest waiting first."""
        return [_DISCHARGE.read(row) for row in self._connection.execute(_DISCHARGES, {"most": most})]

    def without_price(self) -> int:
        """Count active products without a price."""
        return int(self._connection.execute(_WITHOUT_PRICE).scalar_one())

    def oldest_open(self, admitted_by: date) -> list[OpenSheet]:
        """Return open sheets with the oldest admissions, oldest first."""
        found = self._connection.execute(_OLDEST_OPEN, {"admitted_by": admitted_by})
        return [_OPEN_SHEET.read(row) for row in found]

    def idle_since(self, moment: datetime, admitted_by: date) -> list[OpenSheet]:
        """Return open sheets without a line since a moment, latest first."""
        found = self._connection.execute(_IDLE_SINCE, {"moment": moment, "admitted_by": admitted_by})
        return [_OPEN_SHEET.read(row) for row in found]

    def zero_of(self, day: date, *, most: int) -> list[UnusualDetail]:
        """Return the day's lines with quantity zero, latest first."""
        params = {"today": day, "today_begins": start_of(day, self._zone), "most": most}
        return [_ZERO_DETAIL.read(row) for row in self._connection.execute(_ZERO, params)]

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[UnusualDetail]:
        """Return outliers among the day's last lines, latest first."""
        params = {"today": day, "most": most, "ask_above_total": ask_above_total}
        return [_FAR_OUT_DETAIL.read(row) for row in self._connection.execute(_FAR_OUT, params)]

    def judged_sheets(self) -> dict[int, dict[Oddity, datetime]]:
        """Return when which anomalies of open sheets were judged right."""
        judged: dict[int, dict[Oddity, datetime]] = defaultdict(dict)
        for row in self._connection.execute(_JUDGED_SHEETS):
            judged[row.entity_id][Oddity(row.kind)] = row.at
        return judged

    def latest_quantities(self, product_ids: Collection[int], *, in_areas: bool) -> dict[int, list[Decimal]]:
        """Return the quantities of the products' last lines, newest first."""
        found: dict[int, list[Decimal]] = {product_id: [] for product_id in product_ids}
        if not found:
            return found
        latest = [_latest_of(product_id, in_areas=in_areas) for product_id in found]
        numbered = union_all(*[select(one) for one in latest]).subquery()
        for row in self._connection.execute(select(numbered).order_by(numbered.c.id.desc())):
            found[row.product_id].append(row.quantity)
        return found


def _latest_of(product_id: int, *, in_areas: bool) -> Any:
    return (
        select(details.c.id, details.c.product_id, details.c.quantity)
        .where(details.c.product_id == product_id, NOT_VOIDED, IS_OF_AREA if in_areas else IS_FOR_PATIENT)
        .order_by(details.c.id.desc())
        .limit(SAMPLE_SIZE)
        .subquery()
    )
