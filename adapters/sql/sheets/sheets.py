"""Consumption sheets."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, tzinfo
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Connection,
    FromClause,
    any_,
    bindparam,
    case,
    func,
    literal,
    literal_column,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.billing.tables import outbound_messages
from adapters.sql.catalogue.tables import ROOM_ORDER, rooms
from adapters.sql.engine.driver_execute import execute
from adapters.sql.engine.lists import ListSpec, TableView, parse_cursor_time
from adapters.sql.engine.row_mapping import RowMapping
from adapters.sql.engine.row_shape import Computed, Either, OrNone, RowShape, is_set
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.people.patients import HAD_RECORD_NUMBER, PATIENT_OF_SHEET
from adapters.sql.people.people import PeopleTiers
from adapters.sql.people.tables import patients
from adapters.sql.sheets.late_entries import UNDECIDED_OF_SHEET
from adapters.sql.sheets.stays import IS_TRANSFERRED, read_transfers, read_transfers_of
from adapters.sql.sheets.tables import (
    IS_OPEN,
    NOT_VOIDED,
    details,
    documents,
    late_entries,
    sheet_transfers,
    sheets,
    unlisted_items,
)
from adapters.sql.sheets.unlisted_items import OPEN_OF_SHEET
from application.common.paging import Page
from application.sheets.views import ChargingView, ConsumptionDayView, SheetQuery, SheetRoomView, SheetView, stay_views
from domain.common.day import end_of, start_of
from domain.common.text import fold_person, person_words
from domain.interop.outbound_message import OutboundState
from domain.sheets.sheet import AreaSheet, PatientSheet, Sheet
from domain.sheets.stay import Transfer, build_stays

_OF_AREA = RowMapping[AreaSheet](
    sheets,
    AreaSheet,
    written={
        **dict.fromkeys(("diagnosis", "doctor", "search_folded"), lambda _: ""),
        **dict.fromkeys(
            ("patient_id", "room_id", "visit_number", "discharge_proposed_at", "admission_cancelled_at", "told"),
            lambda _: None,
        ),
        "admission_date": lambda page: page.month,
    },
    read={"month": sheets.c.admission_date},
)


class _SheetMapping(TableMapping[Any]):
    """The sheets of patients and of areas, in one table."""

    def __init__(self) -> None:
        super().__init__(
            sheets,
            PatientSheet,
            details.c.sheet_id,
            unlisted_items.c.sheet_id,
            late_entries.c.sheet_id,
            sheet_transfers.c.sheet_id,
            documents.c.sheet_id,
            keys={"patient_id": sheets.c.patient_id, "visit_number": sheets.c.visit_number},
            written={
                # The doctor comes first, then a character that sorts before any letter: lists are sorted by this column
                # too.
                "search_folded": lambda sheet: f"{fold_person(sheet.doctor)}\t{fold_person(sheet.diagnosis)}",
                "told": lambda sheet: sheet.external_record,
                **dict.fromkeys(("area_id", "part"), lambda _: None),
            },
            read={"external_record": sheets.c.told},
        )
        of_patient, area = self.to_entity, [*sheets.c].index(sheets.c.area_id)
        self.to_entity = lambda row: of_patient(row) if row[area] is None else _OF_AREA.to_entity(row)

    def to_row(self, entity: Sheet) -> dict[str, Any]:
        """Return the row of a sheet, without its id."""
        return _OF_AREA.to_row(entity) if isinstance(entity, AreaSheet) else super().to_row(entity)


MAPPING = _SheetMapping()


def sheet_of(table: FromClause) -> OrNone:
    """Return the cell with the sheet of a row of the table or alias, if any."""
    return OrNone(Either(MAPPING.shape.of(table), table.c.area_id, _OF_AREA.shape.of(table)), table.c.id)


_LOCKED_OF_DETAIL = (
    select(sheets)
    .where(sheets.c.id == select(details.c.sheet_id).where(details.c.id == bindparam("id")).scalar_subquery())
    .with_for_update(key_share=True)
)
_DELETE_DETAILS = details.delete().where(details.c.sheet_id == bindparam("this_id"))


_PAGE = (
    select(sheets)
    .where(sheets.c.area_id == bindparam("area_id"), sheets.c.admission_date == bindparam("month"))
    .order_by(sheets.c.part.desc())
    .limit(1)
)
_INSERT_PAGE = {
    "postgresql": postgresql.insert(sheets).on_conflict_do_nothing().returning(sheets.c.id),
    "sqlite": sqlite.insert(sheets).on_conflict_do_nothing().returning(sheets.c.id),
}


class SqlSheets(TableStore[Any]):
    """Sheets within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def page_of(self, area_id: int, month: date) -> AreaSheet | None:
        """Return the last page of an area's month."""
        page: AreaSheet | None = self._one(_PAGE, {"area_id": area_id, "month": month})
        return page

    def add_page(self, page: AreaSheet) -> bool:
        """Insert a page and set its id; return False if another one was."""
        insert = _INSERT_PAGE[self._connection.dialect.name]
        page.id = self._connection.execute(insert, _OF_AREA.to_row(page)).scalar() or 0
        return page.id != 0

    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """Return a detail's sheet, locked."""
        return self._one(_LOCKED_OF_DETAIL, {"id": detail_id})

    def remove(self, sheet: Sheet) -> None:
        """Delete a sheet and its details."""
        self._connection.execute(_DELETE_DETAILS, {"this_id": sheet.id})
        super().remove(sheet)


