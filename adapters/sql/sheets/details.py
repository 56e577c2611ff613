"""Consumption details."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, cast

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
)

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.categories import CATEGORY_VIEW
from adapters.sql.catalogue.tables import IS_IMPLANT, areas, categories, kits, products, rooms
from adapters.sql.common.pending_writes import COUNT_UP, PendingWrites
from adapters.sql.engine.lists import ListSpec, TableView, escape_like, parse_cursor_time
from adapters.sql.engine.minute_of_day import minute_of_day
from adapters.sql.engine.row_shape import Cell, Computed, PresentIf, RowShape, or_none
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.people.patients import PATIENT_OF_SHEET
from adapters.sql.people.tables import patients, staff
from adapters.sql.sheets.recording import insert_detail, prefixed, read_references
from adapters.sql.sheets.tables import (
    IS_FOR_PATIENT,
    IS_OF_AREA,
    IS_VOIDED,
    IS_WASTED,
    LOT_KEY,
    NOT_VOIDED,
    SERIAL_KEY,
    USED_AT,
    detail_returns,
    details,
    sheets,
)
from adapters.sql.sheets.usual_quantity import usual_quantity_of
from application.catalogue.views import AreaView
from application.common.paging import Page
from application.people.scanned_views import PlaceView
from application.people.views import PersonView
from application.sheets.detail_views import (
    DetailProductView,
    DetailQuery,
    DetailView,
    ExportedDetailView,
    KitNameView,
    PatientDetailView,
    UserNameView,
    Voided,
    VoidedView,
)
from application.sheets.stores import References, ReferredIds, SheetSince
from application.sheets.used_for import UsedFor
from domain.common.errors import Code
from domain.common.money import ZERO_QUANTITY
from domain.common.text import code_key, full_name, product_words
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, DetailReturn, InputMethod, Unbilled
from domain.sheets.sheet import Sheet
from domain.ward.shift import Shift

Item = TypeVar("Item", bound=DetailView)


def _codes(text: str | None) -> tuple[Code, ...]:
    return tuple(map(Code, text.split())) if text else ()


MAPPING = TableMapping[Detail](
    details,
    Detail,
    keys={"sheet_id": details.c.sheet_id},
    written={
        "acknowledged": lambda detail: " ".join(detail.acknowledged) or None,
        "returned": lambda detail: detail.returned or ZERO_QUANTITY,
        "lot_key": lambda detail: code_key(detail.lot) if detail.lot else None,
        "serial_key": lambda detail: code_key(detail.serial) if detail.serial else None,
    },
    read={
        "acknowledged": Computed(_codes, details.c.acknowledged),
        "returned": Computed(lambda returned: returned or None, details.c.returned),
        "input_method": or_none(Computed(InputMethod, details.c.input_method)),
        "use_reason": or_none(Computed(UseReason, details.c.use_reason)),
        "unbilled": or_none(Computed(Unbilled, details.c.unbilled)),
    },
)
_ON_SHEET = select(details).where(details.c.sheet_id == bindparam("sheet_id")).order_by(details.c.id)
_USUAL_IN_AREAS = select(products.c.id, usual_quantity_of(products.c.id, products, in_areas=True)).where(
    products.c.id.in_(bindparam("ids", expanding=True))
)
_RETURN = detail_returns.insert()
_ENTERED = (
    select(details).where(details.c.entry_digest.in_(bindparam("digests", expanding=True))).order_by(details.c.id)
)
_FIRST_DAY = select(func.min(details.c.day)).where(details.c.sheet_id == bindparam("sheet_id"), NOT_VOIDED)


class SqlDetails(TableStore[Detail]):
    """Details within a unit of work."""

    def __init__(self, connection: Connection, pending_writes: PendingWrites) -> None:
        super().__init__(connection, MAPPING)
        self._pending_writes = pending_writes

    def record(self, details: Sequence[Detail], sheet: Sheet, reserved_id: int = 0) -> None:
        """Insert details and update their sheet's total, lines and version.

        With a reserved id (PostgreSQL), this runs together with the pending writes.
        """
        counted = {
            "this_id": sheet.id,
            "sheet_total": sheet.total,
            "sheet_lines": sheet.lines,
            "sheet_version": sheet.version,
        }
        if len(details) > 1:
            for detail, new_id in zip(details, self.reserve(len(details)), strict=True):
                detail.id = new_id
            self.add_all(details)
            self._connection.execute(COUNT_UP, counted)
            return
        [detail] = details
        row = MAPPING.to_row(detail)
        if reserved_id:
            detail.id = reserved_id
            self._pending_writes.add_detail({"new_id": detail.id, **prefixed(row), **counted})
        else:
            detail.id = insert_detail(self._connection, row, counted)

    def usual_in_areas(self, product_ids: Collection[int]) -> dict[int, Decimal]:
        """Return the usual quantities of products on the pages of areas."""
        rows = self._connection.execute(_USUAL_IN_AREAS, {"ids": list(product_ids)})
        return {product_id: usual for product_id, usual in rows if usual is not None}

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """Return all details of a sheet, oldest first."""
        return [MAPPING.to_entity(row) for row in self._connection.execute(_ON_SHEET, {"sheet_id": sheet_id})]

    def add_return(self, returned: DetailReturn) -> None:
        """Insert a return."""
        self._connection.execute(_RETURN, asdict(returned))

    def find_by_entry_digest(self, digests: Sequence[bytes]) -> list[Detail]:
        """Return details by the digests of their requests, including voided ones."""
        return [MAPPING.to_entity(row) for row in self._connection.execute(_ENTERED, {"digests": list(digests)})]

    def first_day(self, sheet_id: int) -> date | None:
        """Return the first day of consumption of a sheet."""
        return cast("date | None", self._connection.execute(_FIRST_DAY, {"sheet_id": sheet_id}).scalar_one())

    def references(
        self, asked: Sequence[ReferredIds], *, since: SheetSince | None = None, but: int = 0
    ) -> list[References]:
        """Read everything that details refer to, by one statement, in order.

        This includes the history of their packs and recent duplicates since ``since``.
        """
        return read_references(self._connection, asked, since, but)


_NAMES: dict[str, Cell] = {
    "consumption_sheet_id": details.c.sheet_id,
    "product": RowShape[DetailProductView](
        DetailProductView,
        products,
        names={"id": details.c.product_id, "category": CATEGORY_VIEW},
        omitted={"plain_name"},
    ),
    "staff": or_none(RowShape[PersonView](PersonView, staff, names={"id": details.c.staff_id})),
    "area": or_none(RowShape[AreaView](AreaView, areas, names={"id": details.c.area_id}, omitted={"code"})),
    "kit": or_none(RowShape[KitNameView](KitNameView, kits, names={"id": details.c.kit_id})),
    "acknowledged": Computed(lambda text: [*_codes(text)], details.c.acknowledged),
}


def _join(detail: Select[Any]) -> Select[Any]:
    return (
        detail.join_from(details, products)
        .join(categories, categories.c.id == products.c.category_id)
        .outerjoin(staff, staff.c.id == details.c.staff_id)
        .outerjoin(areas, areas.c.id == details.c.area_id)
        .outerjoin(kits, kits.c.id == details.c.kit_id)
    )


def _voider(name: ColumnElement[Any], source: FromClause) -> ScalarSelect[Any]:
    """Select a column of the user who voided the detail.

    It is not joined: with more than eight tables PostgreSQL does not try all join orders.
    """
    return select(name).select_from(source).where(users.c.id == details.c.voided_by).scalar_subquery()


_VOIDER = staff.alias("voider")
_OF_VOIDER = users.join(_VOIDER, _VOIDER.c.id == users.c.staff_id)
_VOIDED = RowShape[VoidedView](
    VoidedView,
    names={
        "at": details.c.voided_at,
        "by": RowShape[UserNameView](
            UserNameView,
            names={
                "id": details.c.voided_by,
                "name": Computed(
                    lambda email, *person: full_name(*person) or email,
                    _voider(users.c.email, users),
                    *(
                        _voider(c, _OF_VOIDER)
                        for c in (_VOIDER.c.name, _VOIDER.c.first_surname, _VOIDER.c.second_surname)
                    ),
                ),
            },
        ),
        "reason": details.c.void_reason,
    },
)


def _list_of(
    source: Select[Any], to_item: Callable[[Row[Any]], Item], *always: ColumnElement[bool]
) -> ListSpec[Item, DetailQuery]:
    return ListSpec[Item, DetailQuery](
        source=source,
        id=details.c.id,
        order=(details.c.created_at.desc(), details.c.id.desc()),
        sorts={
            "id": details.c.id,
            "created_at": details.c.created_at,
            "product": products.c.name_folded,
            "quantity": details.c.quantity,
            "unit_price": details.c.unit_price,
            "total": details.c.total,
        },
        searched=(products.c.name_folded,),
        words_of=product_words,
        to_item=to_item,
        always=always,
        filters={
            "consumption_sheet_id": details.c.sheet_id == bindparam("consumption_sheet_id"),
            "product_id": details.c.product_id == bindparam("product_id"),
            "staff_id": details.c.staff_id == bindparam("staff_id"),
            "area_id": details.c.area_id == bindparam("area_id"),
            "room_id": details.c.room_id == bindparam("room_id"),
            "category_id": details.c.product_id.in_(
                select(products.c.id).where(products.c.category_id == bindparam("category_id"))
            ),
            # As in the definition of the index: SQLite does not deduce that an equal value is not null.
            "lot": and_(details.c.lot.is_not(None), bindparam("lot", type_=details.c.lot_key.type) == LOT_KEY),
            "serial": and_(
                details.c.serial.is_not(None), bindparam("serial", type_=details.c.serial_key.type) == SERIAL_KEY
            ),
            "implant": details.c.product_id.in_(
                select(products.c.id).where(IS_IMPLANT, bindparam("implant", type_=products.c.implant.type))
            ),
            "incomplete": or_(details.c.lot.is_(None), details.c.serial.is_(None)) == bindparam("incomplete"),
            "gtin_prefix": details.c.gtin.like(bindparam("gtin_prefix"), escape="\\"),
            # As in the definition of the index.
            "form_id": and_(details.c.form_id.is_not(None), details.c.form_id == bindparam("form_id")),
            "patient_id": details.c.sheet_id.in_(
                select(sheets.c.id).where(sheets.c.patient_id == bindparam("patient_id"))
            ),
            # As in the definition of the index.
            "of_area": and_(IS_OF_AREA, bindparam("of_area", type_=Boolean)),
            "wasted": and_(details.c.use_reason.is_not(None), IS_WASTED, bindparam("wasted", type_=Boolean)),
            "use_reason": details.c.use_reason == bindparam("use_reason"),
            "since": details.c.day >= bindparam("since"),
            "until": details.c.day <= bindparam("until"),
        },
        filters_of=lambda query: {
            "consumption_sheet_id": query.consumption_sheet_id,
            "product_id": query.product_id,
            "staff_id": query.staff_id,
            "area_id": query.area_id,
            "room_id": query.room_id,
            "category_id": query.category_id,
            "lot": code_key(query.lot) if query.lot else None,
            "serial": code_key(query.serial) if query.serial else None,
            "implant": query.implant or None,
            "incomplete": query.incomplete,
            "gtin_prefix": None if query.gtin_prefix is None else f"{escape_like(query.gtin_prefix)}%",
            "form_id": query.form_id,
            "patient_id": query.patient_id,
            "of_area": query.listed_for is UsedFor.AREA or None,
            "wasted": query.listed_for is UsedFor.WASTED or None,
            "use_reason": query.use_reason,
            "since": query.since,
            "until": query.until,
        },
        bounded=False,
        cursor_key=details.c.created_at,
        key_of=lambda view: (view["created_at"].isoformat(), view["id"]),
        read_key=parse_cursor_time,
    )


class DetailLists(NamedTuple, Generic[Item]):
    """Variants of a list of details: counted, all, or only voided ones."""

    counted: ListSpec[Item, DetailQuery]
    counted_of_days: ListSpec[Item, DetailQuery]
    all: ListSpec[Item, DetailQuery]
    all_of_days: ListSpec[Item, DetailQuery]
    voided: ListSpec[Item, DetailQuery]
    voided_of_days: ListSpec[Item, DetailQuery]

    def for_query(self, query: DetailQuery) -> ListSpec[Item, DetailQuery]:
        """Return the list for a query. Lists of a period have their own order."""
        of_days = bool(query.since or query.until)
        if query.voided is Voided.INCLUDE:
            return self.all_of_days if of_days else self.all
        if query.voided is Voided.ONLY:
            return self.voided_of_days if of_days else self.voided
        return self.counted_of_days if of_days else self.counted


def _lists(
    view: Callable[..., Item],
    names: Mapping[str, Cell],
    join: Callable[[Select[Any]], Select[Any]],
    *always: ColumnElement[bool],
) -> DetailLists[Item]:
    # Warnings are only returned when a detail is recorded.
    plain = RowShape[Item](view, details, names=names, omitted={"voided", "warnings"})
    names = {**names, "voided": PresentIf(details.c.voided_at, _VOIDED)}
    with_voided = RowShape[Item](view, details, names=names, omitted={"warnings"})
    counted = _list_of(join(select(*plain.columns)), plain.read, NOT_VOIDED, *always)
    every = _list_of(join(select(*with_voided.columns)), with_voided.read, *always)
    voided = _list_of(join(select(*with_voided.columns)), with_voided.read, IS_VOIDED, *always)
    return DetailLists(counted, _of_days(counted), every, _of_days(every), voided, _of_days(voided))


class SqlDetailsView(Generic[Item]):
    """Read model of details."""

    def __init__(self, connection: Connection, lists: DetailLists[Item]) -> None:
        self._connection = connection
        self._lists = lists

    def page(self, query: DetailQuery) -> Page[Item]:
        """Return a page of details."""
        listed = self._lists.for_query(query)
        if query.listed_for is UsedFor.PATIENTS:
            listed = _of_patients(listed)
        if query.shift is not None:
            listed = _of_shift(listed, query.shift)
        return TableView(self._connection, listed).page(query)

    def one(self, id: int) -> Item | None:
        """Return a detail that is not voided."""
        return TableView(self._connection, self._lists.counted).one(id)

    def by_ids(self, ids: Collection[int]) -> list[Item]:
        """Return details by id, including voided ones, in order of id."""
        listed = self._lists.all
        found = listed.source.where(_IS_ONE_OF).order_by(details.c.id)
        return [listed.to_item(row) for row in self._connection.execute(found, {"ids": list(ids)})]


@lru_cache(maxsize=64)
def _of_patients(listed: ListSpec[Any, DetailQuery]) -> ListSpec[Any, DetailQuery]:
    """Return the list of the details of patients, which are nearly all."""
    return replace(listed, always=(*listed.always, IS_FOR_PATIENT))


@lru_cache(maxsize=64)
def _of_shift(listed: ListSpec[Any, DetailQuery], shift: Shift) -> ListSpec[Any, DetailQuery]:
    """Return the list of the details that were used in a shift."""
    minute = minute_of_day(USED_AT, shift.zone)
    has_begun = minute >= _minute_of(shift.begins)
    has_not_ended = minute < _minute_of(shift.ends)
    is_in_shift = and_(has_begun, has_not_ended) if shift.begins < shift.ends else or_(has_begun, has_not_ended)
    return replace(listed, always=(*listed.always, is_in_shift))


def _minute_of(at: time) -> ColumnElement[int]:
    return literal_column(str(at.hour * 60 + at.minute))


_IS_ONE_OF = details.c.id.in_(bindparam("ids", expanding=True))


def _of_days(listed: ListSpec[Item, DetailQuery]) -> ListSpec[Item, DetailQuery]:
    """Return the list ordered by day, for queries of a period.

    In the usual order it would have to skip years of newer lines.
    """
    return replace(
        listed,
        order=(details.c.day.desc(), details.c.id.desc()),
        sorts={**listed.sorts, "created_at": details.c.day},
        cursor_key=details.c.day,
        key_of=lambda view: (view["day"].isoformat(), view["id"]),
        read_key=date.fromisoformat,
    )


def _join_patient(detail: Select[Any]) -> Select[Any]:
    return _join_place(detail).join(patients, patients.c.id == sheets.c.patient_id)


def _join_patient_or_none(detail: Select[Any]) -> Select[Any]:
    return _join_place(detail).outerjoin(patients, patients.c.id == sheets.c.patient_id)


def _join_place(detail: Select[Any]) -> Select[Any]:
    return (
        _join(detail).join(sheets, sheets.c.id == details.c.sheet_id).outerjoin(rooms, rooms.c.id == details.c.room_id)
    )


_NAMES_WITH_ROOM: dict[str, Cell] = {
    **_NAMES,
    "patient_id": patients.c.id,
    "room": or_none(RowShape[PlaceView](PlaceView, rooms)),
}
DETAILS = _lists(DetailView, _NAMES, _join)
# With patients, for exports. Lists on screens do not need these joins.
EXPORTED_DETAILS = _lists(
    ExportedDetailView, {**_NAMES_WITH_ROOM, "patient": or_none(PATIENT_OF_SHEET)}, _join_patient_or_none
)
# For programs and the register of implants, which have no lines of areas.
PATIENT_DETAILS = _lists(
    PatientDetailView, {**_NAMES_WITH_ROOM, "patient": PATIENT_OF_SHEET}, _join_patient, IS_FOR_PATIENT
)