_EVERY_DAY = (
    select(
        details.c.sheet_id,
        func.min(func.coalesce(details.c.occurred_at, details.c.created_at)).label("created_at"),
        func.count().label("details"),
        func.max(details.c.created_at).label("last_recorded_at"),
    )
    .where(NOT_VOIDED)
    .group_by(details.c.sheet_id, details.c.day)
    .order_by(details.c.sheet_id, details.c.day)
)
_DAYS = _EVERY_DAY.where(details.c.sheet_id.in_(bindparam("sheet_ids", expanding=True)))
# With an array it is the same statement for any number of ids, so PostgreSQL can prepare it.
_DAYS_ON_POSTGRESQL = _EVERY_DAY.where(details.c.sheet_id == any_(bindparam("sheet_ids", type_=ARRAY(BigInteger))))


SHEET_ROOM = RowShape[SheetRoomView](SheetRoomView, rooms)
_SHEET = RowShape[SheetView](
    SheetView,
    sheets,
    names={
        "patient_id": patients.c.id,
        "patient": PATIENT_OF_SHEET,
        "room_id": rooms.c.id,
        "room": SHEET_ROOM,
        "closed": is_set(sheets.c.closed_at),
        "deleted_at": sheets.c.closed_at,
        "late_entries": UNDECIDED_OF_SHEET,
        "unlisted_items": OPEN_OF_SHEET,
        # Read by another statement.
        "consumptions": Computed(list),
    },
    # Only set if the sheet is read alone, or for exports.
    omitted={"stays", "charging", "undo_closing_until"},
)


# Columns with the state of a sheet's messages: the worst state counts.
_WORST = case(
    (outbound_messages.c.state == OutboundState.DEAD, literal(0)),
    (outbound_messages.c.state == OutboundState.WAITING, literal(1)),
    else_=literal(2),
)
_STATES = (OutboundState.DEAD, OutboundState.WAITING, OutboundState.SENT)
_IS_OF_SHEET = outbound_messages.c.sheet_id == sheets.c.id
_CHARGING = (
    select(func.min(_WORST)).where(_IS_OF_SHEET).correlate(sheets).scalar_subquery().label("charging"),
    select(func.max(outbound_messages.c.sent_at)).where(_IS_OF_SHEET).correlate(sheets).scalar_subquery().label("sent"),
)


def _to_charging(worst: int | None, sent_at: datetime | None) -> ChargingView | None:
    """Return the view of the columns ``_CHARGING``."""
    if worst is None:
        return None
    state = _STATES[worst]
    return ChargingView(state=state, at=sent_at if state is OutboundState.SENT else None)


_ALL = select(*_SHEET.columns).join_from(sheets, patients).join(rooms)
_ONE = _ALL.add_columns(IS_TRANSFERRED.label("is_transferred"), *_CHARGING).where(sheets.c.id == bindparam("id"))
_SORTS = {
    "id": sheets.c.id,
    "admission_date": sheets.c.admission_date,
    "patient": patients.c.sort_folded,
    "room": ROOM_ORDER,
    "doctor": sheets.c.search_folded,
    "deleted_at": sheets.c.closed_at,
    "total": sheets.c.total,
}
_TIERS = PeopleTiers(HAD_RECORD_NUMBER, of_sheets=True)
_NAMES_AND_ROOM = patients.c.sort_folded + literal_column("' '") + rooms.c.name_folded
_FILTERS = {
    "patient_id": sheets.c.patient_id == bindparam("patient_id"),
    "room_id": sheets.c.room_id == bindparam("room_id"),
    "area_id": sheets.c.room_id.in_(select(rooms.c.id).where(rooms.c.area_id == bindparam("area_id"))),
}


def _closing_of(view: SheetView) -> datetime:
    moment = view["deleted_at"]
    assert moment is not None, "the list holds closed sheets alone"
    return moment


def _filters_of(query: SheetQuery) -> dict[str, Any]:
    return {
        "patient_id": query.patient_id,
        "room_id": query.room_id,
        "area_id": query.area_id,
        "since": query.since,
        "until": query.until,
    }


def list_of_closed_sheets(zone: tzinfo) -> ListSpec[SheetView, SheetQuery]:
    """Return the list of closed sheets; days are in the hospital's time zone."""
    return ListSpec[SheetView, SheetQuery](
        source=_ALL.where(sheets.c.closed_at.is_not(None)),
        id=sheets.c.id,
        order=(sheets.c.closed_at.desc(), sheets.c.id.desc()),
        sorts=_SORTS,
        searched=(),
        words_of=person_words,
        tiers=_TIERS,
        to_item=_SHEET.read,
        filters={
            **_FILTERS,
            "since": sheets.c.closed_at >= bindparam("since", type_=sheets.c.closed_at.type),
            "until": sheets.c.closed_at < bindparam("until", type_=sheets.c.closed_at.type),
        },
        filters_of=lambda query: (
            _filters_of(query)
            | {
                "since": start_of(query.since, zone) if query.since else None,
                "until": end_of(query.until, zone) if query.until else None,
            }
        ),
        bounded=False,
        cursor_key=sheets.c.closed_at,
        key_of=lambda view: (_closing_of(view).isoformat(), view["id"]),
        read_key=parse_cursor_time,
    )


OPEN_SHEETS = ListSpec[SheetView, SheetQuery](
    source=_ALL.where(IS_OPEN),
    id=sheets.c.id,
    order=(sheets.c.admission_date.desc(), sheets.c.id.desc()),
    # Few sheets are open: sort them, instead of scanning years of closed ones in order of id.
    sorts=_SORTS | dict.fromkeys(("id", "deleted_at"), sheets.c.id + literal_column("0")),
    searched=(),
    words_of=person_words,
    tiers=_TIERS,
    to_item=_SHEET.read,
    filters={
        **_FILTERS,
        "since": sheets.c.admission_date >= bindparam("since"),
        "until": sheets.c.admission_date <= bindparam("until"),
        "without_visit": sheets.c.visit_number.is_(None),
    },
    filters_of=lambda query: _filters_of(query) | {"without_visit": query.without_visit or None},
    cursor_key=sheets.c.admission_date,
    key_of=lambda view: (view["admission_date"].isoformat(), view["id"]),
    read_key=date.fromisoformat,
)


# All sheets, for scans in order of id.
EVERY_SHEET = ListSpec[SheetView, SheetQuery](
    source=_ALL,
    id=sheets.c.id,
    order=(sheets.c.id,),
    sorts={"id": sheets.c.id},
    searched=(),
    words_of=person_words,
    tiers=_TIERS,
    to_item=_SHEET.read,
    filters=_FILTERS,
    filters_of=lambda query: {name: value for name, value in _filters_of(query).items() if name in _FILTERS},
    bounded=False,
)


class SqlSheetsView:
    """Read model of sheets."""

    def __init__(self, connection: Connection, closed: ListSpec[SheetView, SheetQuery], zone: tzinfo) -> None:
        self._connection = connection
        self._closed = closed
        self._zone = zone

    def one(self, id: int) -> SheetView | None:
        """Return a sheet, with its stays and the state of its charging."""
        row = self._connection.execute(_ONE, {"id": id}).one_or_none()
        if row is None:
            return None
        view = _SHEET.read(row)
        self._add_days([view])
        transfers, names = read_transfers(self._connection, id) if row.is_transferred else ([], {})
        self._set_stays(view, transfers, names)
        view["charging"] = _to_charging(row.charging, row.sent)
        return view

    def page(self, query: SheetQuery) -> Page[SheetView]:
        """Return a page of open, closed or all sheets."""
        listed = EVERY_SHEET if query.closed is None else self._closed if query.closed else OPEN_SHEETS
        page = TableView(self._connection, listed).page(query)
        self._add_days(page["items"])
        if query.closed is None:
            self._add_stays(page["items"])
        return page

    def names(self, query: SheetQuery) -> Iterable[tuple[int, str]]:
        """Yield id, and folded name and room of filtered open sheets."""
        return TableView(self._connection, OPEN_SHEETS).texts(query, _NAMES_AND_ROOM)

    def _add_stays(self, views: Sequence[SheetView]) -> None:
        """Read the stays of all sheets by one statement."""
        transfers, names = read_transfers_of(self._connection, [view["id"] for view in views])
        for view in views:
            self._set_stays(view, [one for one in transfers if one.sheet_id == view["id"]], names)

    def _set_stays(self, view: SheetView, transfers: list[Transfer], names: Mapping[int, str]) -> None:
        stays = build_stays(
            admission_date=view["admission_date"],
            room_id=view["room_id"],
            closed_at=view["deleted_at"],
            transfers=transfers,
            zone=self._zone,
        )
        view["stays"] = stay_views(stays, {**names, view["room_id"]: view["room"]["name"]})

    def _add_days(self, views: Iterable[SheetView]) -> None:
        """Read the days of consumption of all sheets by one statement."""
        by_id = {view["id"]: view for view in views}
        if by_id:
            days = _DAYS_ON_POSTGRESQL if self._connection.dialect.name == "postgresql" else _DAYS
            for sheet_id, first, count, last in execute(self._connection, days, {"sheet_ids": list(by_id)}):
                day = ConsumptionDayView(created_at=first, details=count, last_recorded_at=last)
                by_id[sheet_id]["consumptions"].append(day)


_EXTERNAL_RECORDS = select(sheets.c.id, sheets.c.told).where(
    sheets.c.id.in_(bindparam("ids", expanding=True)), sheets.c.told.is_not(None)
)


def read_external_records(connection: Connection, ids: Collection[int]) -> dict[int, str]:
    """Return what the hospital's system sent about these sheets, by id."""
    rows = connection.execute(_EXTERNAL_RECORDS, {"ids": list(ids)})
    return {row.id: row.told for row in rows}
